"""The profile `compat`: the documents of the existing system, for clients that hold its rows.

    bytes → tree → nodes: a table of keys for each mapping → compaction to CodeMeta 2.0 → document

It is spec 5, 6 and 7 before their corrections, without crashes and without an invented base IRI
(docs/software/compat.md). What is never here: rules of the profile `full`.
"""
