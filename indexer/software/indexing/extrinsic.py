"""Extrinsic metadata: what forges, registries and depositors say about an origin (spec 2.4).

    raw metadata → its origin → its format → is the authority trusted? → a row of that authority

Rows of all authorities are kept apart, and merged when they are read.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit

from indexer.errors import DecodeError
from indexer.software.indexing.rows import Changes, ExtrinsicKey, ExtrinsicRow, SoftwareRows
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.translation.document import document
from indexer.software.translation.translator import translate

REGISTRY = "registry"
"""The type of an authority that is trusted for origins on any host."""

DEPOSIT = "swh-deposit"
QUOTED_UNTIL = datetime(2024, 5, 16, 15, 20, tzinfo=UTC)
"""Deposits that were fetched before have origins with percent-encoded characters (CRAN)."""

MAX_METADATA = 5_000_000

ExtrinsicFormats: TypeAlias = Mapping[str, ManifestFormat]
"""The format of raw metadata by its name, such as `gitea-repository-json`."""

_ORIGIN_SWHID = re.compile(r"swh:1:ori:[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class RawMetadata:
    """Raw extrinsic metadata (REMD): its target, the authority, the format, and the bytes.

    `target`: the URL of an origin, or a SWHID; then `origin` is its context, or "". `date`: when
    the fetcher got it.
    """

    id: str
    target: str
    origin: str
    authority_type: str
    authority_url: str
    fetcher: str
    format: str
    date: datetime
    metadata: bytes

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "RawMetadata":
        """Read an object of JSON, in the names of the journal. Raises DecodeError."""
        authority, fetcher = given.get("authority"), given.get("fetcher")
        texts = {
            "id": given.get("id", ""),
            "target": given.get("target"),
            "origin": given.get("origin") or "",
            "authority_type": authority.get("type") if isinstance(authority, dict) else None,
            "authority_url": authority.get("url") if isinstance(authority, dict) else None,
            "fetcher": fetcher.get("name", "") if isinstance(fetcher, dict) else "",
            "format": given.get("format"),
        }
        for name, text in texts.items():
            if not isinstance(text, str):
                raise DecodeError(f"raw metadata without {name}")
        metadata = given.get("metadata")
        if not isinstance(metadata, str) or len(metadata) > MAX_METADATA:
            raise DecodeError("raw metadata without metadata, or with too much")
        date = _date(given.get("discovery_date"))
        return cls(**texts, date=date, metadata=metadata.encode("utf-8", "surrogateescape"))


class ExtrinsicStatus(StrEnum):
    """The result for one object."""

    STORED = "stored"
    UNCHANGED = "unchanged"
    OLDER = "older"
    NO_ORIGIN = "no-origin"
    NO_FORMAT = "no-format"
    NO_METADATA = "no-metadata"


class IndexedMetadata(NamedTuple):
    """An object, the origin that it is about, and the result."""

    raw: RawMetadata
    origin: str
    status: ExtrinsicStatus


def origin_of(raw: RawMetadata) -> str:
    """Return the URL of the origin that metadata is about; "" if it is about none."""
    is_swhid = raw.target.startswith("swh:")
    origin = raw.origin if is_swhid else raw.target
    if raw.fetcher == DEPOSIT and raw.date < QUOTED_UNTIL and "%" in origin:
        origin = unquote(origin)
    return "" if "://" not in origin else origin


def is_trusted(raw: RawMetadata, origin: str) -> bool:
    """Whether an authority may speak for an origin: a registry, or the origin's own host."""
    if raw.authority_type.lower() == REGISTRY:
        return True
    return bool(host := _host(raw.authority_url)) and host == _host(origin)


def index_metadata(
    objects: Iterable[RawMetadata], rows: SoftwareRows, formats: ExtrinsicFormats
) -> list[IndexedMetadata]:
    """Index metadata: one result for each object, in their order.

    An origin has a row for each authority and format, with the newest metadata. Metadata that
    states nothing replaces a row, and makes none. Raises StorageError.
    """
    found = [(raw, origin_of(raw)) for raw in objects]
    keys = {_key(raw, origin) for raw, origin in found}
    stored = dict(rows.extrinsic(keys))
    changed: dict[ExtrinsicKey, ExtrinsicRow] = {}
    results = [
        IndexedMetadata(raw, origin, _index(raw, origin, stored, changed, formats))
        for raw, origin in found
    ]
    if changed:
        rows.write(Changes(extrinsic=[*changed.values()]))
    return results


def _index(
    raw: RawMetadata,
    origin: str,
    stored: dict[ExtrinsicKey, ExtrinsicRow],
    changed: dict[ExtrinsicKey, ExtrinsicRow],
    formats: ExtrinsicFormats,
) -> ExtrinsicStatus:
    if not origin:
        return ExtrinsicStatus.NO_ORIGIN
    key = _key(raw, origin)
    known = stored.get(key)
    if known is not None and known.date > _text(raw.date):
        return ExtrinsicStatus.OLDER
    form = formats.get(raw.format)
    if form is None:
        return ExtrinsicStatus.NO_FORMAT
    row = _row(raw, key, form)
    if row == known:
        return ExtrinsicStatus.UNCHANGED
    if not row.metadata and known is None:
        return ExtrinsicStatus.NO_METADATA
    stored[key] = changed[key] = row
    return ExtrinsicStatus.STORED


def _row(raw: RawMetadata, key: ExtrinsicKey, form: ManifestFormat) -> ExtrinsicRow:
    translation = translate(raw.metadata, form)
    return ExtrinsicRow(
        key,
        document(translation.properties),
        translation,
        raw.id,
        _text(raw.date),
        form.name,
        form.version,
        is_trusted(raw, key.origin),
    )


def _key(raw: RawMetadata, origin: str) -> ExtrinsicKey:
    return ExtrinsicKey(origin, raw.authority_url, raw.format)


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return ""


def _date(given: object) -> datetime:
    try:
        found = datetime.fromisoformat(str(given))
    except ValueError as error:
        raise DecodeError(f"raw metadata without a date: {given!r:.50}") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _text(date: datetime) -> str:
    """A date as a text that sorts by time."""
    return date.astimezone(UTC).isoformat(timespec="microseconds")
