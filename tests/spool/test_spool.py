"""Spools: no file is lost or made twice, whatever fails."""

from pathlib import Path

import pytest

from indexer.errors import AccessDenied, ConfigurationError, StorageError
from indexer.spool import Spool
from tests.spool.conftest import Work, numbered, put


def test_a_file_comes_to_every_store(work: Work) -> None:
    spool = work.spool()
    put(spool)
    spool.deliver(0)
    assert work.stored() == [{"2024/file-1": b"content"}] * 2
    ((name, manifest),) = work.delivered
    assert (name, manifest.size, manifest.items) == ("file-1", 7, ["a", "b"])
    assert [url.rpartition("/2024/")[2] for url in manifest.stores.values()] == ["file-1"] * 2


@pytest.mark.parametrize(("keep", "left"), [(True, ["file-1"]), (False, [])])
def test_a_settled_file_leaves_a_copy_or_nothing(work: Work, keep: bool, left: list[str]) -> None:
    spool = work.spool(keep=keep)
    put(spool)
    spool.deliver(0)
    assert work.files() == [*left, "spool/file-1.json", "spool/file-1.lock"]
    spool.forget()
    assert work.files() == left


def test_files_that_are_not_delivered_are_not_forgotten(work: Work) -> None:
    spool = work.spool()
    put(spool)
    spool.forget()
    spool.deliver(0)
    assert work.stored() == [{"2024/file-1": b"content"}] * 2


def test_a_failing_upload_is_tried_again_with_growing_pauses(work: Work) -> None:
    work.second.failures = 4
    spool = work.spool()
    put(spool)
    before = work.clock.seconds
    spool.deliver(60)
    assert work.clock.seconds - before == 1 + 2 + 4 + 8
    assert (len(work.first.puts), len(work.second.puts)) == (1, 5)
    assert len(work.delivered) == 1


def test_patience_ends_and_the_file_stays(work: Work) -> None:
    work.second.failures = 1000
    spool = work.spool(keep=False)
    put(spool)
    before = work.clock.seconds
    with pytest.raises(StorageError, match="out of order"):
        spool.deliver(300)
    assert work.clock.seconds - before == 300
    assert "file-1" in work.files()
    assert work.delivered == []


def test_one_store_that_fails_does_not_keep_a_file_from_the_others(work: Work) -> None:
    work.first.failures = 1000
    spool = work.spool()
    put(spool)
    with pytest.raises(StorageError):
        spool.deliver(0)
    assert work.stored() == [{}, {"2024/file-1": b"content"}]


def test_refused_credentials_are_not_tried_again(work: Work) -> None:
    work.first.failures, work.first.error = 1, AccessDenied
    spool = work.spool()
    put(spool)
    before = work.clock.seconds
    with pytest.raises(AccessDenied):
        spool.deliver(300)
    assert work.clock.seconds == before


def test_files_of_an_ended_process_are_delivered_by_the_next(work: Work) -> None:
    work.second.failures = 1
    spool = work.spool()
    put(spool)
    with pytest.raises(StorageError):
        spool.deliver(0)
    spool.close()

    spool = work.spool()
    assert "a" not in spool
    spool.adopt()
    assert "a" in spool
    spool.deliver(0)
    assert work.stored() == [{"2024/file-1": b"content"}] * 2
    assert len(work.first.puts) == 1


def test_files_of_living_processes_are_left_alone(work: Work) -> None:
    one, other = work.spool(), work.spool()
    half = one.create(numbered)
    put(one)
    other.adopt()
    other.deliver(0)
    assert work.stored() == [{}, {}]
    assert "a" not in other
    half.file.write(b"still mine")
    one.deliver(0)
    assert len(work.delivered) == 1


def test_two_processes_give_no_name_twice(work: Work) -> None:
    one, other = work.spool(keep=False), work.spool(keep=False)
    names = []
    for spool in (one, other, work.spool(keep=False)):
        for _ in range(3):
            names.append(put(spool))
            spool.deliver(0)
            spool.forget()
    assert len(set(names)) == 9
    assert sorted(work.stored()[0]) == sorted(f"2024/{name}" for name in names)


def test_a_discarded_file_leaves_nothing(work: Work) -> None:
    spool = work.spool()
    aside = spool.create(numbered)
    aside.file.write(b"half")
    spool.discard(aside)
    assert work.files() == []


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="can't use"):
        Spool(tmp_path / "file" / "work", {})
