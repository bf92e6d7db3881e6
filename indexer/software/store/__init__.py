"""Rows of software metadata in SQL (spec 8): one for each content, directory and origin.

    rows → storable values → one transaction, sorted by key → the ids that changed

What is never here: how a document is made, and how it is found by its words.
"""
