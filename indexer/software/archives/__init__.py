"""Archives of source code: snapshot → head → revision, release → directory pages → contents.

    source_archive  the five questions that indexing asks of any archive
    heads           which branch of a snapshot is the head, and why; versions: of archive files
    git             a repository on disk       clone, tunnel   a repository by its URL
    directory       a directory on disk        tarball         a packed directory
    json_lines      objects as lines of JSON   objects         ids as git computes them

Archives are not trusted: nothing of them is executed, sizes are bounded, no path leads out of them.
What is never here: what a file means.
"""
