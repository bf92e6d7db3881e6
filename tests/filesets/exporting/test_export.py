"""Exports: every path comes back byte for byte, nothing outside of the folder, whole or not."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.blobstore import open_blobstore
from indexer.errors import ArchiveError
from indexer.filesets.exporting.bag import write_bag
from indexer.filesets.exporting.export import Exported, Form, export
from indexer.filesets.exporting.folder import write_folder
from indexer.filesets.items.item import Item
from tests.filesets.exporting.items import HOSTILE, ITEM, content, stored


@pytest.fixture
def hostile(tmp_path: Path) -> Item:
    return stored(open_blobstore(str(tmp_path / "store")))


@pytest.fixture
def item(tmp_path: Path) -> Item:
    return stored(open_blobstore(str(tmp_path / "store")), {"data/a.csv": b"data/a.csv"})


def files(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def originals_of_folder(done: Exported, to: Path) -> dict[str, bytes]:
    """The bytes of each path, as a person finds them."""
    beside = to / f"{ITEM}~renamed"
    names = json.loads((beside / "names.json").read_text())
    renamed = {each["path"]: (beside / each["name"]).read_bytes() for each in names}
    assert [each._asdict() for each in done.renamed] == names
    return {**files(to / ITEM), **renamed}


def originals_of_bag(_: Exported, to: Path) -> dict[str, bytes]:
    names = json.loads((to / ITEM / "paths.json").read_text())
    return {path: (to / ITEM / name).read_bytes() for name, path in names.items()}


@pytest.mark.parametrize(
    ("form", "originals"),
    [(write_folder, originals_of_folder), (write_bag, originals_of_bag)],
    ids=["files", "bagit"],
)
def test_hostile_paths_come_back_byte_for_byte(
    hostile: Item,
    tmp_path: Path,
    form: Form,
    originals: Callable[[Exported, Path], dict[str, bytes]],
) -> None:
    to = tmp_path / "a" / "b" / "to"
    before = files(tmp_path)
    done = export(hostile, to, form)
    assert (done.folder, done.files) == (to / ITEM, len(HOSTILE))
    assert originals(done, to) == {path: content(path) for path in HOSTILE}
    written = {path for path in files(tmp_path) if path not in before}
    assert all(path.startswith(f"a/b/to/{ITEM}") for path in written)


def test_only_unsafe_and_impossible_paths_get_other_names(hostile: Item, tmp_path: Path) -> None:
    done = export(hostile, tmp_path, write_folder)
    reasons = {each.path: each.why for each in done.renamed if len(each.path) < 100}
    assert reasons == {
        "/etc/passwd": "absolute",
        "../../up": "a folder named . or ..",
        "a/../b": "a folder named . or ..",
        "./c": "a folder named . or ..",
        "a//b": "a part is empty",
        "e/": "a part is empty",
        "nul\0": "control characters",
        "line\nbreak\r": "control characters",
        "\x1b[31mred": "control characters",
        "\ud800": "not Unicode text",
        "folder/file": "another file has this name",
    }
    long = {each.why for each in done.renamed if len(each.path) > 100}
    assert long == {"the file system refuses it", "too many folders"}


def test_a_dataset_without_hostile_paths_is_just_its_files(tmp_path: Path) -> None:
    given = {"data/a.csv": b"1,2\n", "READ ME.txt": b"", "größe": b"x"}
    item = stored(open_blobstore(str(tmp_path / "store")), given)
    assert export(item, tmp_path / "to", write_folder).renamed == []
    assert files(tmp_path / "to") == {f"{ITEM}/{path}": data for path, data in given.items()}


def test_a_bag_is_complete_and_right(hostile: Item, tmp_path: Path) -> None:
    bag = export(hostile, tmp_path / "to", write_bag).folder
    found = files(bag)
    assert found["bagit.txt"] == b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
    payload = {path for path in found if path.startswith("data/")}
    tags = {path for path in found if "tagmanifest" not in path} - payload
    for algorithm in ("md5", "sha256", "sha512"):
        for kind, listed in (("manifest", payload), ("tagmanifest", tags)):
            name = f"{kind}-{algorithm}.txt"
            rows = found[name].decode().removesuffix("\n").split("\n")
            assert {row.partition("  ")[2] for row in rows} == listed
            check = [f"{algorithm}sum", "--check", "--strict", "--quiet", name]
            subprocess.run(check, cwd=bag, check=True)
    # Characters that the manifests of a bag escape, or that a well-known validator refuses.
    assert not any(char in name for name in payload for char in "%$\r\n\u2028")
    assert not any(name.endswith(" ") for name in payload)


def test_the_facts_of_a_bag_are_one_line_each(item: Item, tmp_path: Path) -> None:
    bag = export(item, tmp_path / "to", write_bag).folder
    lines = (bag / "bag-info.txt").read_text(encoding="utf-8").splitlines()
    facts = dict(line.split(": ", 1) for line in lines)
    assert facts["Payload-Oxum"] == "10.1"
    assert facts["External-Identifier"] == "10.5/x"
    assert facts["External-Description"] == "Ærø and more"


@pytest.mark.parametrize("form", [write_folder, write_bag])
@pytest.mark.parametrize("name", ["data/a.csv", f"{ITEM}_fileset.json", f"{ITEM}_sha256.txt"])
def test_a_damaged_or_incomplete_item_leaves_nothing(
    item: Item, tmp_path: Path, form: Form, name: str
) -> None:
    root = tmp_path / "store" / ITEM
    (root / name).unlink()
    with pytest.raises(ArchiveError, match=r"missing|not complete"):
        export(item, tmp_path / "to", form)
    assert files(tmp_path / "to") == {}


@pytest.mark.parametrize("form", [write_folder, write_bag])
def test_other_bytes_are_not_exported(item: Item, tmp_path: Path, form: Form) -> None:
    (tmp_path / "store" / ITEM / "data/a.csv").write_bytes(b"data/b.csv")
    with pytest.raises(ArchiveError, match=r"'data/a\.csv' is damaged: another md5"):
        export(item, tmp_path / "to", form)
    assert [*(tmp_path / "to").iterdir()] == []


def test_a_damaged_document_is_not_exported(item: Item, tmp_path: Path) -> None:
    (tmp_path / "store" / ITEM / f"{ITEM}_metadata.json").write_bytes(b"{}")
    with pytest.raises(ArchiveError, match=r"metadata\.json is damaged"):
        export(item, tmp_path / "to", write_bag)


def test_what_is_there_is_not_overwritten(item: Item, tmp_path: Path) -> None:
    (tmp_path / "to" / ITEM).mkdir(parents=True)
    with pytest.raises(ArchiveError, match="exists already"):
        export(item, tmp_path / "to", write_folder)
    assert files(tmp_path / "to") == {}
