"""Exports of imitation repositories' datasets: files as the repository has them, however stored."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from newsroom.repositories.server import Repositories
from tests.commands.filesets.conftest import Filesets
from tests.each_row import each_row

HOSTILE, BIRDS, SURVEYS = (
    "10.5072/zenodo.10200051",
    "10.5072/zenodo.10200021",
    "10.5072/FK2/ABCDEF",
)
BUNDLE = ("--bundles", "prefer")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repositories]:
    with Repositories() as repositories:
        for name, value in repositories.settings.items():
            monkeypatch.setenv(name, value)
        yield repositories


@each_row(
    ("number", "doi", "more"),
    [
        (1, HOSTILE, ()),
        (2, BIRDS, ("--web",)),
        (3, BIRDS, BUNDLE),
        (4, BIRDS, ("--web", *BUNDLE)),
        (5, SURVEYS, BUNDLE),
    ],
)
def test_a_bag_has_the_files_of_the_repository(
    filesets: Filesets,
    served: Repositories,
    tmp_path: Path,
    number: int,
    doi: str,
    more: tuple[str, ...],
) -> None:
    item = ingested(filesets, tmp_path / str(number), doi, *more)
    filesets.run("verify", str(item))
    filesets.run("export", str(item), "--as", "bagit", "--to", str(tmp_path / f"bags{number}"))
    bag = tmp_path / f"bags{number}" / item.name
    paths = json.loads((bag / "paths.json").read_text())
    dataset = served.catalogue.by_doi(doi)
    assert dataset
    found = sorted((bag / each).read_bytes() for each in paths)
    assert found == sorted(file.content.whole() for file in dataset.files)
    assert sorted(paths.values()) == sorted(file.path for file in dataset.files)


@each_row(
    ("number", "name", "more"),
    [
        (1, "_capture.warc.gz", ("--web",)),
        (2, "_bundle.zip", BUNDLE),
        (3, "_capture.warc.gz", ("--web", *BUNDLE)),
    ],
)
def test_nothing_of_a_damaged_item_is_exported(
    filesets: Filesets,
    served: Repositories,
    tmp_path: Path,
    number: int,
    name: str,
    more: tuple[str, ...],
) -> None:
    assert served
    item = ingested(filesets, tmp_path / str(number), BIRDS, *more)
    path = item / f"{item.name}{name}"
    data = path.read_bytes()
    to = tmp_path / f"to{number}"
    for damaged in (data[: len(data) // 2], data[:-500] + bytes(500), b"", b"other"):
        path.write_bytes(damaged)
        for form in ("files", "bagit"):
            printed = filesets.run("export", str(item), "--as", form, "--to", str(to), status=1).out
            assert "not exported" in printed
            assert [*to.iterdir()] == []


def ingested(filesets: Filesets, root: Path, doi: str, *more: str) -> Path:
    """Ingest a dataset; returns its item."""
    given = [
        part for each in more for part in ([each, str(root / "web")] if each == "--web" else [each])
    ]
    filesets.run("ingest", f"https://doi.org/{doi}", *given, "--to", str(root / "to"))
    (sums,) = root.glob("*/*/*_sha256.txt")
    return sums.parent
