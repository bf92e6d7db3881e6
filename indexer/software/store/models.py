"""The tables of software metadata (spec 8); `migrations` creates them."""

from types import MappingProxyType
from typing import Any

from sqlalchemy import JSON, Boolean, Column, DateTime, Integer, MetaData, String, Table
from sqlalchemy.dialects.postgresql import JSONB

from indexer.software.store.rows import (
    ContentMetadataRow,
    DirectoryMetadataRow,
    ExtrinsicMetadataRow,
    OriginMetadataRow,
)

metadata = MetaData()

# None is SQL's NULL, not the `null` of JSON.
_JSON = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


def _key(name: str) -> Column[str]:
    return Column(name, String, primary_key=True)


def _made() -> list[Column[Any]]:
    """What all rows have: the record of the program, and a document."""
    return [
        Column("indexer_configuration_id", Integer, primary_key=True),
        Column("metadata", _JSON),
    ]


def _lists(*names: str) -> list[Column[Any]]:
    return [Column(name, _JSON, nullable=False) for name in names]


def _translation() -> Column[Any]:
    return Column("translation", _JSON)


indexer_configuration = Table(
    "indexer_configuration",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tool_name", String, nullable=False),
    Column("tool_version", String, nullable=False),
    Column("tool_configuration", _JSON, nullable=False),
)

content_metadata = Table("content_metadata", metadata, _key("id"), *_made(), _translation())

directory_intrinsic_metadata = Table(
    "directory_intrinsic_metadata",
    metadata,
    _key("id"),
    *_made(),
    *_lists("mappings", "manifests", "conflicts"),
)

origin_intrinsic_metadata = Table(
    "origin_intrinsic_metadata",
    metadata,
    _key("id"),
    *_made(),
    *_lists("mappings"),
    Column("from_directory", String),
    Column("head", String),
    Column("head_branch", String),
    Column("head_reason", String),
    Column("tombstone", DateTime),
)

origin_extrinsic_metadata = Table(
    "origin_extrinsic_metadata",
    metadata,
    _key("id"),
    _key("authority"),
    _key("format"),
    *_made(),
    *_lists("mappings"),
    Column("from_remd_id", String),
    Column("date", String),
    _translation(),
    Column("trusted", Boolean, nullable=False),
)

TABLES = MappingProxyType(
    {
        ContentMetadataRow: content_metadata,
        DirectoryMetadataRow: directory_intrinsic_metadata,
        OriginMetadataRow: origin_intrinsic_metadata,
        ExtrinsicMetadataRow: origin_extrinsic_metadata,
    }
)
"""The table of each kind of rows, in the order in which tables are written."""
