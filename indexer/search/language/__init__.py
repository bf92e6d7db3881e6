"""The query language, the same for every backend: text → tree. Pure functions.

Each backend compiles the tree to its own language. `docs/search.md` explains the language.
"""
