"""Formats: which files hold metadata, how they are read, and the rules of their keys.

A format of plain keys is a few lines in a table: its name, its files, its syntax, and the column of
the crosswalk or rows of its own.
"""
