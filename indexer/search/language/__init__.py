"""The query language, the same on every index: text → tree. Pure functions.

Each backend compiles the tree to its own language. `docs/search.md` teaches it.
"""
