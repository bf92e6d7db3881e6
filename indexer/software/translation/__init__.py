"""Translation: a tree → properties of the software, each with its place in the file and its rule.

    rule      →  reading             →  property            →  document
    key, term    value of any shape     term, value, place     CodeMeta of one version

What is never here: syntaxes of files, and more than one file at a time.
"""
