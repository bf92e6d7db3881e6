"""The programs that read results: into SQL, the search index, and lines of entities."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import ConfigurationError, Discard, Quarantine, StorageError
from indexer.filesets.messages import ResultMessage
from indexer.filesets.persisting.models import ingest_file_result
from indexer.filesets.persisting.rows import Row
from indexer.search import open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.system.patience import Patience
from tests.filesets.persisting.new_fileset_store import new_fileset_store
from tests.filesets.persisting.results import file_result, fileset_result
from tests.search.corpus import found
from workers.filesets.dataset_indexer import DatasetIndexer, DatasetIndexerOptions
from workers.filesets.file_importer import FileImporter, FileImporterOptions
from workers.filesets.fileset_importer import FilesetImporter, FilesetImporterOptions
from workers.filesets.fileset_persister import FilesetPersister, PersisterOptions

ONCE = Patience(sleep=lambda _: None, attempts=2)


@pytest.fixture(autouse=True)
def database(tmp_path: Path) -> None:
    """The migrations take longer than all else."""
    new_fileset_store(f"sqlite:///{tmp_path / 'filesets.sqlite3'}").close()


def message(result: dict[str, Any]) -> ResultMessage:
    sent = ResultMessage(result, "ingest-fileset-results")
    return ResultMessage.load(sent.dump(), sent.key)


def test_the_persister_stores_a_batch_and_counts_what_it_leaves_out(tmp_path: Path) -> None:
    with closing(FilesetPersister(PersisterOptions(data=tmp_path), ONCE)) as persister:
        for _ in range(2):
            persister.add(message(fileset_result()))
            with pytest.raises(Discard, match="skip-existing"):
                persister.add(message(fileset_result(status="existing")))
            with pytest.raises(Quarantine, match="total_size"):
                persister.add(message(fileset_result(total_size="x")))
            assert [each.status for each in persister.flush()] == ["stored"]
        assert persister._store.count(ingest_file_result) == 1


def test_a_batch_with_many_files_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.filesets.fileset_persister.MAX_FILES", 3)
    with closing(FilesetPersister(PersisterOptions(data=tmp_path), ONCE)) as persister:
        for full in (False, True):
            persister.add(message(fileset_result()))
            assert persister.full is full
        assert len(persister.flush()) == 2
        assert not persister.full


def test_a_refused_row_is_quarantined_alone(tmp_path: Path) -> None:
    with closing(FilesetPersister(PersisterOptions(data=tmp_path), ONCE)) as persister:
        persister.add(message(fileset_result()))
        persister._batch.append([Row(ingest_file_result, persister._batch[0][0].values)])
        good, bad = persister.flush()
    assert (good.status, type(bad), bad.status) == ("stored", Quarantine, "bad-result")


def test_an_outage_ends_the_persister_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StorageError("gone")

    with closing(FilesetPersister(PersisterOptions(data=tmp_path), ONCE)) as persister:
        persister.add(message(fileset_result()))
        with monkeypatch.context() as patched:
            patched.setattr(persister._store, "save", fail)
            with pytest.raises(StorageError):
                persister.flush()
        assert persister.flush() == []


def test_the_indexer_adds_archived_datasets(tmp_path: Path) -> None:
    with closing(DatasetIndexer(DatasetIndexerOptions(data=tmp_path), patience=ONCE)) as indexer:
        for status in ("created", "updated"):
            indexer.add(message(fileset_result()))
            with pytest.raises(Discard, match="skip-hit"):
                indexer.add(message(fileset_result(hit=False)))
            assert [each.status for each in indexer.flush()] == [status]
    with closing(open_index(f"sqlite:///{tmp_path / 'index.sqlite3'}", STORY_FIELDS)) as index:
        assert len(found(index, "a.csv")) == 1


def fileset_importer(data: Path) -> FilesetImporter:
    return FilesetImporter(FilesetImporterOptions(data=data))


def file_importer(data: Path) -> FileImporter:
    return FileImporter(FileImporterOptions(data=data))


@pytest.mark.parametrize(
    ("importer", "kind", "taken", "left"),
    [
        (fileset_importer, "fileset", fileset_result(), file_result(status="success-existing")),
        (file_importer, "file", file_result(), fileset_result()),
    ],
    ids=["fileset", "file"],
)
def test_an_importer_writes_an_entity_once(
    importer: Callable[[Path], FilesetImporter | FileImporter],
    kind: str,
    taken: dict[str, Any],
    left: dict[str, Any],
    tmp_path: Path,
) -> None:
    with closing(importer(tmp_path)) as running:
        assert running.process(message(taken)).status == "imported"
        with pytest.raises(Discard, match="exists"):
            running.process(message(taken))
        with pytest.raises(Discard, match=r"skip-single-file|skip-multiple-files"):
            running.process(message(left))
        with pytest.raises(ConfigurationError, match="another importer"):
            importer(tmp_path)
    # One entity, so there is one day.
    (path,) = (tmp_path / "catalogue-entities").glob(f"{kind}-*.jsonl")
    assert json.loads(path.read_bytes())["release_ids"] == ["a" * 26]
