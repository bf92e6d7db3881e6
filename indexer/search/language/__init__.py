"""The fields of an index, and the query language: text → tree, the same for every backend. Pure.

Each backend compiles the tree to its own language. `docs/search.md` explains the language.
"""
