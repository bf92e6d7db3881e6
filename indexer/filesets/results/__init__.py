"""Results: exactly one for each request, which other programs read (filesets.md 6).

    Ingest → fileset_result: one object of JSON     a single file → dataset_file_result, before it
    → dated_lines: DIRECTORY/ingest-fileset-results-2026-11-22.jsonl, which can be read again

What is never here: how a dataset is found or archived.
"""
