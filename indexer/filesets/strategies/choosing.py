"""The limits of a dataset, and the strategy by which it is archived (filesets.md 4.6).

no files → empty-manifest     size > max_total_size → too-large-size     files > max_file_count
→ too-many-files     archive.org's own item, or a threshold exceeded → archiveorg     else → web
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from indexer.errors import FilesetError
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.strategies.options import LimitOptions

ARCHIVEORG: Final = "archiveorg"
TOO_MUCH_SPN: Final = "too-much-spn"

MANIFEST_KEPT: Final = 10_000
"""The most files of a manifest that is kept whole although it has too many."""

MANIFEST_CUT: Final = 200
"""The files that are kept of a manifest with more."""


class StrategyName(StrEnum):
    """The six strategies: the storage, the entity, and whether one bundle holds all files."""

    WEB_FILE = "web-file"
    WEB_FILESET = "web-fileset"
    WEB_BUNDLED = "web-fileset-bundled"
    ARCHIVEORG_FILE = "archiveorg-file"
    ARCHIVEORG_FILESET = "archiveorg-fileset"
    ARCHIVEORG_BUNDLED = "archiveorg-fileset-bundled"

    @property
    def is_file(self) -> bool:
        """Whether the dataset is one file, which the catalogue holds as a file."""
        return self.endswith("-file")

    @property
    def is_bundled(self) -> bool:
        """Whether one bundle of the platform holds all files."""
        return self.endswith("-bundled")

    def stored(self, *, bundled: bool) -> "StrategyName":
        """The strategy of the same storage for a dataset that is in a bundle, or is not."""
        if bundled == self.is_bundled:
            return self
        storage = self.partition("-")[0]
        return StrategyName(f"{storage}-fileset{'-bundled' if bundled else ''}")

    @property
    def is_archiveorg(self) -> bool:
        """Whether the files are stored in an item."""
        return self.startswith(ARCHIVEORG)


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    """A strategy, and the reason in words."""

    name: StrategyName
    reason: str


def check_limits(item: FilesetPlatformItem, limits: LimitOptions) -> None:
    """Raise FilesetError for a dataset without files, with too many bytes or too many files."""
    count, size = len(item.files), item.total_size
    if not count:
        raise FilesetError("empty-manifest", "the platform names no files")
    if size > limits.max_total_size:
        raise FilesetError("too-large-size", f"{size:,} bytes, {limits.max_total_size:,} allowed")
    is_lifted = limits.bundles != "needed" and count <= MANIFEST_KEPT
    if count > limits.max_file_count and not (is_lifted and bundle_reason(item, limits)):
        raise FilesetError("too-many-files", f"{count:,} files, {limits.max_file_count:,} allowed")


def kept_manifest(manifest: list[FilesetManifestFile]) -> list[FilesetManifestFile]:
    """The files that the result of a dataset with too many files names."""
    return manifest if len(manifest) <= MANIFEST_KEPT else manifest[:MANIFEST_CUT]


def choose(item: FilesetPlatformItem, limits: LimitOptions, *, web: bool) -> StrategyChoice:
    """The strategy of a dataset within the limits. `web`: whether captures can be stored."""
    count, size = len(item.files), item.total_size
    if bundle := bundle_reason(item, limits):
        # A bundle is one file, to the web side.
        reason = next(_reasons(item, limits, [size], web=web), "")
        name = StrategyName.ARCHIVEORG_BUNDLED if reason else StrategyName.WEB_BUNDLED
        return StrategyChoice(name, f"{bundle}; {reason or 'small enough for a capture'}")
    reason = next(_reasons(item, limits, [file.size or 0 for file in item.files], web=web), "")
    is_file = count + len(item.restricted) == 1
    if reason:
        return StrategyChoice(
            StrategyName.ARCHIVEORG_FILE if is_file else StrategyName.ARCHIVEORG_FILESET, reason
        )
    return StrategyChoice(
        StrategyName.WEB_FILE if is_file else StrategyName.WEB_FILESET,
        f"{_counted(count)} with {size:,} bytes: small enough for a capture",
    )


def in_item(choice: StrategyChoice, reason: str) -> StrategyChoice:
    """The choice of an item in place of a capture."""
    entity = choice.name.partition("-")[2]
    return StrategyChoice(StrategyName(f"{ARCHIVEORG}-{entity}"), reason)


def bundle_reason(item: FilesetPlatformItem, limits: LimitOptions) -> str:
    """Why the platform's bundle is taken; "" if it has none, or its files are taken."""
    files = item.files
    if not item.web_bundle_url or item.platform_name == ARCHIVEORG:
        return ""
    if without := sum(not _has_url(file) for file in files):
        return f"{_counted(without)} without a URL, so all are taken from the platform's bundle"
    if limits.bundles == "needed" or not all(file.hashes for file in files):
        return ""
    if len(files) > limits.max_file_count:
        return f"{len(files):,} files, more than {limits.max_file_count:,}: taken in one bundle"
    is_preferred = limits.bundles == "prefer" and len(files) > 1
    return "the platform's bundle is preferred" if is_preferred else ""


def _has_url(file: FilesetManifestFile) -> bool:
    return bool(file.platform_url or (file.extra or {}).get("fallback_url"))


def _reasons(
    item: FilesetPlatformItem, limits: LimitOptions, sizes: list[int], *, web: bool
) -> Iterator[str]:
    """Why the files go into an item, the most important reason first."""
    if item.platform_name == ARCHIVEORG:
        yield "the dataset is an archive.org item"
    if not web:
        yield "no web archive is configured for captures"
    facts = (
        (len(sizes), limits.web_max_files, "files"),
        (sum(sizes), limits.web_max_total_size, "bytes in all"),
        (max(sizes, default=0), limits.web_max_file_size, "bytes in one file"),
    )
    for found, most, unit in facts:
        if found > most:
            yield f"{found:,} {unit}, more than {most:,}"


def _counted(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"
