"""The result of a request as JSON: field names and rules of the seed and of filesets.md 6."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from indexer.filesets.landing.resource import Resource
from indexer.filesets.manifest import FilesetManifestFile, total_size
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.request import FILE_TYPE
from indexer.filesets.statuses import INTERNAL_ERROR, is_hit
from indexer.filesets.strategies.choosing import StrategyChoice, kept_manifest
from indexer.filesets.strategies.file_types import HEAD_BYTES, file_type
from indexer.filesets.strategies.strategy import ArchiveStrategyResult
from indexer.text.cleaning import one_line

MAX_MESSAGE: Final = 1600
"""The most characters of an `error_message` (filesets.md 3.4)."""

_FACTS = (
    *("platform_name", "platform_domain", "platform_id", "platform_base_url"),
    *("platform_version", "platform_concept_id", "web_base_url", "web_bundle_url"),
    "archiveorg_item_meta",
)

Values = dict[str, Any]


@dataclass
class Ingest:
    """What is known of a request so far; each step adds its part."""

    request: Mapping[str, Any]
    base_url: str = ""
    status: str = INTERNAL_ERROR
    message: str = ""
    resource: Resource | None = None
    html_biblio: Mapping[str, Any] = field(default_factory=dict)
    item: FilesetPlatformItem | None = None
    choice: StrategyChoice | None = None
    archived: ArchiveStrategyResult | None = None
    wait: float | None = None

    def fail(self, status: str, message: str, wait: float | None = None) -> "Ingest":
        """End with a status that is no success; `wait`: seconds, as a server has named them."""
        self.status, self.message, self.wait = status, message, wait
        return self

    @property
    def manifest(self) -> list[FilesetManifestFile] | None:
        """The files as they were archived, or as the platform told; None if nothing is known."""
        item = self.item
        if item is None or item.manifest is None:
            return None
        known = self.archived.manifest if self.archived else item.manifest
        return [*known, *item.restricted]


def fileset_result(ingest: Ingest) -> Values:
    """The result: what is known, without nulls."""
    hops = ingest.resource.hops if ingest.resource else [ingest.base_url]
    found: Values = {
        "hit": is_hit(ingest.status),
        "status": ingest.status,
        "request": dict(ingest.request),
        "hops": [hop for hop in hops if hop],
        "error_message": one_line(ingest.message, MAX_MESSAGE) or None,
        **_landing(ingest),
        **{name: getattr(ingest.item, name, None) for name in _FACTS},
        **_files(ingest),
    }
    if choice := ingest.choice:
        # What exists may be stored in another way than would be chosen.
        name = ingest.archived.ingest_strategy if ingest.archived else choice.name
        found["ingest_strategy"] = name.value
        found["strategy_reason"] = choice.reason
        if choice.name.is_archiveorg and ingest.item:
            found["archiveorg_item_name"] = ingest.item.archiveorg_item_name
    if (archived := ingest.archived) and archived.file_file_meta:
        found["fileset_file"] = _file(archived)
    if archived and archived.bundle_file_meta:
        found["fileset_bundle"] = _bundle(archived)
    return {name: value for name, value in found.items() if value is not None}


def dataset_file_result(ingest: Ingest) -> Values | None:
    """The result of the only file, for the programs that read results of files; None for others."""
    archived = ingest.archived
    if archived is None or not is_hit(ingest.status) or not archived.file_file_meta:
        return None
    return {
        "hit": True,
        "status": "success",
        "request": {**ingest.request, "ingest_type": FILE_TYPE},
        **_file(archived),
    }


def _landing(ingest: Ingest) -> Values:
    page = ingest.resource
    if page is None or not page.status:
        return {}
    sha1 = hashlib.sha1(page.body, usedforsecurity=False).hexdigest()
    found: Values = {
        "terminal": {
            "terminal_url": page.terminal_url,
            "terminal_dt": page.terminal_dt,
            "terminal_status_code": page.status,
            "terminal_sha1hex": sha1,
        },
        "html_biblio": ingest.html_biblio or None,
        "cdx": page.cdx,
        "revisit_cdx": page.revisit_cdx,
    }
    if page.body:
        found["file_meta"] = {
            "size_bytes": len(page.body),
            "md5hex": hashlib.md5(page.body, usedforsecurity=False).hexdigest(),
            "sha1hex": sha1,
            "sha256hex": hashlib.sha256(page.body).hexdigest(),
            "mimetype": file_type(page.body[:HEAD_BYTES], "", page.content_type),
        }
    return found


def _files(ingest: Ingest) -> Values:
    files = ingest.manifest
    if not files:
        return {}
    return {
        "manifest": [msgspec.to_builtins(file) for file in kept_manifest(files)],
        "file_count": len(files),
        "total_size": total_size(files),
    }


def _file(archived: ArchiveStrategyResult) -> Values:
    return _given(
        file_meta=archived.file_file_meta,
        terminal=archived.file_terminal,
        cdx=archived.file_cdx,
        revisit_cdx=archived.file_revisit_cdx,
    )


def _bundle(archived: ArchiveStrategyResult) -> Values:
    return _given(
        file_meta=archived.bundle_file_meta,
        terminal=archived.bundle_terminal,
        cdx=archived.bundle_cdx,
        revisit_cdx=archived.bundle_revisit_cdx,
        archiveorg_bundle_path=archived.bundle_archiveorg_path,
    )


def _given(**facts: Any) -> Values:
    return {name: value for name, value in facts.items() if value is not None}
