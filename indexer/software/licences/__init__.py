"""Licences: the text of any manifest → SPDX identifiers where it names them without doubt.

    text  →  SPDX expression?  →  URL of a well-known place?  →  well-known name?  →  licences

What is never here: shapes of values (`readings`), and texts of whole licences.
"""
