"""`story-indexer archives`: what is in archives, which has a story, whether all are sound."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from indexer.commands.archives.archives import app
from indexer.errors import InputError, StorageError
from indexer.news.normalized_urls import unique_url_hash
from tests import paths
from tests.each_row import each_row
from tests.stories.archived import a_story, archive

DATA = paths.DATA / "warc"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def url(number: int) -> str:
    return f"https://site.example/news/{number}"


def put(folder: Path, key: str, data: bytes) -> Path:
    path = folder / key
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A directory with two sound archives of three stories each."""
    root = tmp_path / "archive"
    for day in (1, 2):
        stories = [a_story(10 * day + number) for number in range(3)]
        put(root, f"2024/05/0{day}/mc-2024050{day}120000-1-host.warc.gz", archive(stories))
    return root


@pytest.fixture
def damaged(store: Path) -> Path:
    """The directory, with an archive more that is cut off and one that is none."""
    stories = [a_story(30 + number) for number in range(3)]
    put(store, "2024/05/03/mc-20240503120000-1-host.warc.gz", archive(stories)[:-200])
    put(store, "2024/05/04/page.warc.gz", b"<html>")
    return store


def names(store: Path) -> list[str]:
    """The archives, in the order in which they are read."""
    return [str(path) for path in sorted(store.rglob("*.warc.gz"), reverse=True)]


def test_list_prints_the_urls_that_stories_are_indexed_by(store: Path) -> None:
    result = run("list", store)
    assert result.stdout.splitlines() == [url(number) for number in (20, 21, 22, 10, 11, 12)]
    assert (result.exit_code, result.stderr) == (0, "")


def test_without_names_the_archives_of_the_data_directory_are_read(store: Path) -> None:
    data = store.parent
    assert run("list", "--data", data).stdout == run("list", store).stdout
    assert run("verify", "--json", "--data", data).stdout == run("verify", "--json", store).stdout
    found = run("find", url(11), "--data", data)
    assert (found.stdout, found.exit_code) == (run("find", url(11), "--in", store).stdout, 0)


def test_archives_without_stories_are_said_to_have_none(tmp_path: Path) -> None:
    put(tmp_path, "empty.warc.gz", archive([]))
    result = run("list", tmp_path)
    assert (result.stdout, result.stderr) == ("", "no stories\n")


def test_a_data_directory_without_archives_is_an_error(tmp_path: Path) -> None:
    for command in (["list"], ["verify"], ["find", url(1)]):
        result = run(*command, "--data", tmp_path)
        assert isinstance(result.exception, InputError)
        assert str(tmp_path / "archive") in str(result.exception)


def test_list_says_in_json_where_each_is(store: Path) -> None:
    lines = [json.loads(line) for line in run("list", "--json", store).stdout.splitlines()]
    assert [each["archive"] for each in lines] == [name for name in names(store) for _ in range(3)]
    assert lines[1] == {
        "archive": names(store)[0],
        "record": 4,
        "offset": lines[1]["offset"],
        "date": "2024-04-30T18:00:00Z",
        "url": url(21),
    }


@pytest.mark.parametrize("option", ["--names", "-w"])
def test_list_may_tell_the_archives_only_and_reads_none(damaged: Path, option: str) -> None:
    result = run("list", option, damaged)
    assert result.stdout.splitlines() == names(damaged)
    assert result.exit_code == 0
    lines = run("list", option, "--json", damaged).stdout.splitlines()
    assert json.loads(lines[0]) == {"archive": names(damaged)[0]}


def test_list_tells_what_is_damaged_lists_the_rest_and_fails(damaged: Path) -> None:
    result = run("list", damaged)
    assert result.stdout.split() == [url(number) for number in (30, 31, 20, 21, 22, 10, 11, 12)]
    page, cut = names(damaged)[:2]
    assert f"{page}: record 1, offset 0: not a WARC file" in result.stderr
    assert f"{cut}: record 7, offset " in result.stderr
    assert result.exit_code == 1


def test_list_writes_a_file_with_all_that_could_be_read(damaged: Path, tmp_path: Path) -> None:
    to = tmp_path / "urls.txt"
    result = run("list", damaged, "--output", to)
    assert (len(to.read_text().splitlines()), result.stdout, result.exit_code) == (8, "", 1)


def test_a_list_is_whole_or_not_there(store: Path, tmp_path: Path) -> None:
    to = tmp_path / "urls.txt"
    to.write_text("as it was")
    result = run("list", store, "-o", tmp_path / "no" / "urls.txt")
    assert isinstance(result.exception, StorageError)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("indexer.commands.archives.all_archives.read_stories", lambda _: 1 / 0)
        assert isinstance(run("list", store, "-o", to).exception, ZeroDivisionError)
    assert to.read_text() == "as it was"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["urls.txt"]


def test_a_list_of_names_is_written_to_a_file_too(store: Path, tmp_path: Path) -> None:
    to = tmp_path / "names.txt"
    assert run("list", "--names", store, "-o", to).exit_code == 0
    assert to.read_text() == run("list", "--names", store).stdout


def test_a_list_is_written_to_what_is_no_file(store: Path) -> None:
    assert run("list", store, "-o", "/dev/null").exit_code == 0
    assert not Path("/dev/null").is_file()


def test_old_archives_are_listed_too() -> None:
    assert len(run("list", DATA / "old.warc.gz", DATA / "golden.warc").stdout.splitlines()) == 5


def test_find_tells_archive_record_date_and_url(store: Path) -> None:
    result = run("find", f"{url(11)}?from=rss", url(21), "--in", store)
    newer, older = names(store)
    assert result.stdout.splitlines() == [
        f"{newer}  4  2024-04-30T18:00:00Z  {url(21)}",
        f"{older}  4  2024-04-30T18:00:00Z  {url(11)}",
    ]
    assert result.exit_code == 0


def test_find_reads_the_urls_of_a_file_and_names_those_not_found(
    store: Path, tmp_path: Path
) -> None:
    wanted = tmp_path / "urls.txt"
    wanted.write_bytes(f"{url(11)}#x\n{url(99)}\nnonsense\x1b\n".encode() + b"x" * 10_000_000)
    result = run("find", "--urls-from", wanted, "--in", store / "2024", "--json")
    [found] = map(json.loads, result.stdout.splitlines())
    assert found == {
        "archive": names(store)[1],
        "wanted": f"{url(11)}#x",
        "record": 4,
        "offset": found["offset"],
        "date": "2024-04-30T18:00:00Z",
        "url": url(11),
    }
    assert result.stderr.splitlines() == [
        f"not found: {url(99)}",
        "bad-url: nonsense: line 3: not UTF-8, or with control characters",
        "bad-url: : line 4 is longer than 8192 characters",
    ]
    assert result.exit_code == 1


def test_find_fails_when_an_archive_could_not_be_read(damaged: Path) -> None:
    result = run("find", url(11), "--in", damaged)
    assert "mc-20240501120000-1-host.warc.gz  4" in result.stdout
    assert "not found" not in result.stderr
    assert result.exit_code == 1


@pytest.mark.parametrize("arguments", [["find", "--in", "."], ["verify", ".", "--jobs", "0"]])
def test_options_that_make_no_sense_are_status_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_verify_tells_that_all_are_sound(store: Path) -> None:
    result = run("verify", store, "--jobs", "3")
    assert result.stdout == "2 archives: 2 sound, 0 not sound; 6 stories, 0.00 GB\n"
    assert result.exit_code == 0


def test_verify_tells_which_are_not_and_why(damaged: Path) -> None:
    result = run("verify", damaged)
    page, cut = names(damaged)[:2]
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        f"{page}: NOT SOUND, 1 fault, 0 stories in 0 records",
        "  record 1, offset 0: not a WARC file: it doesn't start as one",
    ]
    assert lines[2] == f"{cut}: NOT SOUND, 1 fault, 2 stories in 6 records"
    assert lines[3].endswith(": ends in the middle of a record")
    assert lines[4] == "4 archives: 2 sound, 2 not sound; 8 stories, 0.00 GB"
    assert result.exit_code == 1


def test_verify_prints_json_with_the_summary_last(damaged: Path) -> None:
    result = run("verify", damaged, "--json")
    *archives, summary = map(json.loads, result.stdout.splitlines())
    assert [each["archive"] for each in archives] == names(damaged)
    assert [each["sound"] for each in archives] == [False, False, True, True]
    size = sum(path.stat().st_size for path in damaged.rglob("*.warc.gz"))
    assert summary["summary"] == {
        "archives": 4,
        "before": 0,
        "unsound": 2,
        "noted": 0,
        "stories": 8,
        "bytes": size,
    }


def test_verify_with_a_report_reads_again_only_what_was_not_sound(
    damaged: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.jsonl"
    run("verify", damaged, "--report", report)
    assert [json.loads(line)["sound"] for line in report.open()] == [False, False, True, True]
    put(damaged, "2024/05/03/mc-20240503120000-1-host.warc.gz", archive([a_story(1)]))
    (damaged / "2024/05/04/page.warc.gz").unlink()
    with report.open("a") as file:
        file.write('{"archive": "half a li')
    result = run("verify", damaged, "--report", report)
    assert result.stdout == (
        "3 archives: 3 sound, 0 not sound, 2 of them verified before; 7 stories, 0.00 GB\n"
    )
    assert [json.loads(line)["sound"] for line in report.open()][4:] == [True]
    assert result.exit_code == 0


def test_verify_notes_what_is_in_the_wrong_place(store: Path) -> None:
    path = put(store, "2024/05/09/mc-20240501120000-2-host.warc.gz", archive([a_story(1)]))
    result = run("verify", store)
    assert result.stdout.splitlines()[0] == (
        f"{path}: note: in the folder of 2024-05-09, but its name has the date 2024-05-01"
    )
    assert result.exit_code == 0


def test_verify_refuses_a_report_that_is_something_else(store: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("my notes")
    assert isinstance(run("verify", store, "--report", precious).exception, InputError)
    assert precious.read_text() == "my notes"


def test_no_control_character_of_an_archive_reaches_the_terminal(tmp_path: Path) -> None:
    story = a_story(1)
    story.content_metadata.url = "https://site.example/\x1b[2Jgone\x9b"
    path = tmp_path / "evil.warc.gz"
    path.write_bytes(archive([story]))
    for command in (["list"], ["list", "--json"], ["find", f"{url(1)}?from=rss", "--in"]):
        output = run(*command, path).stdout
        assert "gone" in output
        assert not set(output) & {"\x1b", "\x9b"}


def test_a_list_is_one_of_the_same_documents(tmp_path: Path) -> None:
    story = a_story(1)
    story.content_metadata.url = "https://site.example/سلام دنیا"
    path = tmp_path / "one.warc.gz"
    path.write_bytes(archive([story]))
    listed = run("list", path).stdout.strip()
    assert unique_url_hash(listed) == unique_url_hash(story.content_metadata.url)


@pytest.mark.parametrize(
    ("command", "lines"),
    [(["list"], 6), (["list", "--names"], 2), (["verify"], 1), (["find", url(11), "--in"], 1)],
)
def test_one_that_is_missing_does_not_keep_others_from_being_read(
    store: Path, tmp_path: Path, command: list[str], lines: int
) -> None:
    missing = tmp_path / "nothing.warc.gz"
    listed = tmp_path / "archives.txt"
    listed.write_text(f"{missing}\n{store}\n")
    result = run(*command, f"@{listed}")
    assert result.stderr == f"can't be read: {missing}: No such file or directory\n"
    assert len(result.stdout.splitlines()) == lines
    assert result.exit_code == 1


@pytest.mark.parametrize("command", ["list", "verify", "find"])
def test_what_is_not_there_is_an_error(command: str, tmp_path: Path) -> None:
    where = ["--in"] if command == "find" else []
    result = run(command, *([url(1)] if where else []), *where, tmp_path / "nothing.warc.gz")
    assert isinstance(result.exception, InputError)
    assert "nothing.warc.gz" in str(result.exception)


@each_row("command", ["list", "find", "erase", "verify"])
def test_help_has_examples(command: str) -> None:
    assert f"story-indexer archives {command}" in run(command, "--help").stdout
