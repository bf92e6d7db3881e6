"""Names in an item: hostile paths get safe names, and come back byte for byte."""

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.blobstore import checked_key
from indexer.filesets.paths import MAX_NAME, MAX_SEGMENT, escape, original, stored_names
from tests.each_row import each_row

ITEM = "zenodo.org-7"

HOSTILE = [
    ("data/raw file (1).csv", "data/raw file (1).csv"),
    ("größe/数据.csv", "größe/数据.csv"),
    ("../../etc/passwd", "%2E%2E/%2E%2E/etc/passwd"),
    ("/etc/passwd", "%2Fetc/passwd"),
    ("a//b/", "a/%2Fb%2F"),
    ("./a/./b", "%2E/a/%2E/b"),
    ("a/..", "a/%2E%2E"),
    ("...", "..."),
    (".hidden", ".hidden"),
    ("a\0b\n", "a%00b%0A"),
    ("\x7f\x85", "%7F%85"),
    ("100%25", "100%2525"),
    ("a\\..\\b", "a%5C..%5Cb"),
    ("\ud800", "%uD800"),
    ("\ufffe\uffff", "%uFFFE%uFFFF"),
    ("name", "name"),
    ("zenodo.org-7_meta.xml", "%7Aenodo.org-7_meta.xml"),
    ("Zenodo.org-7_FILES.XML", "%5Aenodo.org-7_FILES.XML"),
    ("zenodo.org-7_fileset.json", "%7Aenodo.org-7_fileset.json"),
    ("__ia_thumb.jpg", "%5F_ia_thumb.jpg"),
    ("history/files/a", "%68istory/files/a"),
    ("data/.aside-1", "data/%2Easide-1"),
]


@each_row(("path", "name"), HOSTILE)
def test_a_hostile_path_gets_a_safe_name_and_comes_back(path: str, name: str) -> None:
    assert escape(path, ITEM) == name
    assert stored_names([path], ITEM) == [name]
    assert original(name) == path
    checked_key(name)


@settings(max_examples=30)
@given(st.lists(st.text(st.sampled_from("aA/.%~\\_\0é\u0301\ud800h"), max_size=12), max_size=6))
def test_all_names_are_keys_distinct_and_reversible(paths: list[str]) -> None:
    names = stored_names(paths, ITEM)
    for name in names:
        checked_key(f"{ITEM}/{name}")
    assert [original(name) for name in names] == paths
    assert len({name.casefold() for name in names}) == len(paths)


COLLIDING = [
    ["a", "A"],
    ["caf\u00e9", "cafe\u0301", "CAF\u00c9"],
    ["a", "a"],
    ["a", "a/b", "A/c/d"],
    ["", ""],
    ["x" * 5000, "x" * 5001],
]


@each_row("paths", COLLIDING)
def test_names_don_t_collide_whatever_the_order(paths: list[str]) -> None:
    names = stored_names(paths, ITEM)
    files = {name.casefold() for name in names}
    folders = {name[:at].casefold() for name in names for at, c in enumerate(name) if c == "/"}
    assert len(files) == len(paths)
    assert not files & folders
    assert sorted(stored_names(paths[::-1], ITEM)) == sorted(names)


def test_over_long_paths_fit_all_stores() -> None:
    paths = ["ü" * 300, f"{'/'.join(string.ascii_letters)}/x", "d/" * 400, "é" * 99 + "a"]
    for name in stored_names([*paths, paths[-1]], ITEM):
        assert max(len(part.encode()) for part in name.split("/")) <= MAX_SEGMENT
        assert len(name.encode()) <= MAX_NAME
