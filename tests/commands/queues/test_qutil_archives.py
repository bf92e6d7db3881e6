"""`qutil dump_archives` and `load_archives`: what was dumped can be queued again, unchanged."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from indexer.broker import open_broker
from indexer.commands.queues.qutil import app
from indexer.errors import ArchiveError, BrokerError, ConfigurationError, InputError, StorageError
from indexer.messages.message import KEY_HEADER, Delivery, Headers, Send
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.archiving.story_archive_writer import ArchiveEntry, StoryArchiveWriter
from indexer.stories.story import RawHTML, RSSEntry, Story
from indexer.stories.tools import queue_dump
from tests.commands.queue_command import Queues
from tests.stories.archived import a_story, archive, varied
from tests.stories.old_archives import OldStory, old_archive


def send(number: int) -> Send:
    """A message of a quarantine, unlike its neighbours."""
    headers: Headers = {
        KEY_HEADER: "default",
        "x-mc-who": "parser",
        "x-mc-what": f"ValueError('« {number} »')",
        "x-mc-when": f"{number}.5",
        "x-mc-retries": number,
    }
    return Send("", "parser-quar", story(number).dump(), headers if number % 3 else {})


def story(number: int) -> Story:
    """A story that may not have been fetched, or have an empty page."""
    if number % 10 == 1:
        return Story(rss_entry=RSSEntry(link=f"https://site.example/{number}"))
    if number % 10 == 2:
        return Story(raw_html=RawHTML(html=b"", encoding="latin-1"))
    return varied(number)


def seen(messages: Sequence[Delivery | Send]) -> list[tuple[bytes, Headers]]:
    """What has to be the same of messages, in whatever order."""
    return sorted(((m.body, dict(m.headers)) for m in messages), key=lambda each: each[0])


def files(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.warc.gz"))


def archived(path: Path) -> list[ArchivedStory]:
    with path.open("rb") as file:
        found = [*read_stories(file)]
    assert all(isinstance(each, ArchivedStory) for each in found)
    return [each for each in found if isinstance(each, ArchivedStory)]


@pytest.fixture
def dumps(tmp_path: Path) -> Path:
    """A directory for dumps."""
    (tmp_path / "dumps").mkdir()
    return tmp_path / "dumps"


def test_a_dump_takes_the_messages_out_of_their_queue(queues: Queues, dumps: Path) -> None:
    sent = [send(number) for number in range(20)]
    queues.publish(sent)
    result = queues.qutil("dump_archives", "parser-quar", "--output-dir", dumps)
    assert result.exit_code == 0, result.output
    [path] = files(dumps)
    assert path.name.startswith("parser-quar-2")
    assert result.stdout == f"{path}: 20 stories\n20 stories of parser-quar dumped\n"
    assert queues.ready("parser-quar") == 0
    assert queues.qutil("load_archives", "parser-quar", path, "--dry-run", "0").exit_code == 0
    assert [m.body for m in queues.take("parser-quar", 20)] == [m.body for m in sent]


def test_stories_that_came_through_an_exchange_come_back_as_they_were(
    queues: Queues, dumps: Path
) -> None:
    sent = [Send("source-out", "default", story(n).dump()) for n in range(3)]
    sent += [Send("source-out", "a.key", a_story().dump())]
    queues.publish(sent)
    queues.qutil("dump_archives", "parser-in", "--output-dir", dumps)
    queues.qutil("load_archives", "parser-in", dumps, "--dry-run", "0")
    came = queues.take("parser-in", 4)
    assert [m.body for m in came] == [m.body for m in sent]
    assert [m.headers for m in came] == [{}, {}, {}, {KEY_HEADER: "a.key"}]


def test_an_exchange_can_be_loaded_into(queues: Queues, dumps: Path) -> None:
    (dumps / "a.warc.gz").write_bytes(archive([a_story()]))
    queues.qutil("load_archives", "parser-out", dumps, "--dry-run", "0")
    [came] = queues.take("importer-in", 1)
    assert (came.key, came.headers) == ("default", {})
    error = queues.qutil("load_archives", "nowhere-out", dumps).exception
    assert isinstance(error, BrokerError)
    assert str(error) == "no exchange nowhere-out"


def test_a_dump_shows_all_headers_those_of_the_broker_too(queues: Queues, dumps: Path) -> None:
    queues.publish([Send("", "parser-delay", a_story().dump(), {"x-mc-retries": 1}, delay=0)])
    assert queues.settles_at("parser-in", 1)
    queues.qutil("dump_archives", "parser-in", "--output-dir", dumps)
    [found] = archived(files(dumps)[0])
    headers = found.metadata["rabbitmq_headers"]
    assert headers["x-mc-retries"] == 1
    if queues.url.startswith("amqp"):
        assert headers["x-death"][0]["queue"] == "parser-delay"
        assert headers["x-death"][0]["time"].startswith("20")  # a datetime, as ISO


def test_what_is_no_story_stays_and_is_told(queues: Queues, dumps: Path) -> None:
    queues.publish([send(0), Send("", "parser-quar", b"\x1b[2J nonsense"), send(3)])
    result = queues.qutil("dump_archives", "parser-quar", "--output-dir", dumps)
    assert result.exit_code == 1
    assert "2 stories of parser-quar dumped" in result.stdout
    assert "1 messages are no stories, and stay in parser-quar" in result.stderr
    assert "\x1b" not in result.stderr
    assert [m.body for m in queues.take("parser-quar", 1)] == [b"\x1b[2J nonsense"]


def test_what_was_dumped_and_loaded_is_told_in_json(queues: Queues, dumps: Path) -> None:
    queues.publish([send(0), Send("", "parser-quar", b"nonsense"), send(3)])
    result = queues.qutil("dump_archives", "parser-quar", "--output-dir", dumps, "--json")
    [path] = files(dumps)
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"file": str(path), "stories": 2},
        {"summary": {"queue": "parser-quar", "stories": 2, "stayed": 1}},
    ]
    for dry_run in (1, 0):
        result = queues.qutil(
            "load_archives", "parser-in", path, "--json", "--dry-run", f"{dry_run}"
        )
        assert json.loads(result.stdout) == {
            "to": "parser-in",
            "dry_run": bool(dry_run),
            "queued": 2,
            "left_out": 0,
            "lost": 0,
            "skip": 2,
        }


def test_max_limits_what_is_dumped(queues: Queues, dumps: Path) -> None:
    queues.publish(send(number) for number in range(5))
    queues.qutil("dump_archives", "parser-quar", "--max", "2", "--output-dir", dumps)
    assert queues.settles_at("parser-quar", 3)
    queues.qutil("dump-archives", "parser-quar", "--keep", "--max", "1", "--output-dir", dumps)
    assert queues.settles_at("parser-quar", 3)
    assert sorted(len(archived(path)) for path in files(dumps)) == [1, 2]


def test_an_empty_queue_makes_no_archive(queues: Queues, dumps: Path) -> None:
    arguments = ["--idle-seconds", "0.1", "--output-dir", str(dumps)]
    result = queues.qutil("dump_archives", "parser-quar", *arguments)
    assert (result.exit_code, result.stdout) == (0, "0 stories of parser-quar dumped\n")
    assert [*dumps.iterdir()] == []


def test_a_file_that_is_not_sound_settles_nothing(
    queues: Queues, dumps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsound(_file: object, _stories: int) -> None:
        raise ArchiveError("a bad disk")

    monkeypatch.setattr(queue_dump, "ensure_sound", unsound)
    queues.publish(send(number) for number in range(3))
    result = queues.qutil("dump_archives", "parser-quar", "--output-dir", dumps)
    assert isinstance(result.exception, ArchiveError)
    assert queues.settles_at("parser-quar", 3)
    assert [*dumps.iterdir()] == []


def test_a_directory_that_can_not_be_written_to_is_an_error(queues: Queues, dumps: Path) -> None:
    queues.publish([send(1)])
    error = queues.qutil(
        "dump_archives", "parser-quar", "--output-dir", dumps / "nowhere"
    ).exception
    assert isinstance(error, StorageError)
    assert queues.settles_at("parser-quar", 1)


def test_load_only_says_what_it_would_do_unless_told(queues: Queues, dumps: Path) -> None:
    (dumps / "a.warc.gz").write_bytes(archive([a_story(n) for n in range(3)]))
    for dry in ([], ["--dry-run", "1"]):
        result = queues.qutil("load_archives", "parser-in", dumps, *dry)
        assert result.stdout == "would queue 3 stories to parser-in; --dry-run 0 does it\n"
        assert (result.exit_code, result.stderr) == (0, "")
    assert queues.ready("parser-in") == 0
    result = queues.qutil("load_archives", "parser-in", dumps, "--dry-run", "0")
    assert result.stdout == "3 stories queued to parser-in\n"
    assert queues.settles_at("parser-in", 3)


def test_load_takes_the_domains_and_the_number_that_were_asked_for(
    queues: Queues, dumps: Path
) -> None:
    (dumps / "a.warc.gz").write_bytes(archive([a_story(n) for n in range(5)]))
    load = ["load-archives", "parser-in", str(dumps)]
    out = queues.qutil(*load, "--include-domain", "example", "--max", "2").stdout
    assert out.startswith("would queue 2 stories")
    out = queues.qutil(*load, "--exclude-domain", "site.example").stdout
    assert out.startswith("would queue 0 stories to parser-in, 5 of other domains left out")
    queues.qutil(*load, "--skip", "1", "--max", "3", "--dry-run", "0")
    came = queues.take("parser-in", 3)
    assert [m.body for m in came] == [a_story(n).dump() for n in (1, 2, 3)]


def test_dumps_of_the_existing_system_can_be_loaded(queues: Queues, dumps: Path) -> None:
    fetched = {
        "rss_entry": {"link": "https://old.example/1", "title": "One", "pub_date": None},
        "http_metadata": {"response_code": 200, "final_url": "https://old.example/1"},
        "content_metadata": {"url": None, "parsed_date": None},
        "rabbitmq_headers": {
            **{"x-mc-who": "parser", "x-mc-what": "KeyError('a')", "x-mc-retries": 3},
            "x-death": [{"count": 3, "time": "datetime.datetime(2024, 2, 3, 4, 5, 6)"}],
        },
    }
    unread = {
        **{"rss_entry": {"link": "https://old.example/2"}, "rabbitmq_headers": None},
        **{"http_metadata": {"response_code": None}, "content_metadata": {}},
    }
    stories = [
        OldStory(
            "https://old.example/1", metadata=fetched, content_type="text/html; encoding=utf-8"
        ),
        OldStory("https://old.example/2", b"", metadata=unread, status="None HUH?"),
    ]
    (dumps / "parser-in-20240203040506-1-host.warc.gz").write_bytes(old_archive(stories))
    told = queues.qutil("load_archives", "parser-in", dumps, "--dry-run", "0")
    assert (told.stdout, told.exit_code) == ("2 stories queued to parser-in\n", 0)
    one, two = sorted(queues.take("parser-in", 2), key=lambda m: Story.load(m.body).label)
    first, second = Story.load(one.body), Story.load(two.body)
    assert (first.rss_entry.title, first.raw_html.html) == ("One", b"<p>page</p>")
    assert first.raw_html.encoding == "utf-8"
    assert one.headers["x-mc-retries"] == 3
    assert "x-death" not in one.headers
    assert (second.label, second.raw_html.html or b"") == ("https://old.example/2", b"")


def test_load_tells_what_is_damaged_and_queues_the_rest(queues: Queues, dumps: Path) -> None:
    (dumps / "a.warc.gz").write_bytes(archive([a_story(n) for n in range(3)])[:-100])
    result = queues.qutil("load_archives", "parser-in", dumps, "--dry-run", "0")
    assert result.exit_code == 1
    assert result.stdout == "2 stories queued to parser-in\n"
    assert "1 records or stories could not be queued" not in result.stdout
    assert "could not be queued" in result.stderr
    assert queues.settles_at("parser-in", 2)


def test_load_that_fails_says_how_to_go_on(
    queues: Queues, dumps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.broker.moving.MESSAGES", 2)
    (dumps / "a.warc.gz").write_bytes(archive([a_story(n) for n in range(7)]))
    kind = type(open_broker(queues.url))
    publish = kind.publish

    def fail_later(self: object, sends: Sequence[Send]) -> None:
        if any(each.body == a_story(4).dump() for each in sends):
            raise BrokerError("the broker is gone")
        publish(self, sends)  # type: ignore[arg-type] # of whichever kind it is

    monkeypatch.setattr(kind, "publish", fail_later)
    result = queues.qutil("load_archives", "parser-in", dumps, "--dry-run", "0")
    assert isinstance(result.exception, BrokerError)
    assert result.stderr.splitlines()[:2] == ["2 queued (--skip 2)", "4 queued (--skip 4)"]
    assert "4 queued, perhaps some of the next" in result.stderr
    assert result.stderr.endswith("go on with --skip 4\n")
    monkeypatch.undo()
    queues.qutil("load_archives", "parser-in", dumps, "--skip", "4", "--dry-run", "0")
    assert len({m.body for m in queues.take("parser-in", 7)}) == 7


def test_retries_can_be_reset_on_load(queues: Queues, dumps: Path) -> None:
    queues.publish([send(1)])
    queues.qutil("dump_archives", "parser-quar", "--output-dir", dumps)
    queues.qutil("load_archives", "parser-in", dumps, "--reset-retries", "--dry-run", "0")
    [came] = queues.take("parser-in", 1)
    assert came.headers == {KEY_HEADER: "default"}


@pytest.mark.parametrize("queue", ["parser-delay", "parser-fast", "importer-end"])
def test_load_refuses_where_stories_would_be_lost_or_stuck(queues: Queues, queue: str) -> None:
    assert isinstance(queues.qutil("load_archives", queue, ".").exception, ConfigurationError)


def test_load_of_nothing_is_an_error(queues: Queues, dumps: Path) -> None:
    result = queues.qutil("load_archives", "parser-in", dumps)
    assert isinstance(result.exception, InputError)


@pytest.mark.parametrize("value", ["2", "-1", "no"])
def test_dry_run_is_0_or_1(value: str) -> None:
    result = CliRunner().invoke(app, ["load_archives", "parser-in", ".", "--dry-run", value])
    assert result.exit_code == 2


def test_a_header_no_broker_could_carry_is_told(queues: Queues, dumps: Path) -> None:
    queues.publish([send(1), send(2)])
    queues.qutil("dump_archives", "parser-quar", "--output-dir", dumps)
    [path] = files(dumps)
    stories = archived(path)
    with (dumps / "b.warc.gz").open("wb") as file:
        writer = StoryArchiveWriter(file, "b.warc.gz")
        for number, each in enumerate(stories):
            headers = {"x-mc-what": "x" * 70_000 if number else "fine"}
            story = each.story
            writer.write(ArchiveEntry.of(story, {**each.metadata, "rabbitmq_headers": headers}))
    result = queues.qutil("load_archives", "parser-in", dumps / "b.warc.gz", "--dry-run", "0")
    assert result.exit_code == 1
    assert "headers above" in result.stderr
    [came] = queues.take("parser-in", 1)
    assert came.headers["x-mc-what"] == "fine"
    assert json.loads(came.body.partition(b"\n")[0])["v"] == 1


def test_a_key_no_broker_could_carry_is_told_and_the_rest_queued(
    queues: Queues, dumps: Path
) -> None:
    with (dumps / "a.warc.gz").open("wb") as file:
        writer = StoryArchiveWriter(file, "a.warc.gz")
        for number, key in enumerate(("\ud800", "a.key")):
            writer.write(ArchiveEntry.of(a_story(number), {"rabbitmq_headers": {KEY_HEADER: key}}))
    result = queues.qutil("load_archives", "parser-out", dumps, "--dry-run", "0")
    assert result.exit_code == 1
    assert "not in Unicode" in result.stderr
    [came] = queues.take("importer-in", 1)
    assert came.body == a_story(1).dump()
