"""Companions: every store gets one beside each file; their failures harm nothing."""

from pathlib import Path
from typing import BinaryIO

import pytest

from indexer.errors import AccessDenied, StorageError
from indexer.spool import Companion, Spool
from tests.spool.conftest import Work, put


def described(file: BinaryIO, name: str) -> bytes:
    """A companion that contains the file's name and its content."""
    return name.encode() + b": " + file.read()


INDEX = Companion(".index", described)
BOTH = {"2024/file-1": b"content", "2024/file-1.index": b"file-1: content"}


@pytest.mark.parametrize(("keep", "left"), [(True, ["file-1"]), (False, [])])
def test_every_store_gets_the_companion_beside_the_file(
    work: Work, keep: bool, left: list[str]
) -> None:
    spool = work.spool(keep=keep, companion=INDEX)
    put(spool)
    spool.deliver(0)
    spool.forget()
    assert (work.stored(), work.files()) == ([BOTH, BOTH], left)


@pytest.mark.parametrize("error", [StorageError, AccessDenied])
@pytest.mark.parametrize("keep", [True, False])
def test_a_store_that_refuses_the_companion_has_the_file_and_gets_the_companion_later(
    work: Work, error: type[StorageError], keep: bool
) -> None:
    spool = work.spool(keep=keep, companion=INDEX)
    work.second.refused, work.second.error = ".index", error
    put(spool)
    before = work.clock.seconds
    spool.deliver(300)
    assert work.clock.seconds == before
    assert len(work.delivered) == 1
    assert work.stored() == [BOTH, {"2024/file-1": b"content"}]
    spool.forget()
    work.second.refused = ""
    spool.deliver(0)
    spool.forget()
    assert work.stored() == [BOTH, BOTH]
    assert work.files() == ["file-1"] * keep
    assert work.first.puts.count("2024/file-1.index") == 1


def test_another_process_uploads_the_companion_of_one_that_died(work: Work) -> None:
    spool = work.spool(keep=False, companion=INDEX)
    work.first.refused = work.second.refused = ".index"
    put(spool)
    spool.deliver(0)
    spool.close()
    work.first.refused = work.second.refused = ""
    later = work.spool(keep=False, companion=INDEX)
    later.adopt()
    later.deliver(0)
    assert work.stored() == [BOTH, BOTH]
    assert work.files() == ["spool/file-1.json", "spool/file-1.lock"]


def test_a_process_that_died_before_it_made_the_companion_loses_none(work: Work) -> None:
    spool = work.spool()
    put(spool)
    spool.deliver(0)
    spool.close()
    later = work.spool(companion=INDEX)
    later.adopt()
    later.deliver(0)
    assert work.stored() == [BOTH, BOTH]


def test_a_file_that_a_program_without_companions_removed_is_forgotten(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    spool = work.spool(keep=False)
    put(spool)
    spool.deliver(0)
    spool.close()
    later = work.spool(keep=False, companion=INDEX)
    later.adopt()
    later.deliver(0)
    work.clock.sleep(86_401)
    later.forget()
    assert (work.files(), work.stored()) == ([], [{"2024/file-1": b"content"}] * 2)
    assert capsys.readouterr() == ("", "")


def test_a_file_under_another_name_has_a_companion_of_that_name(work: Work) -> None:
    (work.second.root / "2024").mkdir(parents=True)
    (work.second.root / "2024" / "file-1").write_bytes(b"another's")
    spool = work.spool(companion=INDEX)
    put(spool)
    spool.deliver(0)
    first, second = work.stored()
    assert first == BOTH
    (name,) = (key for key in second if key.endswith(".index"))
    key = name.removesuffix(".index")
    assert second[name] == f"{Path(key).name}: content".encode()
    assert (second[key], second["2024/file-1"]) == (b"content", b"another's")


def test_an_object_that_has_the_companions_name_is_kept(work: Work) -> None:
    (work.first.root / "2024").mkdir(parents=True)
    (work.first.root / "2024" / "file-1.index").write_bytes(b"another's")
    spool = work.spool(companion=INDEX)
    put(spool)
    spool.deliver(0)
    first = work.stored()[0]
    assert first["2024/file-1.index"] == b"another's"
    assert sorted(first.values()) == [b"another's", b"content", b"file-1: content"]


def test_a_companion_that_cannot_be_made_holds_up_nothing(work: Work) -> None:
    def broken(_file: BinaryIO, _name: str) -> bytes:
        raise StorageError("out of order")

    spool: Spool = work.spool(keep=False, companion=Companion(".index", broken))
    put(spool)
    spool.deliver(0)
    spool.forget()
    assert (work.files(), len(work.delivered)) == ([], 1)
