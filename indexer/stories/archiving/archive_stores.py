"""The stores that archives are written to, and read from where no others are named."""

from pathlib import Path

from indexer.blobstore import REMOTE, Blobstore, open_blobstore
from indexer.blobstore.credentials import StoreSettings, open_all, stores
from indexer.http.urls.parts import without_credentials
from indexer.programs.settings import data_directory
from indexer.system.options import Options, option

STORE = "ARCHIVER"


class ArchiveStoreOptions(Options):
    """Options of programs and commands that use the stores of archives."""

    data: Path = data_directory()
    archive_url: list[str] = option(
        [], "store for archives: a directory or s3://BUCKET/PREFIX; repeatable", "ARCHIVE_URL"
    )


def archive_stores(options: ArchiveStoreOptions) -> dict[str, Blobstore]:
    """The stores for archives, by their names in manifests. Raises ConfigurationError.

    These are each URL, and each bucket of a complete set of credentials; without any, a directory
    in the data directory.
    """
    found = {without_credentials(url): open_all(url, STORE)[0] for url in options.archive_url}
    for each in _buckets():
        found[f"{each.name}_{each.provider}"] = open_blobstore(each.url, each.credentials)
    return found or {"archive": open_blobstore(_default(options))}


def archive_urls(options: ArchiveStoreOptions) -> list[str]:
    """The URLs or directories of these stores, without opening them."""
    urls = [*options.archive_url, *(each.url for each in _buckets())]
    return urls or [_default(options)]


def archives_to_read(options: ArchiveStoreOptions) -> str:
    """The name of all archives, as an input's: those of the first store, as each store has all."""
    url = archive_urls(options)[0]
    is_prefix = url.partition("://")[0] in REMOTE and not url.endswith("/")
    # Without the slash, s3://bucket/warc would also mean s3://bucket/warc-old/….
    return f"{url}/" if is_prefix else url


def _buckets() -> list[StoreSettings]:
    # Credentials without a bucket are those of a URL.
    return [each for each in stores(STORE) if each.bucket]


def _default(options: ArchiveStoreOptions) -> str:
    return str(options.data / "archive")
