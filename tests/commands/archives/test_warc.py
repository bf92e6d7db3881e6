"""`story-indexer warc`: what is in an archive, and whether it is sound."""

import gzip
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from indexer.commands.archives.warc import app
from indexer.errors import InputError
from indexer.inputs.sources import LocalFile
from indexer.warc.members import Member, Members
from tests import paths
from tests.stories.archived import a_story, archive

DATA = paths.DATA / "warc"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "2024" / "sound.warc.gz"
    path.parent.mkdir()
    path.write_bytes(archive([a_story(number, b"\x80<p>page</p>") for number in range(3)]))
    return path


@pytest.fixture
def truncated(sound: Path) -> Path:
    path = sound.with_name("truncated.warc.gz")
    path.write_bytes(sound.read_bytes()[:-500])
    return path


def test_list_shows_a_line_a_story(sound: Path) -> None:
    result = run("list", sound)
    header, first, *others = result.stdout.splitlines()
    assert header.split() == ["RECORD", "DATE", "LANG", "BYTES", "URL", "TITLE"]
    assert first.split(maxsplit=5) == [
        "2",
        "2024-04-30T18:00:00Z",
        "ur",
        "12",
        "https://site.example/news/0",
        "عنوان 0",
    ]
    assert len(others) == 2
    assert result.exit_code == 0


def test_list_gives_a_line_of_json_a_story(sound: Path) -> None:
    lines = [json.loads(line) for line in run("list", "--json", sound).stdout.splitlines()]
    assert [each["record"] for each in lines] == [2, 4, 6]
    assert lines[1] == {
        "file": str(sound),
        "record": 4,
        "offset": lines[1]["offset"],
        "url": "https://site.example/news/1",
        "date": "2024-04-30T18:00:00Z",
        "title": "عنوان 1",
        "language": "ur",
        "publication_date": "2024-04-30",
        "domain": "site.example",
        "bytes": 12,
    }


def test_a_directory_stands_for_the_archives_in_it(sound: Path, truncated: Path) -> None:
    (sound.parent / "notes.txt").write_text("not an archive")
    result = run("list", "--json", sound.parent.parent)
    files = [json.loads(line)["file"] for line in result.stdout.splitlines()]
    assert files == [str(truncated)] * 2 + [str(sound)] * 3


def test_list_tells_what_is_damaged_and_goes_on(sound: Path, truncated: Path) -> None:
    result = run("list", truncated, sound)
    assert len(result.stdout.splitlines()) == 1 + 2 + 3
    assert f"{truncated}: record 7, offset " in result.stderr
    assert "ends in the middle of a record" in result.stderr
    assert result.exit_code == 1


@pytest.mark.parametrize(("command", "lines"), [("list", 4), ("verify", 1)])
def test_one_that_is_missing_does_not_keep_others_from_being_read(
    sound: Path, command: str, lines: int
) -> None:
    missing = sound.with_name("nothing.warc.gz")
    result = run(command, missing, sound)
    assert result.stderr == f"can't be read: {missing}: No such file or directory\n"
    assert len(result.stdout.splitlines()) == lines
    assert result.exit_code == 1


def test_list_goes_on_after_a_file_that_can_not_be_read(
    sound: Path, truncated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_unreadable(monkeypatch, "truncated")
    result = run("list", truncated, sound)
    assert result.stderr == f"can't be read: {truncated}: Input/output error\n"
    assert len(result.stdout.splitlines()) == 1 + 3
    assert result.exit_code == 1


def test_old_archives_are_listed_too() -> None:
    lines = run("list", DATA / "old.warc.gz", DATA / "golden.warc").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["RECORD", "2", "4", "6", "2", "4"]


def test_no_hidden_character_of_a_story_reaches_the_terminal(tmp_path: Path) -> None:
    story = a_story()
    title = "\x1b[2Jgone\x9b31m\r\n\u202etxt\u2028\u2066\ufeff"
    story.content_metadata.article_title = title
    path = tmp_path / "evil\u202e.warc.gz"
    path.write_bytes(archive([story]))
    for arguments in (["list"], ["list", "--json"], ["show"], ["verify"]):
        output = run(*arguments, path).stdout
        assert output.replace("\n", "").isprintable()
        assert "\\u202e" in output
    assert json.loads(run("show", path).stdout)["content_metadata"]["article_title"] == title


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        ([], 0),
        (["--record", "4"], 1),
        (["--record", "5"], 1),
        (["--url", "https://site.example/news/2"], 2),
        (["--url", "https://site.example/news/2?from=rss"], 2),
    ],
)
def test_show_prints_the_metadata_of_a_story(
    sound: Path, arguments: list[str], number: int
) -> None:
    result = run("show", sound, *arguments)
    assert json.loads(result.stdout) == a_story(number).metadata()


def test_show_keeps_what_this_version_does_not_know() -> None:
    shown = json.loads(run("show", DATA / "old.warc.gz", "--record", "4").stdout)
    assert shown["rss_entry"]["a_key_of_the_future"] == [1]


def test_show_gives_the_page_byte_for_byte(sound: Path) -> None:
    assert run("show", sound, "--html").stdout_bytes == b"\x80<p>page</p>"


def test_a_story_that_is_not_there_is_an_error(sound: Path) -> None:
    result = run("show", sound, "--url", "https://elsewhere.example/")
    assert isinstance(result.exception, InputError)
    assert "no such story" in str(result.exception)


def test_verify_says_that_an_archive_is_sound(sound: Path) -> None:
    result = run("verify", sound)
    assert result.stdout == f"{sound}: sound, 3 stories in 7 records\n"
    assert result.exit_code == 0


def test_verify_says_what_is_wrong_and_where(sound: Path, truncated: Path) -> None:
    result = run("verify", sound, truncated)
    first, second, *faults = result.stdout.splitlines()
    assert first == f"{sound}: sound, 3 stories in 7 records"
    assert second == f"{truncated}: NOT SOUND, 1 fault, 2 stories in 6 records"
    assert len(faults) == 1
    assert faults[0].startswith("  record 7, offset ")
    assert faults[0].endswith(": ends in the middle of a record")
    assert result.exit_code == 1


def test_verify_goes_on_after_a_file_that_is_no_archive(sound: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.warc.gz"
    page.write_text("<html>")
    result = run("verify", page, sound)
    assert result.stdout.splitlines()[:2] == [
        f"{page}: NOT SOUND, 1 fault, 0 stories in 0 records",
        "  record 1, offset 0: not a WARC file: it doesn't start as one",
    ]
    assert f"{sound}: sound" in result.stdout
    assert result.exit_code == 1


def test_verify_of_an_empty_file_names_no_place_in_it(tmp_path: Path) -> None:
    path = tmp_path / "empty.warc.gz"
    path.write_bytes(b"")
    assert run("verify", path).stdout.splitlines()[1:] == ["  there is no record in it"]


def test_verify_tells_that_the_end_is_missing_although_something_before_it_is_damaged(
    sound: Path,
) -> None:
    data = bytearray(sound.read_bytes())
    offsets = [
        json.loads(line)["offset"]
        for line in run("list", "--json", sound).stdout.split("\n")
        if line
    ]
    data[offsets[0] + 60] ^= 1
    members = [each for each in Members(io.BytesIO(bytes(data))) if isinstance(each, Member)]
    path = sound.with_name("incomplete.warc.gz")
    path.write_bytes(data[: members[-1].offset])
    assert run("verify", path).stdout.splitlines()[-1].endswith("the last response has no metadata")


def make_unreadable(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Have the disk fail where files of that name are."""

    class Bad(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    original = LocalFile.open
    monkeypatch.setattr(
        LocalFile, "open", lambda self: Bad() if name in str(self._path) else original(self)
    )


def test_verify_goes_on_after_a_file_that_can_not_be_read(
    sound: Path, truncated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_unreadable(monkeypatch, "truncated")
    result = run("verify", truncated, sound)
    assert result.stdout.splitlines() == [
        f"can't be read: {truncated}: Input/output error",
        f"{sound}: sound, 3 stories in 7 records",
    ]
    assert result.exit_code == 1


def test_only_so_many_faults_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "faulty.warc.gz"
    path.write_bytes(gzip.compress(b"garbage") * 1005)
    lines = run("verify", path).stdout.splitlines()
    assert len(lines) == 1002
    assert lines[-1] == "  and 5 more"


@pytest.mark.parametrize("command", ["list", "show", "verify"])
def test_what_is_not_there_is_an_error(command: str, tmp_path: Path) -> None:
    result = run(command, tmp_path / "nothing.warc.gz")
    assert isinstance(result.exception, InputError)
    assert "nothing.warc.gz" in str(result.exception)


def test_a_directory_without_archives_is_an_error(tmp_path: Path) -> None:
    result = run("verify", tmp_path)
    assert isinstance(result.exception, InputError)
    assert "no archives" in str(result.exception)


def test_archives_are_not_fetched_from_the_web() -> None:
    result = run("list", "https://site.example/a.warc.gz")
    assert "download it first" in result.stderr
    assert result.exit_code == 1


@pytest.mark.parametrize("command", ["list", "show", "verify"])
def test_help_has_examples(command: str) -> None:
    assert f"story-indexer warc {command}" in run(command, "--help").stdout


def test_index_makes_the_indexes_that_are_missing(sound: Path) -> None:
    index = sound.with_name(f"{sound.name}.cdxj")
    result = run("index", sound.parent)
    assert (result.exit_code, result.stdout) == (0, f"{index}: 3 pages\n1 index made\n")
    lines = index.read_bytes()
    assert [json.loads(line.split(b" ", 2)[2])["filename"] for line in lines.splitlines()] == [
        sound.name
    ] * 3
    index.write_bytes(b"older")
    assert "0 indexes made, 1 there before" in run("index", sound.as_uri()).stdout
    assert index.read_bytes() == b"older"
    assert "1 index made" in run("index", "--force", sound).stdout
    assert index.read_bytes() == lines


def test_index_reports_damage_and_indexes_the_rest(sound: Path, truncated: Path) -> None:
    (sound.parent / "nonsense.warc.gz").write_bytes(b"nonsense")
    result = run("index", sound.parent)
    assert result.exit_code == 1
    assert "truncated.warc.gz: record 7, offset " in result.stderr
    assert "nonsense.warc.gz: there is no page in it" in result.stderr
    assert len(truncated.with_name("truncated.warc.gz.cdxj").read_bytes().splitlines()) == 3
    assert sorted(sound.parent.glob("*.cdxj")) == [
        sound.parent / "sound.warc.gz.cdxj",
        sound.parent / "truncated.warc.gz.cdxj",
    ]


def test_index_says_what_it_cannot_write(sound: Path) -> None:
    sound.with_name(f"{sound.name}.cdxj").mkdir()
    result = run("index", "--force", sound)
    assert (result.exit_code, result.stdout) == (1, "0 indexes made\n")
    assert f"no index of {sound}: " in result.stderr
