"""JSON-LD, as much of it as metadata of software needs: contexts, expansion and compaction.

    document  →  expand  →  nodes: {IRI: [values]}  →  compact  →  document of another context

Everything works offline and without a graph. No base is invented: a relative IRI stays relative.
What is never here: frames, graphs of statements, and contexts that would have to be fetched.
"""
