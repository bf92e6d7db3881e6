"""Readers of values: a value of any shape → values of a term of CodeMeta, with diagnostics."""
