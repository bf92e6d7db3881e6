"""Datasets whose files a server on loopback offers."""

import hashlib
from collections.abc import Mapping
from typing import Any

from pytest_httpserver import HTTPServer

from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem

ITEM = "zenodo.org-7"

FILES = {
    "data/a.csv": b"a,b\n1,2\n",
    "../b.bin": bytes(range(256)) * 40,
    "empty": b"",
    "A.txt": b"upper",
    "a.txt": b"lower",
}


def md5(data: bytes) -> str:
    """The MD5 of some bytes."""
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


def dataset(
    server: HTTPServer, files: Mapping[str, bytes] | None = None, **given: Any
) -> FilesetPlatformItem:
    """A dataset with these files, of which the server gives each once for each call."""
    manifest = []
    for at, (path, data) in enumerate((FILES if files is None else files).items()):
        server.expect_request(f"/files/{at}", method="GET").respond_with_data(data)
        manifest.append(
            FilesetManifestFile(
                path=path,
                size=len(data),
                md5=md5(data),
                platform_url=server.url_for(f"/files/{at}"),
            )
        )
    facts: dict[str, Any] = {
        "platform_name": "zenodo",
        "platform_status": "success",
        "platform_domain": "zenodo.org",
        "platform_id": "7",
        "platform_version": "v1",
        "archiveorg_item_name": ITEM,
        "archiveorg_item_meta": {"title": "Ærø", "creator": ["Doe, Jane", "Roe, Jo"]},
    }
    return FilesetPlatformItem(manifest=manifest, **(facts | given))
