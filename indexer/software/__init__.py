"""Software: from a project's own files to its metadata as CodeMeta, with the source of each value.

    formats         →  translation        →  merging         →  origins         →  store, search
    which files,       each value by          one document       the head of a      rows, an
    how to read them   a rule of a table      of all files       repository         index, an API

What is never here: queues, HTTP, SQL sessions and search indexes, which are rooms of the core.
"""
