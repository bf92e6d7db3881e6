"""WARC files (ISO 28500, version 1.0): written, read and verified, blind to what they archive.

    Writer(file).warcinfo(…) .response(…) .metadata(…)      one gzip member a record
    read(file) -> Record | Damage …                         what is broken is told, the rest read
    faults(record) -> what is wrong with it                 digests, lengths, mandatory headers

Each record is a gzip member of its own, so a damaged one costs only itself.
"""
