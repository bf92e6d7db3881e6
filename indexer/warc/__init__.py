"""WARC files (ISO 28500, version 1.0): written, read and verified.

    Writer(file).warcinfo(…) .response(…) .metadata(…)      one gzip member a record
    read(file) -> Record | Damage …                         damage is reported, the rest is read
    faults(record) -> lines of text                         wrong digests, lengths, headers

Each record is a gzip member of its own, so that a damaged record doesn't affect the others. Nothing
here knows stories or other content of records.
"""
