"""archive.org: metadata and downloads of items, and the S3 API by which items are made (10.4)."""

import base64
import mmap
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from typing import Any, ClassVar
from urllib.parse import unquote

from newsroom.repositories.catalogue import Catalogue
from newsroom.repositories.content import CRC, Content
from newsroom.repositories.dataset import Dataset, File, State
from newsroom.repositories.exchange import (
    Answer,
    Asked,
    Body,
    answer,
    file_answer,
    json_answer,
    quoted,
    redirect,
)
from newsroom.repositories.pages import missing_page
from newsroom.repositories.platforms.platform import Platform, Route

HOST = "archive.example"
S3 = "s3.us.archive.example"
STORE = "ia600100.us.archive.example"
ACCESS_KEY = "imitation-access"
SECRET_KEY = "imitation-secret"  # noqa: S105 - of a server on loopback, in the open

_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{2,99}")
_META = re.compile(r"x-archive-meta(\d*)-(.+)")
_URI = re.compile(r"uri\((.*)\)")
_CHUNK = 1 << 18
_SEARCH_PAGE = 2
_HISTORY = "history/files/"
_IN_MEMORY = 1 << 22
_FORMATS = {
    "text/csv": "CSV",
    "text/plain": "Text",
    "image/png": "PNG",
    "application/zip": "ZIP",
    "application/gzip": "GZIP",
}
_MTIME = "1710495000"


@dataclass(slots=True)
class Item:
    """An item that was uploaded: its files by name, and its metadata."""

    metadata: dict[str, list[str]]
    files: dict[str, File] = field(default_factory=dict)
    size_hint: str = ""


class ArchiveOrg(Platform):
    """Items of the table, and those that a client uploads. `items` shows the latter to tests."""

    name = "archiveorg"
    hosts = (HOST, S3, STORE)
    options: ClassVar = {
        "ARCHIVEORG_URL": f"http://{HOST}",
        "ARCHIVEORG_S3_URL": f"http://{S3}",
        "IA_ACCESS_KEY": ACCESS_KEY,
        "IA_SECRET_KEY": SECRET_KEY,
    }
    robots = "User-agent: *\nDisallow: /account/\nDisallow: /search\n"

    def __init__(self, catalogue: Catalogue) -> None:
        super().__init__(catalogue)
        self.items: dict[str, Item] = {}
        self._lock = threading.Lock()

    def routes(self) -> Mapping[str, Route]:
        return {
            rf"{HOST}/details/([^/]+)/?": self._page,
            rf"{HOST}/metadata/([^/]+)": self._metadata,
            rf"{HOST}/download/([^/]+)/(.+)": self._download,
            rf"{STORE}/1/items/([^/]+)/(.+)": self._bytes,
            rf"{S3}/": self._limit,
            rf"{HOST}/services/search/v1/scrape": self._scrape,
            rf"PUT {S3}/([^/]+)/(.+)": self._put,
            rf"DELETE {S3}/([^/]+)/(.+)": self._delete,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://{HOST}/details/{dataset.id}"

    def _files(self, id: str) -> dict[str, File] | None:
        """The uploaded files of an item by name; None for an unknown item."""
        found = self.catalogue.find(self.name, id)
        files = {file.path: file for file in found.files} if found else {}
        item = self.items.get(id)
        return {**files, **item.files} if item else files if found else None

    def _page(self, _: Asked, id: str) -> Answer:
        return self.page_of(self.catalogue.find(self.name, id), "Internet Archive")

    def _metadata(self, _: Asked, id: str) -> Answer:
        files = self._files(id)
        if files is None:
            # An unknown item is no error there.
            return json_answer({})
        found = self.catalogue.find(self.name, id)
        server = {"created": 1710495000, "d1": STORE, "dir": f"/1/items/{id}", "server": STORE}
        if found and found.state is State.GONE:
            return json_answer({**server, "is_dark": True, "metadata": {"identifier": id}})
        described = [_described(name, each) for name, each in files.items()]
        made = [
            {"name": f"{id}{ending}", "source": source, "format": form, "md5": "0" * 32}
            for ending, source, form in (
                ("_meta.xml", "original", "Metadata"),
                ("_files.xml", "metadata", "Metadata"),
                ("_thumb.png", "derivative", "Thumbnail"),
            )
        ]
        item = self.items.get(id)
        metadata = _metadata_of(found) if found else _single(item.metadata) if item else {}
        return json_answer(
            {
                **server,
                "d2": STORE,
                "files": [*described, *made],
                "files_count": len(described) + len(made),
                "item_last_updated": 1710495000,
                "item_size": sum(each.size for each in files.values()),
                "metadata": {"identifier": id, **metadata},
                "uniq": 1,
                "workable_servers": [STORE],
            }
        )

    def _download(self, _: Asked, id: str, name: str) -> Answer:
        return redirect(f"http://{STORE}/1/items/{id}/{quoted(name)}")

    def _bytes(self, _: Asked, id: str, name: str) -> Answer:
        file = (self._files(id) or {}).get(name)
        if file is None:
            return missing_page(HOST)
        if file.restricted:
            return _refused(403, "AccessDenied")
        return file_answer(self.catalogue.find(self.name, id) or _as_dataset(id), file)

    def _limit(self, asked: Asked) -> Answer:
        """The answer to `check_limit`, which tells clients to wait."""
        query = asked.query
        if "check_limit" not in query:
            return _refused(400, "InvalidRequest")
        bucket, key = query.get("bucket", ""), query.get("accesskey", "")
        return json_answer({"bucket": bucket, "accesskey": key, "over_limit": 0, "detail": {}})

    def _put(self, asked: Asked, id: str, name: str) -> Answer:
        """Store a file; an item is made if the client allows it."""
        headers = asked.headers
        if refusal := self._refusal(id, headers):
            return refusal
        content = received(asked.body)
        if asked.body.left or headers.get("content-md5", "") not in ("", *_forms_of_md5(content)):
            return _refused(400, "BadDigest")
        with self._lock:
            item = self.items.setdefault(id, Item(_metadata_headers(headers)))
            item.size_hint = headers.get("x-archive-size-hint", item.size_hint)
            old = item.files.get(name)
            if old and "x-archive-keep-old-version" in headers:
                item.files[f"{_HISTORY}{name}.~1~"] = old
            item.files[name] = File(name, content, headers.get("content-type", ""))
        return answer(b"", "text/plain")

    def _delete(self, asked: Asked, id: str, name: str) -> Answer:
        """Remove a file; it stays in history if the client wants that."""
        if refusal := self._refusal(id, {**asked.headers, "content-length": "0"}):
            return refusal
        with self._lock:
            item = self.items.get(id)
            old = item.files.pop(name, None) if item else None
            if item is None or old is None:
                return _refused(404, "NoSuchKey")
            if "x-archive-keep-old-version" in asked.headers:
                item.files[f"{_HISTORY}{name}.~1~"] = old
        return answer(b"", "text/plain", 204)

    def _scrape(self, asked: Asked) -> Answer:
        """The identifiers of uploaded items by one field of their metadata, page by page."""
        field, _, value = asked.query.get("q", "").partition(":")
        wanted = value.strip('"')
        names = sorted(
            id for id, item in self.items.items() if wanted in item.metadata.get(field, ())
        )
        start = asked.number("cursor", 0)
        page = names[start : start + _SEARCH_PAGE]
        more = {"cursor": str(start + len(page))} if names[start + len(page) :] else {}
        found = [{"identifier": id} for id in page]
        return json_answer({"items": found, "count": len(found), "total": len(names), **more})

    def _refusal(self, id: str, headers: Mapping[str, str]) -> Answer | None:
        """Why an upload is refused before its bytes are read; None if it is not."""
        if headers.get("authorization") != f"LOW {ACCESS_KEY}:{SECRET_KEY}":
            return _refused(403, "AccessDenied")
        if not _IDENTIFIER.fullmatch(id):
            return _refused(400, "InvalidBucketName")
        if "content-length" not in headers:
            return _refused(411, "MissingContentLength")
        if self._files(id) is None and headers.get("x-archive-auto-make-bucket") != "1":
            return _refused(404, "NoSuchBucket")
        return None


def received(body: Body) -> Content:
    """The content that a client sends; large ones are kept on disk."""
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        while chunk := body.read(_CHUNK):
            file.write(chunk)
        size = file.tell()
        if size <= _IN_MEMORY:
            file.seek(0)
            return Content(file.read())
        # The map outlives the file, which has no name.
        return Content(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), size)


def _described(name: str, file: File) -> dict[str, Any]:
    old = {"old_version": "true"} if name.startswith(_HISTORY) else {}
    private = {"private": "true"} if file.restricted else {}
    return {
        **old,
        **private,
        "name": name,
        "source": "original",
        "format": _FORMATS.get(file.mimetype, "Unknown"),
        "size": str(file.size),
        "md5": file.content.hash("md5"),
        "sha1": file.content.hash("sha1"),
        "crc32": file.content.hash(CRC),
        "mtime": _MTIME,
    }


def _metadata_of(dataset: Dataset) -> dict[str, Any]:
    restricted = {"access-restricted-item": "true"} if dataset.state is State.RESTRICTED else {}
    return {
        "mediatype": dataset.kind,
        "title": dataset.title,
        "collection": ["datasets", "made-up-rivers"],
        "creator": list(dataset.creators),
        "date": dataset.date,
        **restricted,
    }


def _metadata_headers(headers: Mapping[str, str]) -> dict[str, list[str]]:
    """The metadata in the headers of an upload: `x-archive-meta01-creator: uri(%C5%8D)`."""
    found: dict[str, list[str]] = {}
    for name, value in sorted(headers.items()):
        if meta := _META.fullmatch(name):
            encoded = _URI.fullmatch(value)
            text = unquote(encoded[1]) if encoded else value
            found.setdefault(meta[2].replace("--", "_"), []).append(text)
    return found


def _single(metadata: Mapping[str, list[str]]) -> dict[str, Any]:
    return {name: texts[0] if len(texts) == 1 else texts for name, texts in metadata.items()}


def _forms_of_md5(content: Content) -> tuple[str, str]:
    """The hash in hexadecimal digits, and as RFC 1864 has it."""
    digits = content.hash("md5")
    return digits, base64.b64encode(bytes.fromhex(digits)).decode()


def _as_dataset(id: str) -> Dataset:
    return Dataset("archiveorg", id, id)


def _refused(status: int, code: str) -> Answer:
    body = f'<?xml version="1.0" encoding="UTF-8"?><Error><Code>{code}</Code></Error>'
    return answer(body, "application/xml", status)
