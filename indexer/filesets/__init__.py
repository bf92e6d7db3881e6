"""Filesets: from a request for a dataset to a verified archive of every file.

    request     →  landing                →  platforms        →  strategies          →  results
    DOI or URL     the page of the dataset   the manifest of     the files, stored      one line of
                   and its redirects         the repository      and verified           JSON

What is never here: HTTP, WARC, stores, queues and jobs, which are rooms of the core.
"""
