"""Versions in names of archive files: their order is total, whatever the names are."""

import itertools

import pytest

from indexer.software.archives.versions import UNKNOWN_VERSION, version_of

IN_ORDER = [
    "readme.txt",
    "proj-0.9.tar.gz",
    "proj-1.0-dev3.tar.gz",
    "proj-1.0-alpha1.zip",
    "proj-1.0-beta.tar.gz",
    "proj-1.0-pre2.tar.gz",
    "proj-1.0rc1.tar.bz2",
    "proj-1.0-rc2.tar.bz2",
    "proj-1.0.tar.gz",
    "proj-1.0+post1.tar.gz",
    "proj-1.0.1.tar.gz",
    "proj-1.2.tgz",
    "proj-1.2.1.tgz",
    "proj-1.9.tar.xz",
    "proj_1.10.tar.xz",
    "proj-v2.0.zip",
    "proj-2024.01.05.tar.gz",
    "proj-2024.10.1.tar.gz",
    "proj-20240105.99.tar.gz",
]


def test_later_versions_are_greater() -> None:
    backwards = IN_ORDER[::-1]
    assert sorted(backwards, key=version_of) == IN_ORDER


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("proj-1.2.tar.gz", "proj-v1.2.tar.gz"),
        ("proj-1.2.tar.gz", "proj-1.2-src.tar.gz"),
        ("proj-1.2.tar.gz", "proj_1.2.orig.tar.xz"),
        ("proj-1.2.tar.gz", "proj-1.2.0.zip"),
        ("proj-1.2.tar.gz", "pub/old/proj-1.2.tar.gz"),
    ],
)
def test_packing_does_not_change_a_version(one: str, other: str) -> None:
    assert version_of(one) == version_of(other)


@pytest.mark.parametrize("name", ["", "-", "README", "proj.tar.gz", f"a-{'9' * 5000}.zip", "v.zip"])
def test_a_name_without_a_version_is_below_all(name: str) -> None:
    assert version_of(name) == UNKNOWN_VERSION
    assert version_of(name) < version_of("a-0.zip")


def test_any_two_names_can_be_compared() -> None:
    suffixes = ["", "-rc", "-rc1", "+1", "-1", "+post", "-src", "-linux64", "-a-b-1", ".p3", "~7"]
    names = [f"x-1.{number}{suffix}.zip" for number in ("0", "2.3") for suffix in suffixes]
    for one, other in itertools.product(names, names):
        assert (version_of(one) < version_of(other)) + (version_of(other) < version_of(one)) <= 1
