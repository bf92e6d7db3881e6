"""Items: the archived files of one dataset: a folder, a prefix of a bucket, or an archive.org item.

    ITEM/data/raw.csv               a file, under its escaped path (`filesets.paths`)
    ITEM/ITEM_metadata.json         title, creators…, by the names of archive.org's metadata
    ITEM/ITEM_evidence.warc.gz      each answer of an API and each redirect that led to the files
    ITEM/ITEM_fileset.json          the manifest: original path, name, size, hashes, URLs
    ITEM/ITEM_sha256.txt            the hashes of all of these, for `sha256sum -c`
    ITEM/ITEM_capture.warc.gz       in place of files: their captures for the web, with an index,
    ITEM/ITEM_capture.cdxj          by which replay tools find them
    ITEM/ITEM_bundle.zip            in place of files: the platform's bundle of all files

The list of hashes is written last: an item without it is not complete. Names that begin with
`ITEM_` are never those of a dataset's files.
"""
