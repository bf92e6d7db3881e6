"""Objects in a blobstore, for tests."""

import io

from indexer.blobstore import Blobstore


def put(store: Blobstore, *keys: str) -> None:
    """Store the key itself under each key."""
    for key in keys:
        store.put(key, io.BytesIO(key.encode()))


def keys(store: Blobstore, prefix: str = "") -> list[str]:
    """The keys of all objects with a prefix, as `entries` orders them."""
    return [entry.key for entry in store.entries(prefix)]
