"""Syntaxes: bytes of a file → a plain tree of dictionaries, lists and scalars, within limits.

A reader is a function `(bytes) -> Tree` that raises `UnreadableManifest` and nothing else. What is
never here: what a key means.
"""
