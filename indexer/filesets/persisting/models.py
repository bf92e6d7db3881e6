"""The tables of filesets (filesets.md 9); `migrations` creates them.

Names, types and meanings are those of the existing system, whose database may be used.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Integer,
    MetaData,
    String,
    Table,
    func,
)
from sqlalchemy.dialects.postgresql import JSONB

metadata = MetaData()

# None is SQL's NULL, not the `null` of JSON.
_JSON = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
_TIME = DateTime(timezone=True)

ingest_request = Table(
    "ingest_request",
    metadata,
    Column("link_source", String, primary_key=True),
    Column("link_source_id", String, primary_key=True),
    Column("ingest_type", String, primary_key=True),
    Column("base_url", String, primary_key=True),
    Column("created", _TIME, nullable=False, server_default=func.now()),
    Column("release_stage", String),
    Column("ingest_request_source", String),
    Column("request", _JSON),  # what else the request says: ext_ids, edit_extra, rel…
)

ingest_file_result = Table(
    "ingest_file_result",
    metadata,
    Column("ingest_type", String, primary_key=True),
    Column("base_url", String, primary_key=True),
    Column("updated", _TIME, nullable=False, server_default=func.now()),
    Column("hit", Boolean, nullable=False),
    Column("status", String),
    # The landing page; of a `dataset-file`, the file.
    Column("terminal_url", String),
    Column("terminal_dt", String),
    Column("terminal_status_code", Integer),
    Column("terminal_sha1hex", String),
)

ingest_fileset_platform = Table(
    "ingest_fileset_platform",
    metadata,
    Column("ingest_type", String, primary_key=True),
    Column("base_url", String, primary_key=True),
    Column("updated", _TIME, nullable=False, server_default=func.now()),
    Column("hit", Boolean, nullable=False),
    Column("status", String),
    Column("platform_name", String, nullable=False),
    Column("platform_domain", String, nullable=False),
    Column("platform_id", String, nullable=False),
    Column("ingest_strategy", String),
    Column("total_size", BigInteger),
    Column("file_count", BigInteger),
    Column("archiveorg_item_name", String),
    Column("archiveorg_item_bundle_path", String),
    Column("web_bundle_url", String),
    Column("web_bundle_dt", String),
    Column("manifest", _JSON),  # a list of FilesetManifestFile
)

cdx = Table(
    "cdx",
    metadata,
    Column("url", String, primary_key=True),
    Column("datetime", String, primary_key=True),
    Column("sha1hex", String, nullable=False),  # of the body
    Column("cdx_sha1hex", String),  # that of the index, if it differs
    Column("mimetype", String),
    Column("warc_path", String),
    Column("warc_csize", BigInteger),
    Column("warc_offset", BigInteger),
    Column("row_created", _TIME, nullable=False, server_default=func.now()),
)

file_meta = Table(
    "file_meta",
    metadata,
    Column("sha1hex", String, primary_key=True),
    Column("sha256hex", String),
    Column("md5hex", String),
    Column("size_bytes", BigInteger),
    Column("mimetype", String),
)
