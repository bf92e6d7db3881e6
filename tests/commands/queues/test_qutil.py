"""`qutil`: look into queues and repair them, on both brokers."""

import json

import pytest
from typer.testing import CliRunner

from indexer.broker import open_broker
from indexer.commands.queues.quarantine import reasons
from indexer.commands.queues.qutil import app
from indexer.errors import BrokerError, ConfigurationError, StoryIndexerError
from indexer.messages.message import KEY_HEADER, Delivery, Headers, Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import waiting_queues
from tests.commands.queue_command import Queues
from tests.stories.archived import a_story

FAILED = {
    KEY_HEADER: "default",
    "x-mc-who": "parser",
    "x-mc-when": "1714564800.5",
    "x-mc-where": "parser.py:12",
    "x-mc-name": "process",
}


def put_aside(what: str, number: int = 1, headers: Headers | None = None) -> Send:
    """A story in the quarantine of the parser."""
    body = a_story(number).dump()
    return Send("", "parser-quar", body, {**FAILED, "x-mc-what": what, **(headers or {})})


def fails(queues: Queues, *arguments: str) -> StoryIndexerError:
    """The error that a command ends with."""
    error = queues.qutil(*arguments).exception
    assert isinstance(error, StoryIndexerError), error
    return error


def test_list_shows_how_full_all_queues_are(queues: Queues) -> None:
    queues.publish([put_aside("ValueError")] * 3)
    result = queues.qutil("list")
    rows = {words[0]: words[1:] for words in map(str.split, result.stdout.splitlines())}
    assert rows["parser-quar"][0] == "3"
    assert rows["parser-in"][0] == "0"
    assert result.exit_code == 0


def test_an_empty_queue_is_said_to_be_empty(queues: Queues) -> None:
    for command in ("show", "reasons"):
        result = queues.qutil(command, "parser-quar")
        assert (result.stdout, result.stderr) == ("", "parser-quar: no messages\n")


def test_list_gives_a_line_of_json_a_queue(queues: Queues) -> None:
    queues.publish([put_aside("ValueError")] * 3)
    rows = [json.loads(line) for line in queues.qutil("list", "--json").stdout.splitlines()]
    found = {row.pop("queue"): row for row in rows}
    assert found["parser-quar"]["ready"] == 3
    assert {*found["parser-in"]} == {"ready", "in_hand", "consumers", "bytes"}


def test_show_tells_what_a_message_is_and_why_it_is_there(queues: Queues) -> None:
    queues.publish([put_aside("ValueError('bad')", 7)])
    out = queues.qutil("show", "parser-quar").stdout
    assert "1  https://site.example/news/7?from=rss\n" in out
    assert "x-mc-who: parser\n" in out
    assert "x-mc-when: 1714564800.5 (2024-05-01T12:00:00Z)\n" in out
    assert "x-mc-what: ValueError('bad')\n" in out
    assert '{"v":1,"rss_entry":{"link":"https://site.example/news/7' in out
    assert queues.settles_at("parser-quar", 1)


def test_show_gives_a_line_of_json_a_message(queues: Queues) -> None:
    queues.publish([put_aside("a", 1), put_aside("b", 2), put_aside("c", 3)])
    out = queues.qutil("show", "parser-quar", "--limit", "2", "--json").stdout
    first, second = map(json.loads, out.splitlines())
    assert (first["number"], second["number"]) == (1, 2)
    assert first["headers"] == {**FAILED, "x-mc-what": "a"}
    assert first["story"] == a_story(1).metadata()
    assert (first["label"], first["error"]) == (a_story(1).label, None)


def test_show_tells_which_messages_are_no_stories(queues: Queues) -> None:
    queues.publish([Send("", "parser-in", b"\x1b[31m \xff nonsense \xe2\x80\xae")])
    out = queues.qutil("show", "parser-in").stdout
    assert r"\u202e" in out
    assert "\u202e" not in out
    assert "1  not a story: " in out
    assert out.count("not a story") == 1
    assert "\x1b" not in out
    [row] = map(json.loads, queues.qutil("show", "parser-in", "--json").stdout.splitlines())
    assert row["story"] is None
    assert row["error"].startswith("not a story")


def test_reasons_groups_what_failed_in_the_same_way(queues: Queues) -> None:
    queues.publish(put_aside(f"KeyError({n})", n, {"x-mc-when": f"{n}"}) for n in range(5))
    queues.publish([put_aside("TooLarge()"), Send("", "parser-quar", b"nothing")])
    lines = queues.qutil("reasons", "parser-quar", "--json").stdout.splitlines()
    most, *others = map(json.loads, lines)
    assert most == {
        "count": 5,
        "who": "parser",
        "what": "KeyError(0)",
        "where": "parser.py:12",
        "first": "1970-01-01T00:00:00Z",
        "last": "1970-01-01T00:00:04Z",
        "sample": a_story(0).label,
    }
    assert [other["count"] for other in others] == [1, 1]
    assert others[1]["sample"] == "not a story, 7 bytes"
    assert queues.settles_at("parser-quar", 7)
    out = queues.qutil("reasons", "parser-quar").stdout
    assert "      5  KeyError(0)\n         parser, 1970-01-01T00:00:00Z to " in out
    assert "no reason given" in out


@pytest.mark.parametrize("whens", [("1", "", "2"), ("", "2", "1")])
def test_who_does_not_say_when_changes_no_time(whens: tuple[str, ...]) -> None:
    [reason] = reasons(Delivery(1, b"", headers={"x-mc-when": when}) for when in whens)
    assert (reason.first, reason.last) == ("1970-01-01T00:00:01Z", "1970-01-01T00:00:02Z")


def test_retry_sends_a_quarantine_back_to_its_step_as_new(queues: Queues) -> None:
    retried: Headers = {"x-mc-retries": 3, KEY_HEADER: "a.key", "of": "others"}
    queues.publish([put_aside("ValueError", 1, retried), put_aside("other", 2)])
    result = queues.qutil("retry", "parser")
    assert result.stdout == "2 messages from parser-quar to parser-in\n"
    first, _ = queues.take("parser-in", 2)
    assert first.headers == {KEY_HEADER: "a.key", "of": "others"}
    assert first.body == a_story(1).dump()
    assert queues.ready("parser-quar") == 0


def test_retry_may_take_only_some(queues: Queues) -> None:
    queues.publish(put_aside("no such key" if n % 2 else "TOO large", n) for n in range(6))
    result = queues.qutil("retry", "parser-quar", "--reason", "too Large", "--max", "2")
    assert result.stdout.startswith("2 messages from parser-quar to parser-in, ")
    assert [d.body for d in queues.take("parser-in", 2)] == [
        a_story(0).dump(),
        a_story(2).dump(),
    ]
    assert queues.settles_at("parser-quar", 4)
    result = queues.qutil("retry", "parser", "--reason", "nowhere")
    assert result.stdout == "0 messages from parser-quar to parser-in, 4 with other reasons stay\n"
    assert queues.settles_at("parser-quar", 4)


@pytest.mark.parametrize("name", ["parser-in", "parser-out", *waiting_queues("parser")])
def test_retry_takes_from_quarantines_only(queues: Queues, name: str) -> None:
    assert isinstance(fails(queues, "retry", name), ConfigurationError)


def test_move_keeps_the_headers_and_the_first_key(queues: Queues) -> None:
    body = a_story().dump()
    queues.publish([Send("source-out", "a.key", body, {"x-mc-retries": 2})])
    queues.publish([Send("", "parser-in", body, {KEY_HEADER: "b.key"})] * 2)
    assert queues.qutil("move", "parser-in", "importer-in", "--max", "2").exit_code == 0
    first, second = queues.take("importer-in", 2)
    assert first.headers == {"x-mc-retries": 2, KEY_HEADER: "a.key"}
    assert second.headers == {KEY_HEADER: "b.key"}
    assert queues.settles_at("parser-in", 1)


def test_move_lets_out_what_waits_for_its_time(queues: Queues) -> None:
    queues.publish([Send("", "parser-delay", b"x", {KEY_HEADER: "default"}, delay=3600)])
    assert queues.qutil("move", "parser-delay", "parser-in").exit_code == 0
    assert [d.body for d in queues.take("parser-in", 1)] == [b"x"]


def test_move_of_an_empty_queue_moves_nothing(queues: Queues) -> None:
    result = queues.qutil("move", "parser-in", "importer-in")
    assert result.stdout == "0 messages from parser-in to importer-in\n"


@pytest.mark.parametrize(
    "target", [*waiting_queues("parser"), "importer-end", "parser-in"], ids=str
)
def test_move_refuses_where_messages_would_be_lost_or_stuck(queues: Queues, target: str) -> None:
    assert isinstance(fails(queues, "move", "parser-in", target), ConfigurationError)


DESTRUCTIVE = ["purge", "delete"]


@pytest.mark.parametrize("command", DESTRUCTIVE)
def test_without_a_terminal_a_confirmation_is_an_error(queues: Queues, command: str) -> None:
    queues.publish([put_aside("x")])
    error = fails(queues, command, "parser-quar")
    assert isinstance(error, ConfigurationError)
    assert "--yes" in str(error)
    assert queues.ready("parser-quar") == 1


@pytest.mark.parametrize("command", DESTRUCTIVE)
@pytest.mark.parametrize("answer", ["y", "n"])
def test_a_person_is_asked_before_messages_are_dropped(
    queues: Queues, monkeypatch: pytest.MonkeyPatch, command: str, answer: str
) -> None:
    queues.publish([put_aside("x")] * 2)
    monkeypatch.setattr("indexer.commands.console.terminal._has_terminal", lambda: True)
    arguments = [command, "parser-quar", "--broker", queues.url]
    result = CliRunner().invoke(app, arguments, input=f"{answer}\n")
    assert "2 messages" in result.output
    assert result.exit_code == (0 if answer == "y" else 1)
    broker = open_broker(queues.url)
    depth = broker.depth("parser-quar")
    broker.close()
    left = {("purge", "y"): 0, ("delete", "y"): None}.get((command, answer), 2)
    assert (depth and depth.ready) == left


def test_with_yes_nobody_is_asked(queues: Queues) -> None:
    queues.publish([put_aside("x")] * 2)
    assert queues.qutil("purge", "parser-quar", "--yes").stdout == (
        "parser-quar: 2 messages dropped\n"
    )
    assert queues.qutil("delete", "parser-quar", "--yes").stdout == (
        "parser-quar: deleted, with 0 messages\n"
    )
    assert isinstance(fails(queues, "show", "parser-quar"), BrokerError)


def test_what_was_done_is_told_in_json(queues: Queues) -> None:
    queues.publish(put_aside("yes" if n else "no", n) for n in range(3))

    def told(*arguments: str) -> object:
        return json.loads(queues.qutil(*arguments, "--json").stdout)

    assert told("retry", "parser", "--reason", "yes") == {
        "from": "parser-quar",
        "to": "parser-in",
        "moved": 2,
        "stayed": 1,
    }
    assert told("move", "parser-in", "importer-in", "--max", "1") == {
        "from": "parser-in",
        "to": "importer-in",
        "moved": 1,
        "stayed": 0,
    }
    assert queues.settles_at("parser-quar", 1)
    assert told("purge", "parser-quar", "--yes") == {"queue": "parser-quar", "dropped": 1}
    deleted = told("delete", "parser-quar", "--yes")
    assert isinstance(deleted, dict)
    assert (deleted["queue"], deleted["deleted"], deleted["ready"]) == ("parser-quar", True, 0)


UNKNOWN = [
    ["show", "parser-inn"],
    ["reasons", "parser-inn"],
    ["move", "parser-inn", "importer-in"],
    ["move", "importer-in", "parser-inn"],
    ["purge", "parser-inn", "--yes"],
    ["delete", "parser-inn", "--yes"],
    ["dump_archives", "parser-inn"],
    ["load_archives", "parser-inn", "."],
]


@pytest.mark.parametrize("arguments", UNKNOWN, ids=" ".join)
def test_an_unknown_queue_is_an_error_with_the_nearest_names(
    queues: Queues, arguments: list[str]
) -> None:
    error = fails(queues, *arguments)
    assert not isinstance(error, ConfigurationError)  # that would be status 2
    assert str(error).startswith("no queue parser-inn: is it parser-in")


COMMANDS = ["list", "show", "reasons", "retry", "move", "purge", "delete"]


@pytest.mark.parametrize("command", [*COMMANDS, "dump_archives", "load_archives"])
def test_help_of_each_command_has_an_example(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert f"qutil {command} " in result.output


def test_retry_sends_to_the_queue_that_a_flavor_names(
    queues: Queues, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = Pipeline("named", [Step("source", to=["parser"]), Step("parser", queue="importer-in")])
    monkeypatch.setattr("indexer.commands.queues.qutil.PIPELINES", [named])
    queues.publish([Send("", "parser-quar", b"x")])
    result = queues.qutil("retry", "parser")
    assert "from parser-quar to importer-in" in result.output
