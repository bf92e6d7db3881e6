"""Limits and the strategy: equality is within a limit, one more is not (filesets.md 4.6)."""

import pytest

from indexer.errors import FilesetError
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.strategies.choosing import check_limits, choose, kept_manifest
from indexer.filesets.strategies.options import GIB, MIB, LimitOptions
from tests.each_row import each_row

LIMITS = LimitOptions.of({})


def item(*sizes: int | None, platform: str = "zenodo") -> FilesetPlatformItem:
    files = [FilesetManifestFile(path=f"{at}", size=size) for at, size in enumerate(sizes)]
    return FilesetPlatformItem(platform_name=platform, platform_status="success", manifest=files)


@each_row(
    ("dataset", "status"),
    [
        (item(), "empty-manifest"),
        (FilesetPlatformItem(platform_name="x", platform_status="success"), "empty-manifest"),
        (item(64 * GIB), ""),
        (item(64 * GIB, 1), "too-large-size"),
        (item(*[None] * 200), ""),
        (item(*[1] * 201), "too-many-files"),
        (item(*[GIB] * 201), "too-large-size"),
    ],
)
def test_limits(dataset: FilesetPlatformItem, status: str) -> None:
    if not status:
        check_limits(dataset, LIMITS)
        return
    with pytest.raises(FilesetError) as caught:
        check_limits(dataset, LIMITS)
    assert caught.value.status == status


@each_row(
    ("dataset", "web", "name", "reason"),
    [
        (item(1), True, "web-file", "1 file with 1 bytes"),
        (item(0), True, "web-file", ""),
        (item(None, None), True, "web-fileset", ""),
        (item(*[1] * 20), True, "web-fileset", "20 files with 20 bytes"),
        (item(*[1] * 21), True, "archiveorg-fileset", "21 files, more than 20"),
        (item(128 * MIB), True, "web-file", ""),
        (item(128 * MIB + 1), True, "archiveorg-file", "134,217,729 bytes in one file"),
        (item(*[128 * MIB] * 8), True, "web-fileset", ""),
        (item(*[128 * MIB] * 8, 1), True, "archiveorg-fileset", "bytes in all"),
        (item(1, platform="archiveorg"), True, "archiveorg-file", "an archive.org item"),
        (item(1), False, "archiveorg-file", "no web archive"),
        (item(1, 1), False, "archiveorg-fileset", "no web archive"),
    ],
)
def test_the_strategy_and_its_reason(
    dataset: FilesetPlatformItem, web: bool, name: str, reason: str
) -> None:
    choice = choose(dataset, LIMITS, web=web)
    assert choice.name == name
    assert reason in choice.reason


def offered(
    *sizes: int, url: str = "https://x/1", md5: str | None = "0" * 32
) -> FilesetPlatformItem:
    """A dataset of a platform that offers a bundle, with these URLs and hashes of its files."""
    found = item(*sizes)
    found.web_bundle_url = "https://x/zip"
    for file in found.files:
        file.platform_url, file.md5 = url or None, md5
    return found


@each_row(
    ("dataset", "policy", "name", "reason"),
    [
        (offered(1, 1), "needed", "web-fileset", "small enough"),
        (offered(1, 1, url=""), "needed", "web-fileset-bundled", "2 files without a URL"),
        (offered(1, url="", md5=None), "needed", "web-fileset-bundled", "1 file without a URL"),
        (offered(*[1] * 21, url=""), "needed", "web-fileset-bundled", "small enough"),
        (offered(*[MIB] * 129, url=""), "needed", "archiveorg-fileset-bundled", "in one file"),
        (item(1, 1), "prefer", "web-fileset", ""),
        (item(1, 1, platform="archiveorg"), "prefer", "archiveorg-fileset", ""),
        (offered(1, 1), "many", "web-fileset", ""),
        (offered(1, 1), "prefer", "web-fileset-bundled", "preferred"),
        (offered(1, 1, md5=None), "prefer", "web-fileset", ""),
        (offered(1), "prefer", "web-file", ""),
        (offered(*[1] * 201), "many", "web-fileset-bundled", "201 files, more than 200"),
        (offered(*[1] * 201), "prefer", "web-fileset-bundled", "201 files, more than 200"),
    ],
)
def test_bundles_are_taken_if_needed_or_by_policy(
    dataset: FilesetPlatformItem, policy: str, name: str, reason: str
) -> None:
    limits = LimitOptions.of({"FILESETS_BUNDLES": policy})
    check_limits(dataset, limits)
    choice = choose(dataset, limits, web=True)
    assert choice.name == name
    assert reason in choice.reason


@each_row(
    ("dataset", "policy"),
    [
        (offered(*[1] * 201), "needed"),
        (offered(*[1] * 201, url=""), "needed"),
        (offered(*[1] * 201, md5=None), "many"),
        (offered(*[1] * 10_001), "prefer"),
        (item(*[1] * 201), "prefer"),
    ],
)
def test_too_many_files_stay_too_many(dataset: FilesetPlatformItem, policy: str) -> None:
    with pytest.raises(FilesetError, match="too-many-files"):
        check_limits(dataset, LimitOptions.of({"FILESETS_BUNDLES": policy}))


def test_thresholds_are_options() -> None:
    limits = LimitOptions.of({"FILESETS_MAX_FILE_COUNT": "300", "FILESETS_WEB_MAX_FILES": "1"})
    check_limits(item(*[1] * 300), limits)
    assert choose(item(1, 1), limits, web=True).name == "archiveorg-fileset"


@each_row(("count", "kept"), [(200, 200), (201, 201), (10_000, 10_000), (10_001, 200)])
def test_the_manifest_of_too_many_files_is_cut(count: int, kept: int) -> None:
    assert len(kept_manifest([FilesetManifestFile(path="a")] * count)) == kept
