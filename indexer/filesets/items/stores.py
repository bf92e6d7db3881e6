"""The stores that hold items: a directory, a bucket, or archive.org. A URL chooses."""

from typing import TYPE_CHECKING

from indexer.blobstore import REMOTE, Blobstore, open_blobstore
from indexer.blobstore.credentials import open_all
from indexer.filesets.platform_options import ArchiveorgOptions
from indexer.http.fetching import FetchOptions

if TYPE_CHECKING:
    from indexer.http.fetching.client import Client

CREDENTIALS = ("FILESETS", "ARCHIVER")
"""The variables of S3 servers begin with one of these: `FILESETS_S3_ENDPOINT`."""


def open_items(
    url: str, archiveorg: ArchiveorgOptions | None = None, client: "Client | None" = None
) -> Blobstore:
    """The store with the items of a URL or directory; http and https are archive.org's S3 server.

    Options and client of archive.org are by default those of the environment. Raises
    ConfigurationError.
    """
    if is_web(url):
        return _archiveorg(url, archiveorg or ArchiveorgOptions(), client)
    is_remote = url.partition("://")[0].lower() in REMOTE
    return open_all(url, *CREDENTIALS)[0] if is_remote else open_blobstore(url)


def is_web(url: str) -> bool:
    """Whether a URL is one of the web, and neither a bucket nor a directory."""
    return url.lower().startswith(("http://", "https://"))


def _archiveorg(url: str, options: ArchiveorgOptions, client: "Client | None") -> Blobstore:
    # Commands on a directory need none of it.
    from indexer.filesets.items.archiveorg_api import ArchiveorgAPI  # noqa: PLC0415
    from indexer.filesets.items.archiveorg_store import ArchiveorgStore  # noqa: PLC0415
    from indexer.http.fetching.client import Client  # noqa: PLC0415

    # A client that keeps no connection needs no end.
    client = client or Client(FetchOptions(keep_connections=0))
    return ArchiveorgStore(ArchiveorgAPI(url, options, client))
