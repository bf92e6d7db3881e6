"""Search of software by its metadata: one document for each origin, in the core's search index.

    rows of an origin → one CodeMeta document → fields of the index
    query → tiers of match → searches in their order → hits, facets, the key of the next page

What is never here: SQL, HTTP, and how a backend finds words.
"""
