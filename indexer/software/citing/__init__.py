"""Citing: a CodeMeta document → a citation → BibTeX, CSL-JSON or CITATION.cff.

All functions are total: a document of any shape has a text, which holds nothing that the document
doesn't. What is never here: files and formats that are read.
"""
