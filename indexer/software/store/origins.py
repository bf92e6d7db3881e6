"""Questions about origins: those with metadata by the producer of it, and their numbers (spec 8.1).

An origin that was indexed under several records is one origin: its row of the newest record counts.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Select, Table, cast, func, or_, select, union
from sqlalchemy.dialects.postgresql import JSONB

from indexer.database import Database
from indexer.software.store.models import origin_extrinsic_metadata, origin_intrinsic_metadata
from indexer.software.store.program_record import EXISTING
from indexer.software.store.rows import ExtrinsicMetadataRow, OriginMetadataRow
from indexer.software.store.store import SoftwareStore, read_rows

ORIGINS: Final = origin_intrinsic_metadata.c

PORTION: Final = 1000
"""Origins that are read at once."""


@dataclass(frozen=True, slots=True)
class OriginMetadata:
    """All that is stored of an origin: its intrinsic row, and a row for each authority.

    `existing` is the row that the existing system has made, as it was stored.
    """

    url: str
    intrinsic: OriginMetadataRow | None = None
    extrinsic: tuple[ExtrinsicMetadataRow, ...] = ()
    existing: OriginMetadataRow | None = None


@dataclass(frozen=True, slots=True)
class ProducerPage:
    """Origins in the order of their URLs; `next` is the token of the next page, if there is one."""

    rows: list[OriginMetadataRow]
    next: str | None


@dataclass(frozen=True, slots=True)
class OriginCounts:
    """Numbers of origins: all, those with metadata, and those by mapping."""

    total: int
    non_empty: int
    per_mapping: dict[str, int]


def by_producer(
    store: SoftwareStore,
    after: str = "",
    limit: int = 100,
    mappings: Collection[str] = (),
    records: Collection[int] = (),
) -> ProducerPage:
    """Return the origins with metadata whose URL is above `after`, in the order of URLs.

    They have any of the mappings, and are of any of the records; none given: of all.
    """
    database = store.database
    url = _in_bytes(database, ORIGINS.id)
    condition = ORIGINS.metadata.is_not(None) & (url > after)
    if mappings:
        has = (_has_mapping(database, origin_intrinsic_metadata, name) for name in sorted(mappings))
        condition &= or_(*has)
    if records:
        condition &= ORIGINS.indexer_configuration_id.in_(sorted(records))
    page = select(ORIGINS.id).where(condition).distinct().order_by(url).limit(limit + 1)
    if database.is_postgresql:
        # DISTINCT sorts by what it selects.
        page = select(url).where(condition).distinct().order_by(url).limit(limit + 1)
    with database.reading() as connection:
        urls = list(connection.scalars(page))
        wanted = condition & database.among(ORIGINS.id, urls[:limit])
        rows = _newest(read_rows(connection, OriginMetadataRow, wanted)) if urls else []
    return ProducerPage(rows, urls[limit - 1] if len(urls) > limit else None)


def statistics(store: SoftwareStore, mappings: Iterable[str]) -> OriginCounts:
    """Count the origins: all, those with more than a context, and those of each of the mappings.

    A mapping counts wherever its metadata comes from: files of the origin, or authorities.
    """
    database = store.database

    def with_mapping(table: Table, name: str) -> Select[tuple[str]]:
        has = table.c.metadata.is_not(None) & _has_mapping(database, table, name)
        return select(table.c.id).where(has).distinct()

    with database.reading() as connection:

        def count(*queries: Select[tuple[str]]) -> int:
            found = union(*queries).subquery()
            return connection.scalar(select(func.count()).select_from(found)) or 0

        ids = select(ORIGINS.id).distinct()
        tables = (origin_intrinsic_metadata, origin_extrinsic_metadata)
        return OriginCounts(
            count(ids),
            count(ids.where(ORIGINS.metadata.is_not(None))),
            {name: count(*(with_mapping(each, name) for each in tables)) for name in mappings},
        )


def origins(store: SoftwareStore, urls: Sequence[str]) -> list[OriginMetadata]:
    """Return what is stored of each of these origins, without those of which nothing is.

    The intrinsic row is ours, or that of the existing system if there is no other.
    """
    rows = store.get(OriginMetadataRow, urls)
    records = store.records({row.indexer_configuration_id for row in rows})
    existing = {
        row.id: row for row in rows if records[row.indexer_configuration_id].tool_name == EXISTING
    }
    ours = {row.id: row for row in _newest(row for row in rows if row != existing.get(row.id))}
    extrinsic: dict[str, dict[tuple[str, str], ExtrinsicMetadataRow]] = {}
    for each in store.get(ExtrinsicMetadataRow, urls):
        extrinsic.setdefault(each.id, {})[each.authority, each.format] = each
    intrinsic = existing | ours
    return [
        OriginMetadata(
            url, intrinsic.get(url), tuple(extrinsic.get(url, {}).values()), existing.get(url)
        )
        for url in dict.fromkeys(urls)
        if url in intrinsic or url in extrinsic
    ]


def all_urls(store: SoftwareStore, after: str = "", limit: int = PORTION) -> list[str]:
    """Return the next URLs of origins of which anything is stored, in their order."""
    database = store.database
    found: set[str] = set()
    with database.reading() as connection:
        for table in (origin_intrinsic_metadata, origin_extrinsic_metadata):
            url = _in_bytes(database, table.c.id)
            found.update(
                connection.scalars(
                    select(url).where(url > after).distinct().order_by(url).limit(limit)
                )
            )
    return sorted(found)[:limit]


def _newest(rows: Iterable[OriginMetadataRow]) -> list[OriginMetadataRow]:
    """One row of each origin: that of the newest record, which has the highest number."""
    found = sorted(rows, key=lambda row: (row.id, row.indexer_configuration_id))
    return [*{row.id: row for row in found}.values()]


def _in_bytes(database: Database, url: ColumnElement[str]) -> ColumnElement[str]:
    """A URL whose order is that of its bytes, as SQLite and Python have it."""
    return url.collate("C") if database.is_postgresql else url


def _has_mapping(database: Database, table: Table, name: str) -> ColumnElement[bool]:
    """The condition that the list of mappings has a name."""
    mappings = table.c.mappings
    if database.is_postgresql:
        return cast(mappings, JSONB).contains([name])
    listed = func.json_each(mappings).table_valued("value")
    return select(1).select_from(listed).where(listed.c.value == name).exists()
