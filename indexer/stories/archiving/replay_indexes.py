"""Makes the replay index (CDXJ) of an archive that has none, beside it."""

from indexer.blobstore.credentials import Fallback, open_all
from indexer.blobstore.directory import path_of
from indexer.errors import InputError, NotFound
from indexer.inputs.inputs import Input
from indexer.stories.archiving.archives import STORES, opened
from indexer.warc import CDXJ
from indexer.warc.cdxj import ReplayIndex, index_of


def make_index(archive: Input, *, again: bool = False) -> ReplayIndex | None:
    """Make the index of an archive, or with `again` replace it. None if the archive has one.

    Pages that can't be replayed are among its `damages`. A file without any page that can gets no
    index. Raises InputError, StorageError.
    """
    store, key = _place(archive)
    if not again and _has(store, f"{key}{CDXJ}"):
        return None
    with opened(archive) as file:
        index = index_of(file, key.rpartition("/")[2])
    if index.lines or not index.damages:
        store.put(f"{key}{CDXJ}", index.dump())
    return index


def _place(archive: Input) -> tuple[Fallback, str]:
    """The store and the key of an archive. Raises InputError for standard input."""
    if not archive.tracked:
        raise InputError("there is no place for it")
    scheme, separator, rest = archive.name.partition("://")
    if separator:
        bucket, _, key = rest.partition("/")
        return Fallback(open_all(f"{scheme}://{bucket}", *STORES)), key
    path = path_of(archive.name)
    return Fallback(open_all(str(path.parent))), path.name


def _has(store: Fallback, key: str) -> bool:
    try:
        store.stat(key)
    except NotFound:
        return False
    return True
