"""Rows in memory, which count what is written."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from indexer.software.indexing.rows import (
    Changes,
    ContentKey,
    ContentRow,
    DirectoryRow,
    ExtrinsicKey,
    ExtrinsicRow,
    OriginRow,
)


@dataclass
class MemoryRows:
    """See `SoftwareRows`. `written` counts rows by table, `writes` has the changes in order."""

    stored_contents: dict[ContentKey, ContentRow] = field(default_factory=dict)
    stored_directories: dict[str, DirectoryRow] = field(default_factory=dict)
    stored_origins: dict[str, OriginRow] = field(default_factory=dict)
    stored_extrinsic: dict[ExtrinsicKey, ExtrinsicRow] = field(default_factory=dict)
    written: Counter[str] = field(default_factory=Counter)
    writes: list[Changes] = field(default_factory=list)

    def contents(self, keys: Collection[ContentKey]) -> Mapping[ContentKey, ContentRow]:
        return {key: row for key in keys if (row := self.stored_contents.get(key))}

    def directories(self, ids: Collection[str]) -> Mapping[str, DirectoryRow]:
        return {id: row for id in ids if (row := self.stored_directories.get(id))}

    def origins(self, urls: Collection[str]) -> Mapping[str, OriginRow]:
        return {url: row for url in urls if (row := self.stored_origins.get(url))}

    def extrinsic(self, keys: Collection[ExtrinsicKey]) -> Mapping[ExtrinsicKey, ExtrinsicRow]:
        return {key: row for key in keys if (row := self.stored_extrinsic.get(key))}

    def write(self, changes: Changes) -> None:
        self.stored_contents.update({row.key: row for row in changes.contents})
        self.stored_directories.update({row.id: row for row in changes.directories})
        self.stored_origins.update({row.url: row for row in changes.origins})
        self.stored_extrinsic.update({row.key: row for row in changes.extrinsic})
        self.written.update({name: count for name, count in changes.counts.items() if count})
        self.writes.append(changes)
