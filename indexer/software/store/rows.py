"""The rows of software metadata. Their fields are the columns of the tables (spec 8).

`metadata` is a CodeMeta document; None says that the object was read and states nothing.
`indexer_configuration_id` is the number of the program and the rules that made the row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

Metadata: TypeAlias = Mapping[str, Any]
"""A CodeMeta document."""


@dataclass(frozen=True, slots=True)
class ContentMetadataRow:
    """The metadata of one file; `id` is its SHA-1 in hexadecimal.

    A row without metadata keeps a file that states nothing from being translated again.
    `translation` has the source of each value, and the diagnostics.
    """

    id: str
    indexer_configuration_id: int
    metadata: Metadata | None = None
    translation: Metadata | None = None


@dataclass(frozen=True, slots=True)
class DirectoryMetadataRow:
    """The metadata of one directory; `id` is its SHA-1 of git in hexadecimal.

    `mappings` are the names of the formats of its files, also of those that state nothing.
    `manifests` are these files, and `conflicts` what they disagree about, as lists of JSON.
    """

    id: str
    indexer_configuration_id: int
    metadata: Metadata | None = None
    mappings: tuple[str, ...] = ()
    manifests: tuple[Any, ...] = ()
    conflicts: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class OriginMetadataRow:
    """The metadata of an origin's head directory; `id` is the URL of the origin.

    `head` is the SWHID of the head, `head_branch` its branch, `head_reason` the rule of the choice.
    `tombstone` is the time in UTC, without a zone, at which the head no longer had any metadata.
    """

    id: str
    indexer_configuration_id: int
    metadata: Metadata | None = None
    mappings: tuple[str, ...] = ()
    from_directory: str | None = None
    head: str | None = None
    head_branch: str | None = None
    head_reason: str | None = None
    tombstone: datetime | None = None


@dataclass(frozen=True, slots=True)
class ExtrinsicMetadataRow:
    """The metadata that an authority, such as a forge, states about an origin in some format.

    `from_remd_id` is the id of the raw metadata, `date` when it was fetched (ISO 8601). A row that
    is not `trusted` comes from a third party: it is kept, and not merged with the others.
    """

    id: str
    indexer_configuration_id: int
    authority: str
    format: str
    metadata: Metadata | None = None
    mappings: tuple[str, ...] = ()
    from_remd_id: str | None = None
    date: str | None = None
    translation: Metadata | None = None
    trusted: bool = True


MetadataRow: TypeAlias = (
    ContentMetadataRow | DirectoryMetadataRow | OriginMetadataRow | ExtrinsicMetadataRow
)
"""A row of one of the tables."""
