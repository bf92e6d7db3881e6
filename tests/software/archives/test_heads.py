"""Heads: the branch of a snapshot that stands for the project, and the reason (spec 3)."""

import pytest

from indexer.software.archives.heads import OriginHead, choose_branch, head_of
from indexer.software.archives.source_archive import ObjectRef, OriginVisit
from tests.software.archives.in_memory import MemoryArchive, number, ref

URL = "https://example.org/project"
A, B, C = ref("rev", "a"), ref("rev", "b"), ref("rel", "c")
LOOP = ref("alias", "HEAD")
MASTER = "refs/heads/master"
TO_MASTER = ref("alias", MASTER)
FOLLOWED = f"branch HEAD, an alias of {MASTER}"
LOST = f"branch HEAD: an alias of {MASTER}, which does not exist"
CIRCLE = "branch HEAD: its aliases lead in a circle"

BRANCHES: list[tuple[str, dict[str, ObjectRef | None], str, str, ObjectRef | None]] = [
    ("git", {"HEAD": A, "refs/heads/master": B}, "HEAD", "branch HEAD", A),
    ("git", {"HEAD": TO_MASTER, MASTER: B}, "HEAD", FOLLOWED, B),
    ("pypi", {"HEAD": ref("alias", "releases/1"), "releases/1": C}, "HEAD", "", C),
    ("svn", {"master": A}, "master", "branch master", A),
    ("deposit", {"master": ref("dir", "d")}, "master", "branch master", ref("dir", "d")),
    ("git", {"refs/heads/main": A, "refs/heads/master": B}, "refs/heads/main", "", A),
    ("git", {"main": A, "refs/heads/main": B}, "main", "", A),
    ("git", {"refs/heads/master": A, "refs/heads/trunk": B}, "refs/heads/master", "", A),
    ("git", {"trunk": A, "default": B}, "trunk", "branch trunk", A),
    ("hg", {"default": A, "stable": B}, "default", "branch default", A),
    ("git", {"refs/heads/devel": A}, "refs/heads/devel", "only branch", A),
    ("git", {"refs/heads/devel": A, "refs/tags/v1": B}, "refs/heads/devel", "only branch", A),
    ("bzr", {"devel": A}, "devel", "only branch", A),
    # A branch that leads nowhere is no reason to have no head.
    ("git", {"HEAD": TO_MASTER, "refs/heads/main": A}, "refs/heads/main", "", A),
    ("git", {"HEAD": None, "refs/heads/devel": A}, "refs/heads/devel", "only branch", A),
    # None, and why.
    ("git", {}, "", "an empty snapshot", None),
    ("ftp", {}, "", "an empty snapshot", None),
    ("git", {"one": A, "two": B}, "", "no main branch", None),
    ("git", {"HEAD": None}, "HEAD", "branch HEAD: it leads nowhere", None),
    ("git", {"HEAD": LOOP}, "HEAD", CIRCLE, None),
    ("git", {"HEAD": TO_MASTER, MASTER: LOOP}, "HEAD", CIRCLE, None),
    ("git", {"HEAD": TO_MASTER}, "HEAD", LOST, None),
    ("git", {"HEAD": ref("cnt", "f")}, "HEAD", "branch HEAD: it is a content", None),
    # Archive files.
    ("ftp", {"p-1.9.tar.gz": A, "p-1.10.tar.gz": B}, "p-1.10.tar.gz", "greatest version", B),
    ("ftp", {"HEAD": A, "p-1.0.zip": B, "p-1.1-rc1.zip": C}, "p-1.1-rc1.zip", "", C),
    ("ftp", {"p-1.2+1.zip": A, "p-1.2.1.zip": B}, "p-1.2.1.zip", "greatest version", B),
    ("ftp", {"b.zip": A, "c.zip": None, "a.zip": B}, "b.zip", "no version: last name", A),
    ("ftp", {"p-1.zip": None}, "", "no branch of the snapshot leads to an object", None),
]


@pytest.mark.parametrize(("type", "branches", "branch", "reason", "target"), BRANCHES)
def test_the_branch_of_a_snapshot(
    type: str,
    branches: dict[str, ObjectRef | None],
    branch: str,
    reason: str,
    target: ObjectRef | None,
) -> None:
    found = choose_branch(OriginVisit(type, branches))
    assert (found.branch, found.ref) == (branch, target)
    assert reason in found.reason


def test_a_long_chain_of_aliases_ends() -> None:
    chain: dict[str, ObjectRef | None] = {f"b{n}": ref("alias", f"b{n + 1}") for n in range(5000)}
    found = choose_branch(OriginVisit("git", {"HEAD": ref("alias", "b0"), **chain}))
    assert found.ref is None


def test_a_branch_is_found_in_a_snapshot_of_any_size() -> None:
    many: dict[str, ObjectRef | None] = {f"refs/tags/{n}": A for n in range(20_000)}
    assert choose_branch(OriginVisit("git", {**many, "refs/heads/master": B})).ref == B


@pytest.mark.parametrize(
    "head", [ref("dir", "root"), ref("rev", "r"), ref("rel", "of-rev"), ref("rel", "of-dir")]
)
def test_releases_and_revisions_lead_to_a_directory(head: ObjectRef) -> None:
    archive = MemoryArchive(
        peeled={
            ref("rev", "r"): ref("dir", "root"),
            ref("rel", "of-rel"): ref("rel", "of-rev"),
            ref("rel", "of-rev"): ref("rev", "r"),
            ref("rel", "of-dir"): ref("dir", "root"),
        }
    )
    archive.add_origin(URL, head)
    assert head_of(archive, URL) == OriginHead("branch HEAD", "HEAD", head.swhid, number("root"))


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (ref("rev", "lost"), f"the archive lacks {ref('rev', 'lost').swhid}"),
        (ref("rel", "of-file"), "the head leads to a content"),
        (ref("rel", "itself"), "a release of too many releases"),
    ],
)
def test_a_head_without_a_directory_has_a_reason(head: ObjectRef, reason: str) -> None:
    archive = MemoryArchive(
        peeled={
            ref("rel", "of-file"): ref("cnt", "f"),
            ref("rel", "itself"): ref("rel", "itself"),
        }
    )
    archive.add_origin(URL, head)
    is_lost = "lacks" in reason
    assert head_of(archive, URL) == OriginHead(reason, "HEAD", head.swhid, is_lost=is_lost)


def test_an_unknown_origin_has_no_head() -> None:
    assert head_of(MemoryArchive(), URL) == OriginHead(
        "no full visit with a snapshot", is_lost=True
    )
