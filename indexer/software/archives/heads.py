"""The head of an origin: the branch of its latest snapshot that stands for the project.

    visit → branch by its name, of ftp by its version → aliases → release → revision → directory

Rules and order are those of spec 3. A result says which rule has chosen it, or why there is none.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from indexer.software.archives.source_archive import (
    ObjectKind,
    ObjectRef,
    OriginVisit,
    SourceArchive,
)
from indexer.software.archives.versions import UNKNOWN_VERSION, version_of

NAMES = ("HEAD", "main", "master", "trunk", "default")
"""The names of main branches, in the order in which they are tried."""

PREFIX = "refs/heads/"

MAX_STEPS = 100
"""The most aliases, or releases of releases, that are followed."""

MOST_BRANCHES = 1_000_000
"""The most names that are looked at for the only branch."""

FTP = "ftp"


@dataclass(frozen=True, slots=True)
class HeadBranch:
    """The chosen branch. `ref` is None if there is no head; then `reason` says why."""

    reason: str
    branch: str = ""
    ref: ObjectRef | None = None


@dataclass(frozen=True, slots=True)
class OriginHead:
    """The head of an origin: its SWHID, its branch, its root directory, and why it was chosen.

    `directory` is "" if there is no head; then `reason` says why. `is_lost`: the archive lacks an
    object, so that nothing is known about the head.
    """

    reason: str
    branch: str = ""
    swhid: str = ""
    directory: str = ""
    is_lost: bool = False


def head_of(archive: SourceArchive, origin: str) -> OriginHead:
    """Return the head of an origin, down to its root directory. Raises InputError."""
    visit = archive.visit(origin)
    if visit is None:
        return OriginHead("no full visit with a snapshot", is_lost=True)
    found = choose_branch(visit)
    if found.ref is None:
        return OriginHead(found.reason, found.branch)
    return _peeled(archive, found, found.ref)


def choose_branch(visit: OriginVisit) -> HeadBranch:
    """Return the head branch of a snapshot, aliases followed, and the rule that chose it."""
    branches = visit.branches
    if not branches:
        return HeadBranch("an empty snapshot")
    if visit.type == FTP:
        return _newest(branches)
    lost = HeadBranch("no main branch")
    for name, reason in _candidates(branches):
        found = _followed(branches, name, reason)
        if found.ref is not None:
            return found
        lost = found if not lost.branch else lost
    return lost


def _newest(branches: Mapping[str, ObjectRef | None]) -> HeadBranch:
    # Names decide between equal versions, so that the order of branches doesn't count.
    for name in sorted(branches, key=lambda each: (version_of(each), each), reverse=True):
        is_known = version_of(name) != UNKNOWN_VERSION
        reason = "greatest version" if is_known else "no version: last name"
        found = _followed(branches, name, reason)
        if found.ref is not None:
            return found
    return HeadBranch("no branch of the snapshot leads to an object")


def _candidates(branches: Mapping[str, ObjectRef | None]) -> Iterator[tuple[str, str]]:
    for name in NAMES:
        for full in (name, PREFIX + name):
            if full in branches:
                yield full, f"branch {full}"
    # Tags, pull requests and notes are no branches, as long as there are branches.
    own = [name for name in islice(branches, MOST_BRANCHES) if name.startswith(PREFIX)]
    if len(only := own or [name for name in islice(branches, 3) if name != "HEAD"]) == 1:
        yield only[0], "only branch"


def _followed(branches: Mapping[str, ObjectRef | None], name: str, reason: str) -> HeadBranch:
    """The branch that a name leads to through its aliases."""
    seen = {name}
    target = branches[name]
    at = name
    while target is not None and target.kind is ObjectKind.ALIAS:
        at = target.id
        if at in seen or len(seen) > MAX_STEPS:
            return HeadBranch(f"{reason}: its aliases lead in a circle", name)
        seen.add(at)
        if at not in branches:
            return HeadBranch(f"{reason}: an alias of {at}, which does not exist", name)
        target = branches[at]
    if target is None:
        return HeadBranch(f"{reason}: it leads nowhere", name)
    if target.kind in (ObjectKind.CONTENT, ObjectKind.SNAPSHOT):
        return HeadBranch(f"{reason}: it is a {target.kind.name.lower()}", name)
    return HeadBranch(reason if at == name else f"{reason}, an alias of {at}", name, target)


def _peeled(archive: SourceArchive, found: HeadBranch, ref: ObjectRef) -> OriginHead:
    head = OriginHead(found.reason, found.branch, ref.swhid)
    for _ in range(MAX_STEPS):
        if ref.kind is ObjectKind.DIRECTORY:
            return replace(head, directory=ref.id)
        if ref.kind not in (ObjectKind.REVISION, ObjectKind.RELEASE):
            return replace(head, reason=f"the head leads to a {ref.kind.name.lower()}")
        below = archive.peel(ref)
        if below is None:
            return replace(head, reason=f"the archive lacks {ref.swhid}", is_lost=True)
        ref = below
    return replace(head, reason="a release of too many releases")
