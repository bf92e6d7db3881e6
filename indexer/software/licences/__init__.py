"""Licences: the text of any manifest → SPDX identifiers where it names them without doubt.

    text  →  SPDX expression?  →  well-known URL?  →  well-known name?  →  text of a licence?

What is never here: the shapes of values (`readings`), and guesses where several licences fit.
"""
