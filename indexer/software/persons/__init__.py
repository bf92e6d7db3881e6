"""Persons: texts and objects of any manifest → persons and organisations of CodeMeta.

    text    →  pieces of several persons  →  name, e-mail address, URL of each
    object  →  keys and their synonyms    →  the same, and ORCID iD, affiliation, roles

What is never here: family names guessed from full names, and organisations guessed from names.
"""
