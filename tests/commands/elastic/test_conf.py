"""`elastic-conf`, as an operator and a deployment see it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from indexer.commands.elastic.conf import _take, app
from indexer.search.elasticsearch.admin.snapshots import Snapshots
from tests.commands.entering import Command, Entered
from tests.search.servers import Place, own_place
from tests.search.stub import Reply, Stub

NOWHERE = "http://127.0.0.1:1/news"


@pytest.fixture
def place(elasticsearch_url: str) -> Iterator[Place]:
    """A place on the real Elasticsearch."""
    with own_place(elasticsearch_url) as found:
        yield found


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command."""
    return Command(app, "elastic-conf", monkeypatch, capsys)


def lines(entered: Entered) -> list[dict[str, Any]]:
    """Lines of JSON."""
    return [json.loads(line) for line in entered.out.splitlines()]


@pytest.mark.external
def test_a_line_tells_what_became_of_each_part(command: Command, place: Place) -> None:
    output = command.run("--index-url", place.url, "--shards", "1", "--replicas", "0").out
    assert [line.split()[0] for line in output.splitlines()][-3:] == [
        "template",
        "index",
        "repository",
    ]
    assert f"{place.alias}-000001" in output
    made = place.server.indices.get(index=place.alias)[f"{place.alias}-000001"]
    assert made["settings"]["index"]["number_of_shards"] == "1"


@pytest.mark.external
def test_a_second_run_changes_nothing(command: Command, place: Place) -> None:
    repository = ["--es-snapshot-repo", place.alias, "--es-snapshot-repo-type", "fs"]
    arguments = ["configure", "--index-url", place.url, *repository, "--location", place.alias]
    first, second = (
        lines(command.run(*arguments, "--json")),
        lines(command.run(*arguments, "--json")),
    )
    made = {part["part"]: part["change"] for part in first}
    assert (made["template"], made["index"], made["repository"]) == ("created",) * 3
    assert {part["change"] for part in second} <= {"unchanged", "unsupported"}


@pytest.mark.external
def test_the_environment_counts_and_the_command_line_before_it(
    command: Command, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDEX_URL", place.url)
    monkeypatch.setenv("ELASTICSEARCH_SHARD_COUNT", "3")
    monkeypatch.setenv("ELASTICSEARCH_SHARD_REPLICAS", "0")
    command.run()
    command.run("--shards", "2")
    (template,) = place.server.indices.get_index_template(name=f"{place.alias}_template")[
        "index_templates"
    ]
    settings = template["index_template"]["template"]["settings"]["index"]
    assert (settings["number_of_shards"], settings["number_of_replicas"]) == ("2", "0")


@pytest.mark.external
def test_a_part_that_fails_is_told_and_the_status_is_1(command: Command, place: Place) -> None:
    repository = ["--es-snapshot-repo", place.alias, "--es-snapshot-repo-type", "fs"]
    where = ["--location", "/not/for/snapshots"]
    output = command.run("--index-url", place.url, *repository, *where, "--json", status=1)
    assert [part["part"] for part in lines(output) if part["change"] == "failed"] == [
        "repository",
        "snapshots",
    ]
    assert place.server.indices.exists(index=place.alias)


@pytest.mark.parametrize("words", [[], ["rollover"], ["snapshot", "--es-snapshot-repo", "x"]])
def test_a_server_that_does_not_answer_is_status_1(command: Command, words: list[str]) -> None:
    entered = command.run(*words, "--index-url", NOWHERE, status=1)
    assert "can't reach Elasticsearch" in entered.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--index-url", ""], "INDEX_URL"),
        (["--index-url", "sqlite:///x"], "http"),
        (["--index-url", "http://u:secret@host:x/y"], "user:password"),
        (["--shards", "0"], "--shards"),
        (["--replicas", "-1"], "--replicas"),
        (["--shards", "many"], "--shards"),
        (["--ilm-max-shard-size", "big"], "50gb"),
        (["--es-snapshot-repo", "x"], "--es-snapshot-repo-type"),
        (["--es-snapshot-repo", "x", "--es-snapshot-repo-type", "ftp"], "fs or s3"),
        (["--es-snapshot-repo", "x", "--es-snapshot-repo-type", "fs"], "--location"),
        (["--es-snapshot-repo", "x", "--es-snapshot-repo-type", "s3"], "--bucket or --endpoint"),
        (["snapshot"], "--es-snapshot-repo"),
        (["rollover", "--ilm-max-shard-size", "0gb"], "50gb"),
        (["rollover", "--max-docs", "0"], "--max-docs"),
        (["configur"], "configure"),
    ],
)
def test_bad_options_are_status_2(
    command: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str], why: str
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    if "--index-url" not in arguments:
        monkeypatch.setenv("INDEX_URL", NOWHERE)
    error = command.run(*arguments, status=2).err
    assert why in error
    assert "secret" not in error


def test_a_variable_that_is_no_number_is_status_2(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ELASTICSEARCH_SHARD_COUNT", "many")
    assert "shards" in command.run("--index-url", NOWHERE, status=2).err


@pytest.mark.external
def test_a_full_index_rolls_over(command: Command, place: Place) -> None:
    command.run("--index-url", place.url)
    rollover = ["rollover", "--index-url", place.url, "--ilm-max-shard-size", "50gb"]
    assert "not full" in command.run(*rollover).out
    place.server.index(index=place.alias, document={"url": "x"}, refresh=True)
    assert "not full" in command.run(*rollover).out
    assert "would roll over" in command.run(*rollover, "--max-docs", "1", "--dry-run").out
    (said,) = lines(command.run(*rollover, "--max-docs", "1", "--json"))
    assert (said["rolled_over"], said["new"]) == (True, f"{place.alias}-000002")
    assert "not full" in command.run(*rollover, "--max-docs", "1").out


@pytest.mark.external
def test_a_rollover_without_an_index_is_status_1(command: Command, place: Place) -> None:
    assert place.alias in command.run("rollover", "--index-url", place.url, status=1).err


@pytest.mark.external
def test_a_snapshot_is_taken_and_told(command: Command, place: Place) -> None:
    repository = ["--es-snapshot-repo", place.alias]
    where = ["--es-snapshot-repo-type", "fs", "--location", place.alias]
    command.run("--index-url", place.url, *repository, *where)
    (said,) = lines(command.run("snapshot", "--index-url", place.url, *repository, "--json"))
    assert said["state"] == "SUCCESS"
    (found,) = place.server.snapshot.get(repository=place.alias, snapshot="*")["snapshots"]
    assert (found["snapshot"], found["indices"]) == (said["snapshot"], [f"{place.alias}-000001"])


@pytest.mark.external
def test_a_snapshot_without_a_repository_is_status_1(command: Command, place: Place) -> None:
    command.run("--index-url", place.url)
    missing = ["--es-snapshot-repo", "none"]
    assert "missing" in command.run("snapshot", "--index-url", place.url, *missing, status=1).err


def described(name: str, state: str, start: int) -> dict[str, Any]:
    """A snapshot as a server describes it."""
    marked = {"policy": "bi_weekly_slm"}
    return {
        "snapshot": name,
        "state": state,
        "start_time_in_millis": start,
        "metadata": marked,
        "failures": [{"reason": "node left"}] if state == "PARTIAL" else [],
    }


TWELVE = [described(f"s{number}", "SUCCESS", number) for number in range(12)]


@pytest.mark.parametrize(
    ("replies", "is_done", "states"),
    [
        ([(200, {"snapshots": [described("new", "PARTIAL", 99)]})], False, ["PARTIAL"]),
        ([(200, {"snapshots": [described("new", "IN_PROGRESS", 99)]})], False, ["IN_PROGRESS"]),
        (
            [
                (200, {"snapshots": TWELVE[-1:]}),
                (200, {"snapshots": TWELVE}),
                (200, {}),
                (403, {"error": {"type": "no", "reason": "not yours"}}),
            ],
            False,
            ["SUCCESS", "DELETED", "NOT_DELETED"],
        ),
        (
            [(200, {"snapshots": TWELVE[-1:]}), (200, {"snapshots": TWELVE[1:]}), (200, {})],
            True,
            ["SUCCESS", "DELETED"],
        ),
    ],
    ids=["partial", "too slow", "not deleted", "good"],
)
def test_only_a_snapshot_that_went_well_makes_old_ones_go(
    capsys: pytest.CaptureFixture[str], replies: list[Reply], is_done: bool, states: list[str]
) -> None:
    stub = Stub((200, {"accepted": True}), *replies)
    snapshots = Snapshots(stub.client(), "mc_search", "backups", stub.patience(), lambda _: None)
    assert _take(snapshots, 0, as_json=True) is is_done
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["state"] for line in said] == states
    assert said[0]["why"] == ("node left" if states == ["PARTIAL"] else "")


def test_help_shows_examples(command: Command) -> None:
    for words in ([], ["configure"], ["rollover"], ["snapshot"]):
        assert "elastic-conf" in command.run(*words, "--help").out.split("Examples:")[1]
