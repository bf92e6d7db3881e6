"""The vocabulary of CodeMeta: its contexts, its crosswalk, and the types of its terms.

Everything is read from the files in `data`, never from the network; `data/sources.toml` records the
version, the source, the licence and the digest of each file. What is never here: formats of files.
"""
