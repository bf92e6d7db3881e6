"""Files with any path are stored in a directory and in a bucket, and come back byte for byte."""

import io
import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.blobstore import Blobstore, open_blobstore
from indexer.filesets.items.layout import (
    ItemManifest,
    StoredFile,
    dumped_sums,
    loaded_sums,
)
from indexer.filesets.paths import original, stored_names
from tests.blobstore.conftest import of
from tests.services import S3

ITEM = "zenodo.org-7"

HOSTILE = (
    *("..", ".", "", "a", "A", "\0", "\n", "\\", "%", "%2E", "~", "_", "__ia_thumb.jpg", " "),
    *("é", "e\u0301", "\u2028", "\ud800", "\ufffe", "ß", "ss", "x" * 300, "ü" * 150, "CON"),
    *("history", ITEM, f"{ITEM}_meta.xml", f"{ITEM}_fileset.json", ".aside-1", "$HOME"),
)
PARTS = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(categories=["L", "M", "N", "P", "S", "Z", "C"]), max_size=8),
)
PATHS = st.lists(
    st.lists(PARTS, min_size=1, max_size=5).map("/".join), min_size=1, max_size=8, unique=True
)

_folders = itertools.count()


def check(store: Blobstore, paths: list[str]) -> None:
    # A folder for each example: what an earlier one has stored must not be found.
    item = f"{next(_folders)}"
    names = stored_names(paths, ITEM)
    for number, name in enumerate(names):
        store.put(f"{item}/{name}", io.BytesIO(str(number).encode()))
    found = [entry.key.removeprefix(f"{item}/") for entry in store.entries(f"{item}/")]
    assert sorted(found) == sorted(names)
    assert [store.open(f"{item}/{name}").read() for name in names] == [
        str(number).encode() for number in range(len(names))
    ]
    assert all(original(name) == path for name, path in zip(names, paths, strict=True)
               if len(path) < 60)  # fmt: skip
    files = [StoredFile(path=path, name=name) for path, name in zip(paths, names, strict=True)]
    manifest = ItemManifest(format=1, item=ITEM, stored="", platform_name="x", files=files)
    assert [file.name for file in ItemManifest.load(manifest.dump()).files] == names
    sums = dict.fromkeys(names, "0" * 64)
    assert loaded_sums(dumped_sums(sums)) == sums


def test_any_path_comes_back_from_a_directory(tmp_path: Path) -> None:
    store = open_blobstore(str(tmp_path))

    @settings(max_examples=100, deadline=None)
    @given(PATHS)
    def of_each(paths: list[str]) -> None:
        check(store, paths)

    of_each()


@pytest.mark.external
def test_any_path_comes_back_from_a_bucket(s3: S3) -> None:
    store = open_blobstore(f"s3://{s3.bucket}/paths", of(s3))

    @settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(PATHS)
    def of_each(paths: list[str]) -> None:
        check(store, paths)

    of_each()
