"""WARC files (ISO 28500, version 1.0): written, read and verified.

    Writer(file).info(…) .response(…) .metadata(…)          one gzip member a record
    write_exchange(writer, WireExchange)                    an HTTP exchange, byte for byte
    read(file) -> Record | Damage …                         damage is reported, the rest is read
    faults(record) -> lines of text                         wrong digests, lengths, headers

Each record is a gzip member of its own, so that a damaged record doesn't affect the others. Nothing
here knows stories or other content of records.
"""

CDXJ = ".cdxj"
"""The replay index of NAME is NAME.cdxj, beside it."""
