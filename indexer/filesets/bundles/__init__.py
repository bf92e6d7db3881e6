"""Bundles: the one file, a ZIP or a tar, in which a platform sends all files of a dataset.

bundle → entries: each name and type is checked → read once, hashed → BundleMember → compared with
                                                                      the manifest, by strategies

    archive.org, OSF, Zenodo   ZIP by Python and Go: sizes behind the data, ZIP64 for small files
    Dataverse                  ZIP by Java: sizes behind the data; `MANIFEST.TXT` lists omissions
    Windows                    `folder\\file`; names in the code page of the machine
    macOS                      `__MACOSX/`, `._file`; decomposed names, in UTF-8 without a flag
    GNU tar, pax               long names in headers of their own; sparse files, which are refused

Nothing is ever unpacked to a disk, and a bundle in a bundle is an ordinary file. What is never
here: transfers and stores.
"""
