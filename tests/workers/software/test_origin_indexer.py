"""The indexer of origins: the status of each message, and what goes on to the search index."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import Disposition, Quarantine, StorageError
from indexer.messages.worker import Done
from indexer.software.archives.inputs import message_of
from indexer.software.messages import ChangedOrigin, OriginMessage
from indexer.software.store.store import SoftwareStore
from indexer.system.patience import Patience
from tests.software.archives.project import URL, write_lines, write_repository
from workers.software.origin_indexer import OriginIndexer, OriginIndexerOptions

ONCE = Patience(sleep=lambda _: None, attempts=2)

METADATA = {
    "id": "swh:1:emd:1",
    "target": URL,
    "authority": {"type": "forge", "url": "https://example.org/"},
    "format": "unknown",
    "discovery_date": "2026-01-02T00:00:00+00:00",
    "metadata": "{}",
}


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[OriginIndexer]:
    """An indexer with an empty database."""
    SoftwareStore.open(f"sqlite:///{tmp_path / 'software.sqlite3'}").close()
    with closing(OriginIndexer(OriginIndexerOptions(data=tmp_path), ONCE)) as made:
        yield made


def flushed(worker: OriginIndexer, *messages: OriginMessage) -> Sequence[Any]:
    """Add messages; the results of the batch."""
    for message in messages:
        worker.add(message)
    return worker.flush()


def told(results: Sequence[Done[ChangedOrigin] | Disposition]) -> list[tuple[str, int]]:
    """The status of each result, and the number of outputs."""
    return [(each.status, len(each.outputs) if isinstance(each, Done) else 0) for each in results]


def test_an_origin_is_indexed_once(worker: OriginIndexer, tmp_path: Path) -> None:
    message = message_of(str(write_repository(tmp_path / "repository.git")))
    assert told(flushed(worker, message)) == [("indexed", 1)]
    assert told(flushed(worker, message)) == [("unchanged", 0)]


def test_a_message_that_comes_again_is_sent_on_though_its_rows_are_written(
    worker: OriginIndexer, tmp_path: Path
) -> None:
    message = message_of(str(write_repository(tmp_path / "repository.git")))
    flushed(worker, message)
    worker.add_again(message)
    assert told(worker.flush()) == [("unchanged", 1)]


def test_messages_of_several_archives_end_in_their_order(
    worker: OriginIndexer, tmp_path: Path
) -> None:
    lines = str(write_lines(tmp_path / "lines.jsonl"))
    one = message_of(str(write_repository(tmp_path / "repository.git")))
    known, unknown = OriginMessage(lines, URL), OriginMessage(lines, "https://example.org/other")
    lost = OriginMessage(str(tmp_path / "lost"), URL)
    metadata = OriginMessage("", "", METADATA)
    batch = (known, one, unknown, lost, metadata, known)
    assert [status for status, _ in told(flushed(worker, *batch))] == [
        "indexed",
        "indexed",
        "unknown-origin",
        "bad-archive",
        "no-format",
        "indexed",
    ]


@pytest.mark.parametrize(
    ("place", "status", "why"),
    [
        ("http://example.org/p.git", "refused", "HTTPS only"),
        ("git://example.org/p.git", "refused", "not http or https"),
        ("ssh://git@example.org/p.git", "refused", "not http or https"),
        ("https://user:secret@example.org/p.git", "refused", "user name or password"),
        ("https://127.0.0.1/p.git", "refused", "loopback"),
        ("https://169.254.169.254/p.git", "refused", "cloud metadata"),
    ],
)
def test_a_url_that_must_not_be_cloned_is_refused(
    worker: OriginIndexer, place: str, status: str, why: str
) -> None:
    (result,) = flushed(worker, OriginMessage(place, place))
    assert result.status == status
    assert why in str(result)
    assert "secret" not in str(result)


def test_a_batch_ends_with_a_clone(worker: OriginIndexer) -> None:
    worker.add(OriginMessage("/a", URL))
    assert not worker.full
    worker.add(OriginMessage("https://127.0.0.1/p.git", URL))
    assert worker.full


def test_metadata_without_its_parts_is_quarantined(worker: OriginIndexer) -> None:
    with pytest.raises(Quarantine, match="bad-metadata"):
        worker.add(OriginMessage("", "", {"target": URL}))


def test_an_outage_ends_the_program_and_the_next_batch_is_its_own(
    worker: OriginIndexer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = message_of(str(write_repository(tmp_path / "repository.git")))

    def fail(*_: object) -> None:
        raise StorageError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(worker._rows, "write", fail)
        with pytest.raises(StorageError):
            flushed(worker, message)
    assert told(flushed(worker, message)) == [("indexed", 1)]
