"""Results in SQL, in the tables that other programs know (filesets.md 9).

    result → rows_of: rows by table → FilesetStore.save: each row inserted or replaced

What is never here: how a dataset is found or archived.
"""
