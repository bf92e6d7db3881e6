"""The rows of a result, by table (filesets.md 9): pure functions.

    request → ingest_request    landing page → ingest_file_result, cdx, file_meta
    a platform that was identified → ingest_fileset_platform

The statuses of results without rows are those of the existing system: `skip-…`.
"""

import base64
import binascii
import math
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from sqlalchemy import Table

from indexer.errors import Discard, Quarantine
from indexer.filesets.persisting.models import (
    cdx,
    file_meta,
    ingest_file_result,
    ingest_fileset_platform,
    ingest_request,
)
from indexer.filesets.reading import request_of_result
from indexer.filesets.request import FILE_TYPE

TYPES: Final = ("pdf", "xml", "html", "component", "src", "dataset", FILE_TYPE)
"""The types of results that are stored (filesets.md 9)."""

MAX_BASE_URL: Final = 1500
MAX_TERMINAL_URL: Final = 2048
"""The most characters of URLs in SQL (filesets.md 8)."""

MAX_KEY_BYTES: Final = 2600
"""The most bytes of the columns of an index: PostgreSQL allows 2,704 in a row of it."""

BAD_RESULT: Final = "bad-result"
"""The status of a result with a value that no row can have."""

_INDEXED = (("terminal_url",), ("platform_name", "platform_domain", "platform_id"))
_IDENTIFIED = ("platform_name", "platform_domain", "platform_id")
_OTHERS = ("ext_ids", "edit_extra", "rel", "oa_status", "force_recrawl", "fatcat")
_BUNDLE_PATHS = (
    *("archiveorg_bundle_path", "bundle_archiveorg_path", "archiveorg_item_bundle_path"),
)
"""The names of a bundle's path in results: the design's, its internal one, that of SQL."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

_Needed = Annotated[str, msgspec.Meta(min_length=1)]
_Time = Annotated[str, msgspec.Meta(pattern="^([0-9]{14})?$")]
_MD5 = Annotated[str, msgspec.Meta(pattern="^([0-9a-fA-F]{32})?$")]
_SHA1 = Annotated[str, msgspec.Meta(pattern="^([0-9a-fA-F]{40})?$")]
_SHA256 = Annotated[str, msgspec.Meta(pattern="^([0-9a-fA-F]{64})?$")]
_Integer = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]

Values = dict[str, Any]


class Row(NamedTuple):
    """A row to insert, or to replace the row with the same key."""

    table: Table
    values: Values


class _Request(msgspec.Struct):
    ingest_type: _Needed
    base_url: _Needed
    link_source: str | None = None
    link_source_id: str | None = None
    ingest_request_source: str | None = None
    release_stage: str | None = None


class _Result(msgspec.Struct):
    hit: bool
    status: _Needed


class _Terminal(msgspec.Struct):
    terminal_url: str | None = None
    terminal_dt: _Time | None = None
    terminal_status_code: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] | None = None
    terminal_sha1hex: _SHA1 | None = None


class _FileMeta(msgspec.Struct):
    sha1hex: _SHA1 | None = None
    sha256hex: _SHA256 | None = None
    md5hex: _MD5 | None = None
    size_bytes: _Integer | None = None
    mimetype: str | None = None


class _CDX(msgspec.Struct):
    url: _Needed
    datetime: _Time
    sha1hex: _SHA1 | None = None
    cdx_sha1hex: _SHA1 | None = None
    mimetype: str | None = None
    warc_path: str | None = None
    warc_csize: _Integer | None = None
    warc_offset: _Integer | None = None


class _Platform(msgspec.Struct):
    platform_name: _Needed
    platform_domain: _Needed
    platform_id: _Needed
    ingest_strategy: str | None = None
    total_size: _Integer | None = None
    file_count: _Integer | None = None
    archiveorg_item_name: str | None = None
    manifest: list[Values] | None = None


def rows_of(result: dict[str, Any]) -> list[Row]:
    """The rows of a result.

    Raises Discard for a result that is not stored, Quarantine for one that can't be read.
    """
    try:
        return [*_rows(result, request_of_result(result))]
    except RecursionError as error:
        raise Quarantine(BAD_RESULT, "its values are nested too deeply") from error


def request_rows(request: Mapping[str, Any]) -> list[Row]:
    """The row of a request; none without a source, and for the request of a single file.

    Raises like `rows_of`.
    """
    if "base_url" not in request or "ingest_type" not in request:
        raise Discard("skip-request-fields", "a request has ingest_type and base_url")
    if request["ingest_type"] not in TYPES:
        raise Discard("skip-ingest-type", f"{request['ingest_type']!r:.100}")
    found = _read(request, _Request)
    if (
        request["ingest_type"] == FILE_TYPE
        or not found["link_source"]
        or not found["link_source_id"]
    ):
        return []
    others = {name: request[name] for name in _OTHERS if request.get(name)}
    fatcat = others.pop("fatcat", None)
    if isinstance(fatcat, dict) and fatcat.get("release_ident"):
        others["release_ident"] = fatcat["release_ident"]
    return _indexable(ingest_request, {**found, "request": _storable(others) or None})


def _rows(result: Mapping[str, Any], request: Mapping[str, Any]) -> Iterator[Row]:
    if not {"hit", "status"} <= result.keys():
        raise Discard("skip-request-fields", "a result has hit, status and request")
    stored_request = request_rows(request)
    if result["status"] == "existing":
        raise Discard("skip-existing", "nothing is known but that it was stored before")
    found, asked = _read(result, _Result), _read(request, _Request)
    terminal = _read(_part(result, "terminal"), _Terminal)
    base_url, terminal_url = asked["base_url"], terminal["terminal_url"] or ""
    key = {"ingest_type": asked["ingest_type"], "base_url": base_url}
    landing = _indexable(ingest_file_result, {**key, **found, **terminal})
    if len(base_url) > MAX_BASE_URL or len(terminal_url) > MAX_TERMINAL_URL or not landing:
        raise Discard("skip-huge-url", f"{max(base_url, terminal_url, key=len)[:200]}…")
    yield from stored_request
    yield from landing
    if found["hit"]:
        for name in (None, "fileset_file", "fileset_bundle"):
            yield from _facts(_part(result, name) if name else result)
    if all(result.get(name) for name in _IDENTIFIED):
        yield from _indexable(ingest_fileset_platform, {**key, **found, **_platform(result)})


def _facts(part: Mapping[str, Any]) -> Iterator[Row]:
    """The bytes of a file, and its captures in the web archive."""
    meta = _read(_part(part, "file_meta"), _FileMeta)
    if meta["sha1hex"]:
        yield Row(file_meta, meta)
    for name in ("cdx", "revisit_cdx"):
        # A capture without the path of a WARC is still on its way into the archive.
        if "/" in str(_part(part, name).get("warc_path") or ""):
            yield from _capture(_part(part, name))


def _capture(given: Mapping[str, Any]) -> list[Row]:
    found = _read(given, _CDX)
    of_index = _hex(given.get("sha1b32"))
    found["cdx_sha1hex"] = of_index if found["sha1hex"] and of_index != found["sha1hex"] else None
    found["sha1hex"] = found["sha1hex"] or of_index
    return _indexable(cdx, found) if found["sha1hex"] and found["datetime"] else []


def _platform(result: Mapping[str, Any]) -> Values:
    bundle = _part(result, "fileset_bundle")
    terminal = _read(_part(bundle, "terminal"), _Terminal)
    paths = [path for name in _BUNDLE_PATHS if isinstance(path := bundle.get(name), str) and path]
    return {
        **_read(result, _Platform),
        "archiveorg_item_bundle_path": _storable(paths[0]) if paths else None,
        "web_bundle_url": terminal["terminal_url"],
        "web_bundle_dt": terminal["terminal_dt"],
    }


def _part(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = values.get(name)
    return found if isinstance(found, dict) else {}


def _read(values: Mapping[str, Any], kind: type[msgspec.Struct]) -> Values:
    """The values of one part by column, as SQL can store them. Raises Quarantine."""
    known = {name: values[name] for name in kind.__struct_fields__ if values.get(name) is not None}
    try:
        # Some programs write numbers as texts.
        found = msgspec.convert(known, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Quarantine(BAD_RESULT, str(error)) from error
    return {
        name: value.lower() if name.endswith("hex") and value else _storable(value)
        for name, value in msgspec.structs.asdict(found).items()
    }


def _storable(value: Any) -> Any:
    """The value without what PostgreSQL refuses: NULs, lone surrogates, infinite numbers.

    They become U+FFFD; the item's own manifest has the original names. An empty text is None.
    """
    match value:
        case str():
            return _UNSTORABLE.sub("\ufffd", value) or None
        case dict():
            return {_storable(name) or "": _storable(each) for name, each in value.items()}
        case list():
            return [_storable(each) for each in value]
        case float() if not math.isfinite(value):
            return None
    return value


def _indexable(table: Table, values: Values) -> list[Row]:
    """The row, unless an index has no room for it."""
    for names in (table.primary_key.columns.keys(), *_INDEXED):
        if sum(len(str(values.get(name) or "").encode()) for name in names) > MAX_KEY_BYTES:
            return []
    return [Row(table, values)]


def _hex(base32: Any) -> str | None:
    try:
        found = base64.b32decode(base32, casefold=True).hex()
    except (binascii.Error, ValueError, TypeError):
        return None
    return found if len(found) == 40 else None
