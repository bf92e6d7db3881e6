"""Whether all archives of a store are sound, and each version read only once."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
import pytest

from indexer.errors import InputError
from indexer.files.journal import journal
from indexer.inputs.inputs import Input
from indexer.inputs.sources import LocalFile
from indexer.stories.archiving import auditing as archive_auditing
from indexer.stories.archiving.auditing import Audit, AuditTally, audited, misplaced, sound_before
from indexer.stories.archiving.story_archive_verifier import Verdict
from indexer.warc.members import Readable
from tests.each_row import each_row
from tests.patience import PATIENCE
from tests.stories.archived import a_story, archive

SOUND = archive([a_story(number) for number in range(3)])


class Counted(LocalFile):
    """A file that counts how often it is opened."""

    opened = 0

    def open(self) -> BinaryIO:
        self.opened += 1
        return super().open()


def put(folder: Path, name: str, data: bytes = SOUND) -> Input:
    path = folder / "2024/05/01" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return Input(str(path), Counted(path))


def opened(archive: Input) -> int:
    assert isinstance(archive.source, Counted)
    return archive.source.opened


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_archive_is_audited_in_order(tmp_path: Path, jobs: int) -> None:
    archives = [
        put(tmp_path, "a.warc.gz"),
        put(tmp_path, "b.warc.gz", SOUND[:-100]),
        put(tmp_path, "c.warc.gz", b"<html>"),
        *(put(tmp_path, f"{number}.warc.gz", archive([])) for number in range(10)),
    ]
    found = [each.audit for each in audited(archives, {}, jobs)]
    assert [each.archive for each in found] == [each.name for each in archives]
    assert found[0] == Audit(
        archive=archives[0].name,
        version=archives[0].version(),
        sound=True,
        records=7,
        stories=3,
        bytes=len(SOUND),
    )
    assert [each.sound for each in found] == [True, False, False, *[True] * 10]
    assert found[1].faults[0].endswith(": ends in the middle of a record")
    assert found[2].faults == ("record 1, offset 0: not a WARC file: it doesn't start as one",)


def test_what_can_not_be_read_is_not_sound_and_the_rest_is_audited(tmp_path: Path) -> None:
    gone, there = put(tmp_path, "a.warc.gz"), put(tmp_path, "b.warc.gz")
    Path(gone.name).unlink()
    first, second = (each.audit for each in audited([gone, there], {}))
    assert not first.sound
    assert "No such file" in first.error
    assert second.sound


def test_what_was_sound_is_read_again_only_if_it_changed(tmp_path: Path) -> None:
    same, changed = put(tmp_path, "a.warc.gz"), put(tmp_path, "b.warc.gz")
    before = {each.audit.archive: each.audit for each in audited([same, changed], {})}
    changed = put(tmp_path, "b.warc.gz", SOUND[:-100])
    again = list(audited([same, changed], before))
    assert [each.before for each in again] == [True, False]
    assert [each.audit.sound for each in again] == [True, False]
    assert (opened(same), opened(changed)) == (1, 1)


def test_a_report_tells_what_is_sound(tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    audits = [
        Audit(archive="was damaged", version="1"),
        Audit(archive="was damaged", version="2", sound=True, stories=3),
        Audit(archive="is damaged", version="1", sound=True),
        Audit(archive="is damaged", version="2", faults=("no record",), count=1),
    ]
    with journal(report) as to:
        to.append([msgspec.to_builtins(each) for each in audits])
    with report.open("a") as file:
        file.write('{"archive": "torn", "sound": tr')
    assert sound_before(report) == {"was damaged": audits[1]}


@pytest.mark.parametrize("line", ['{"url": "https://site.example/"}', '{"archive": 5}'])
def test_another_report_is_refused(tmp_path: Path, line: str) -> None:
    report = tmp_path / "report.jsonl"
    report.write_text(f"{line}\n")
    with pytest.raises(InputError, match="not a report of archives"):
        sound_before(report)


def test_several_are_read_at_a_time(tmp_path: Path) -> None:
    both = threading.Barrier(2, timeout=PATIENCE)

    class Meeting(LocalFile):
        def open(self) -> BinaryIO:
            both.wait()
            return super().open()

    path = Path(put(tmp_path, "a.warc.gz").name)
    archives = [Input(f"{path}{number}", Meeting(path)) for number in range(2)]
    assert all(each.audit.sound for each in audited(archives, {}, 2))


def test_only_so_many_are_begun_before_the_first_is_told_of(tmp_path: Path) -> None:
    path, begun = Path(put(tmp_path, "a.warc.gz").name), 0

    def endless() -> Iterator[Input]:
        nonlocal begun
        while True:
            begun += 1
            yield Input(str(path), LocalFile(path))

    found = audited(endless(), {}, 2)
    for number in range(1, 10):
        next(found)
        assert begun < number + archive_auditing.AHEAD * 2
    found.close()  # type: ignore[attr-defined]  # it is a generator


def test_whoever_stops_listening_does_not_wait_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archives = [put(tmp_path, "0.warc.gz"), *(put(tmp_path, f"{n}.warc.gz", b"") for n in (1, 2))]
    deadline = time.monotonic() + PATIENCE

    def endless(file: Readable, seen: Callable[[int], None]) -> Verdict:
        """For an empty file."""
        while not file.read():
            assert time.monotonic() < deadline
            seen(0)
        return Verdict()

    monkeypatch.setattr(archive_auditing, "verify", endless)
    found = audited(archives, {}, 2)
    assert next(found).audit.sound
    found.close()  # type: ignore[attr-defined]  # it is a generator
    assert time.monotonic() < deadline


@each_row(
    ("name", "note"),
    [
        ("s3://bucket/2024/05/01/mc-20240501120000-1-host.warc.gz", ""),
        ("s3://bucket/some/prefix/2024/05/01/mchist2024-20240501235959-17-a-b.warc.gz", ""),
        ("/data/archive/2024/02/29/mc-20240229120000-1-host.warc.gz", ""),
        ("s3://bucket/2024/05/01/another-name.warc.gz", ""),
        ("s3://bucket/mc-20240501120000-1-host.warc.gz", "not in a folder YYYY/MM/DD"),
        ("s3://bucket/2024/5/1/mc-20240501120000-1-host.warc.gz", "not in a folder YYYY/MM/DD"),
        ("s3://bucket/2024/13/01/mc-20241301120000-1-host.warc.gz", "not in a folder YYYY/MM/DD"),
        ("s3://bucket/2024/05/01/more/a.warc.gz", "not in a folder YYYY/MM/DD"),
        ("s3://bucket/x2024/05/01/a.warc.gz", "not in a folder YYYY/MM/DD"),
        (
            "s3://bucket/2024/05/02/mc-20240501120000-1-host.warc.gz",
            "in the folder of 2024-05-02, but its name has the date 2024-05-01",
        ),
        (
            "s3://bucket/2024/05/02/mc-20249901120000-1-host.warc.gz",
            "in the folder of 2024-05-02, but its name has the date 2024-99-01",
        ),
    ],
)
def test_an_archive_in_the_wrong_place_is_noted(name: str, note: str) -> None:
    assert misplaced(name) == note


def test_a_note_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "mc.warc.gz"
    path.write_bytes(SOUND)
    [found] = audited([Input(str(path), LocalFile(path))], {})
    assert found.audit.sound
    assert found.audit.notes == ("not in a folder YYYY/MM/DD",)


def test_the_tally_is_that_of_all_archives(tmp_path: Path) -> None:
    archives = [put(tmp_path, "a.warc.gz"), put(tmp_path, "b.warc.gz", b"")]
    before = {archives[0].name: next(audited(archives, {})).audit}
    tally = AuditTally()
    for each in audited(archives, before):
        tally.add(each)
    assert tally == AuditTally(archives=2, before=1, unsound=1, stories=3, bytes=len(SOUND))
