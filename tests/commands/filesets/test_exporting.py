"""`story-indexer filesets export`: items of files and of captures, as folders and as bags."""

import json
from pathlib import Path

import pytest

from tests.commands.filesets.conftest import Filesets
from tests.filesets.zenodo_server import ZenodoServer

FILES = {"data/a.csv": b"a,b\n1,2\n", "A.csv": bytes(range(256)), "a.csv": b"", "up.csv": b"up"}


def exported(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


@pytest.mark.parametrize("more", [(), ("--web",)], ids=["files", "capture"])
def test_an_item_gives_its_files(
    filesets: Filesets, zenodo: ZenodoServer, tmp_path: Path, more: tuple[str, ...]
) -> None:
    web = filesets.items.parent / "web"
    filesets.ingest(zenodo.add(7, FILES), *more, *([str(web)] * bool(more)))
    store = web if more else filesets.items
    (name,) = (path.name for path in store.glob("[!.]*"))
    printed = filesets.run("export", str(store / name), "--to", str(tmp_path / "x")).out
    assert printed == f"{name}: 4 files, 266 bytes: {tmp_path / 'x' / name}\n"
    assert exported(tmp_path / "x") == {f"{name}/{path}": data for path, data in FILES.items()}

    bag = ("--as", "bagit", "--from", str(store), "--json")
    (line,) = filesets.run("export", name, *bag, "--to", str(tmp_path / "bags")).out.splitlines()
    assert json.loads(line) == {
        "item": name,
        "exported": True,
        "folder": str(tmp_path / "bags" / name),
        "files": 4,
        "size": 266,
        "renamed": [],
    }
    found = exported(tmp_path / "bags" / name)
    paths = json.loads(found["paths.json"])
    assert {path: found[each] for each, path in paths.items()} == FILES
    assert (f"item/{name}_capture.warc.gz" in found) == bool(more)


def test_one_item_that_is_not_exported_ends_with_1(
    filesets: Filesets, zenodo: ZenodoServer, tmp_path: Path
) -> None:
    (result,) = filesets.ingest(zenodo.add(7, FILES))
    name, to = result["archiveorg_item_name"], str(tmp_path / "x")
    options = ("--from", str(filesets.items), "--to", to)
    printed = filesets.run("export", "none", name, *options, status=1).out.splitlines()
    assert printed[0] == "none: not exported: no such item, or it is not complete"
    assert printed[1].startswith(f"{name}: 4 files")
    assert "exists already" in filesets.run("export", name, *options, status=1).out
    (filesets.items / name / "up.csv").write_bytes(b"UP")
    printed = filesets.run(
        "export", name, *options[:2], "--to", f"{to}2", status=1
    ).out.splitlines()
    assert printed == [
        f"{name}: not exported: 'up.csv' is damaged: another md5, sha1, sha256, sha512"
    ]
    assert [*Path(f"{to}2").iterdir()] == []


def test_other_names_are_told(filesets: Filesets, zenodo: ZenodoServer, tmp_path: Path) -> None:
    filesets.ingest(zenodo.add(7, {"a.csv": b"1", "a.csv/b": b"2"}))
    (name,) = (path.name for path in filesets.items.glob("[!.]*"))
    to = tmp_path / "x"
    printed = filesets.run("export", str(filesets.items / name), "--to", str(to)).out.splitlines()
    assert printed[1:] == [
        "  renamed: a.csv/b: another file has this name",
        f"  1 under other names: {to / name}~renamed",
    ]


def test_the_directory_is_needed(filesets: Filesets) -> None:
    assert "--to is missing" in filesets.run("export", "item", status=2).err
