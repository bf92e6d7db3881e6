"""Compares the interior of a bundle with the manifest of its dataset (filesets.md 5.3).

Names differ by platform and version: folders are left out, characters replaced, equal names get
numbers. So a file is looked for by its path and the announced hashes, then by the hashes alone.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, Final

from indexer.errors import FilesetError
from indexer.filesets.bundles.entries import MISMATCH
from indexer.filesets.bundles.interior import MANIFEST_TEXT, BundleMember, interior
from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.strategies.file_types import HEAD_BYTES, file_type
from indexer.filesets.strategies.verifying import fill, mismatch

_SHOWN = 5
_APPLE = re.compile(r"(?:.*/)?(?:\._[^/]*|\.DS_Store)|__MACOSX/.*")
_INCLUDED = re.compile(r".*\([^()]*\) *\d+ bytes\.?", re.DOTALL)
_LEFT_OUT: Final = re.compile(r"skipped|cannot|could not|restricted|unable|not included", re.I)

_Key = Callable[[str], str]


def check_bundle(
    item: FilesetPlatformItem,
    files: Sequence[FilesetManifestFile],
    bundle: FilesetManifestFile,
    content: BinaryIO,
    limits: BundleLimits,
) -> None:
    """Compare the files of a dataset with what is in its bundle, and fill in what is unknown.

    Raises FilesetError (`bundle-mismatch`, `bundle-unsafe`); files have a status then, too.
    """
    members = [*interior(content, limits)]
    left = _paired(files, members)
    missing = [file for file in files if not file.status]
    wrong = [file for file in files if file.status not in (None, "verified-local")]
    for file in missing:
        file.status = MISMATCH
    others = [each.path for each in left if not _is_ignored(each.path)]
    omitted = [*_omitted(members, [file.path for file in item.restricted])]
    parts = (
        ("left out, by its own list", omitted),
        ("missing", [file.path for file in missing]),
        ("other bytes", [f"{file.path} ({file.status})" for file in wrong]),
        ("not announced", others),
    )
    if told := [f"{what}: {_listed(names)}" for what, names in parts if names]:
        raise FilesetError(MISMATCH, "; ".join(told))
    _tell_collisions(files)
    for file in files:
        file.terminal_url, file.terminal_dt = bundle.terminal_url, bundle.terminal_dt
    bundle.add_extra(
        unpacked_size=sum(each.size for each in members), other_files=[each.path for each in left]
    )


def _paired(
    files: Sequence[FilesetManifestFile], members: Sequence[BundleMember]
) -> list[BundleMember]:
    """Give each file its member, and a status. Returns the members that are left.

    A member with the path of a file and other bytes is only taken if no other one has its bytes.
    """
    left = dict(enumerate(members))
    for key in (str, _composed):
        _pair_by_name(files, left, key, is_strict=True)
    _pair_by_hash(files, left)
    _pair_by_name(files, left, _composed, is_strict=False)
    return [*left.values()]


def _pair_by_name(
    files: Iterable[FilesetManifestFile],
    left: dict[int, BundleMember],
    key: _Key,
    *,
    is_strict: bool,
) -> None:
    places = _places(left, key)
    for file in files:
        at = places.get(key(file.path))
        if file.status or at is None or at not in left:
            continue
        if not (is_strict and _wrong(file, left[at])):
            _take(file, left.pop(at))


def _places(left: dict[int, BundleMember], key: _Key) -> dict[str, int]:
    """The members by all their names; the first name of a member counts most."""
    found: dict[str, int] = {}
    for rank in range(4):
        for at, member in left.items():
            if rank < len(member.names):
                found.setdefault(key(member.names[rank]), at)
    return found


def _pair_by_hash(files: Iterable[FilesetManifestFile], left: dict[int, BundleMember]) -> None:
    places: dict[tuple[str, str], list[int]] = {}
    for at, member in reversed(left.items()):
        for each in member.hashes.items():
            places.setdefault(each, []).append(at)
    for file in files:
        hashes = iter(file.hashes.items())
        same = [] if file.status else places.get(next(hashes, ("", "")), [])
        while same and not file.status:
            at = same.pop()
            if at in left and not _wrong(file, left[at]):
                _take(file, left.pop(at))


def _take(file: FilesetManifestFile, member: BundleMember) -> None:
    if wrong := _wrong(file, member):
        file.status = wrong.status
        return
    fill(file, member.size, member.hashes)
    file.mimetype = file_type(member.head[:HEAD_BYTES], file.path, file.mimetype or "")
    file.add_extra(
        crc32=f"{member.crc:08x}", bundle_path=member.path if member.path != file.path else ""
    )
    file.status = "verified-local"


def _wrong(file: FilesetManifestFile, member: BundleMember) -> FilesetError | None:
    return mismatch(file, member.size, member.hashes)


def _composed(path: str) -> str:
    return unicodedata.normalize("NFC", path)


def _folded(path: str) -> str:
    """What is the same for paths that replace each other where case or composition don't count."""
    return _composed(_composed(path).casefold())


def _is_ignored(path: str) -> bool:
    """Whether a file was added by the program that made the bundle."""
    return path == MANIFEST_TEXT or _APPLE.fullmatch(path) is not None


def _omitted(members: Sequence[BundleMember], restricted: Sequence[str]) -> Iterator[str]:
    """The lines in Dataverse's list of files that it did not send, but for restricted ones."""
    names = tuple(f"{name} " for path in restricted for name in (path, path.rpartition("/")[2]))
    for member in members:
        text = member.head.decode(errors="replace") if member.path == MANIFEST_TEXT else ""
        for line in text.splitlines():
            is_said = _LEFT_OUT.search(line) and not _INCLUDED.fullmatch(line.strip())
            if is_said and not line.startswith(names):
                yield line.strip()


def _tell_collisions(files: Sequence[FilesetManifestFile]) -> None:
    """Note at files which ones replace each other where case or Unicode forms don't count."""
    groups: dict[str, list[str]] = {}
    for file in files:
        groups.setdefault(_folded(file.path), []).append(file.path)
    for file in files:
        same = groups[_folded(file.path)]
        file.add_extra(collides_with=[path for path in same if path != file.path][:_SHOWN])


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
