"""`python pipeline.py`: flavors and their queues, on the embedded broker and on RabbitMQ."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from indexer.broker import open_broker
from indexer.commands.pipeline import app
from indexer.errors import ConfigurationError
from indexer.messages.message import Send
from indexer.messages.topology import Binding, Queue, Topology
from indexer.programs import deployment
from pipeline import DEFAULT, PIPELINES, flavor
from tests.each_row import each_row
from tests.paths import ROOT
from tests.toy.family.flavor import PIPELINE as FAMILY

NAMES = [pipeline.name for pipeline in PIPELINES]


def invoke(*arguments: str, input: str = "") -> tuple[int, str]:
    """Exit status and output of a command."""
    result = CliRunner().invoke(app, list(arguments), input=input)
    return result.exit_code, result.output


def test_list_shows_every_flavor_and_what_it_does() -> None:
    status, out = invoke("list")
    assert status == 0
    assert all(name in out for name in ("queue-fetcher", "batch-fetcher", "csv"))


ARCHIVERS = ["archiver", "drop-archiver"]
"""The last steps of flavors that have pages."""


@each_row(
    ("name", "steps"),
    [
        ("queue-fetcher", ["fetcher", "parser", "importer", *ARCHIVERS]),
        ("batch-fetcher", ["fetcher", "parser", "importer", *ARCHIVERS]),
        ("csv", ["fetcher", "parser", "importer", *ARCHIVERS]),
        ("historical", ["hist-fetcher", "parser", "importer", *ARCHIVERS]),
        ("archive", ["importer"]),
        ("reparse", ["parser", "importer"]),
        ("feeds", ["feed-fetcher", "feed-parser", "story-saver"]),
        (
            "follow",
            [
                "feed-fetcher",
                "feed-parser",
                "story-saver",
                "fetcher",
                "parser",
                "importer",
                *ARCHIVERS,
            ],
        ),
        ("pipeview", ["pipeview"]),
    ],
)
def test_each_step_of_a_flavor_has_its_queues_and_the_last_an_end(
    name: str, steps: list[str]
) -> None:
    queues = {queue.name for queue in flavor(name).compile().queues}
    kinds = ("in", "quar", "fast", "delay-short", "delay", "delay-long")
    ends = {f"{step}-end" for step in (ARCHIVERS if ARCHIVERS[0] in steps else steps[-1:])}
    assert queues == {f"{step}-{kind}" for step in steps for kind in kinds} | ends


@each_row(
    ("name", "prefix"),
    [
        ("queue-fetcher", "mc"),
        ("csv", "mccsv"),
        ("historical", "mchist{year}"),
        ("follow", "mc"),
    ],
)
def test_archives_of_a_flavor_are_named(name: str, prefix: str) -> None:
    assert flavor(name).environment["ARCHIVER_PREFIX"] == prefix


@each_row("name", NAMES)
def test_every_program_of_a_flavor_is_there(name: str) -> None:
    pipeline = flavor(name)
    for step in pipeline.steps:
        module = Path(pipeline.program(step).replace(".", "/") + ".py")
        assert (ROOT / module).is_file()


def test_production_is_the_default() -> None:
    assert DEFAULT == "queue-fetcher"


def test_an_unknown_flavor_lists_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match="queue-fetcher, batch-fetcher, csv"):
        flavor("weekly")


def test_show_prints_steps_queues_and_bindings() -> None:
    status, out = invoke("show", "--type", "csv")
    assert status == 0
    assert "csv-queuer → fetcher" in out
    assert "fetcher-delay ⇢ fetcher-in" in out
    assert "csv-queuer-out → fetcher-in [#]" in out


@pytest.fixture
def family(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flavor whose steps speak on a shared exchange: `toy`."""
    monkeypatch.setattr("pipeline.PIPELINES", [*PIPELINES, FAMILY])


@pytest.mark.usefixtures("family")
def test_show_prints_how_steps_speak_and_what_unheard_means() -> None:
    lines = invoke("show", "--type", "toy")[1].splitlines()
    assert "queue     red_painter ⇢ red-painter-quar" in lines
    assert "exchange  toy_exchange   (other programs may use it, too)" in lines
    assert "exchange  red-painter-instances   (a queue that expires for each running instance)" in (
        lines
    )
    assert "binding   toy_exchange → red_painter [job.start.red.*]" in lines
    assert "binding   red-painter-out → exchange toy_exchange [job.status.#]" in lines
    assert "unheard   job.start.#: returned" in lines
    shown = json.loads(invoke("show", "--type", "toy", "--json")[1])
    start = {"exchange": "toy_exchange", "queue": "red_painter", "key": "job.start.red.*"}
    status = {"exchange": "red-painter-out", "to_exchange": "toy_exchange", "key": "log.#"}
    assert start in shown["bindings"]
    assert status in shown["bindings"]
    assert shown["unheard"]["job.start.#"] == "returned"


def test_show_prints_the_keys_of_each_next_step() -> None:
    lines = invoke("show", "--type", "feeds")[1].splitlines()
    assert "binding   feed-fetcher-out → feed-parser-in [default]" in lines
    assert "binding   feed-fetcher-out → story-saver-in [no-document]" in lines
    step = json.loads(invoke("show", "--type", "feeds", "--json")[1])["steps"][1]
    assert step["to"] == ["feed-parser", "story-saver"]


@pytest.mark.usefixtures("family")
def test_delete_leaves_an_exchange_that_others_use(tmp_path: Path) -> None:
    at = ["--type", "toy", "--data", str(tmp_path)]
    invoke("configure", *at)
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    bound = [Binding("toy_exchange", "foreign_ui", "#")]
    broker.declare(Topology([Queue("foreign_ui")], bindings=bound, shared=["toy_exchange"]))
    assert "toy_exchange: not deleted" in invoke("delete", "--yes", *at)[1]
    assert broker.exchanges() == ["toy_exchange"]
    broker.delete(Topology([Queue("foreign_ui")]))
    broker.close()
    invoke("configure", *at)
    assert "not deleted" not in invoke("delete", "--yes", *at)[1]


def test_configure_test_qlen_and_delete(tmp_path: Path) -> None:
    at = ["--data", str(tmp_path)]
    status, out = invoke("test", *at)
    assert status == 1
    assert "parser-in" in out
    assert invoke("configure", *at)[0] == 0
    assert invoke("test", *at) == (0, "")
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.publish([Send("", "parser-in", b"12345")])
    broker.close()
    status, out = invoke("qlen", *at)
    assert [line.split()[:2] for line in out.splitlines() if "parser-in" in line] == [
        ["parser-in", "1"]
    ]
    result = CliRunner().invoke(app, ["delete", *at])
    assert isinstance(result.exception, ConfigurationError), "nobody is there to be asked"
    assert invoke("test", *at)[0] == 0
    status, out = invoke("delete", "--yes", *at)
    assert status == 0
    assert out.startswith("queue-fetcher: deleted, with 1 messages\n")
    assert invoke("test", *at)[0] == 1


@pytest.mark.parametrize("command", ["test", "qlen", "delete"])
def test_only_configure_makes_a_data_directory(command: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    result = CliRunner().invoke(app, [command, "--data", str(wrong)])
    assert isinstance(result.exception, ConfigurationError)
    assert str(result.exception) == f"{wrong}: no such directory"
    assert not wrong.exists()
    assert invoke("configure", "--data", str(wrong))[0] == 0
    assert wrong.is_dir()


def test_a_data_directory_that_can_not_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(app, ["configure", "--data", str(tmp_path / "file" / "data")])
    assert isinstance(result.exception, ConfigurationError)


def test_a_broker_elsewhere_needs_no_data_directory(tmp_path: Path) -> None:
    broker = f"sqlite:///{tmp_path / 'queues.sqlite3'}"
    wrong = tmp_path / "wrong"
    assert invoke("configure", "--data", str(wrong), "--broker", broker)[0] == 0
    assert invoke("test", "--data", str(wrong), "--broker", broker)[0] == 0
    assert not wrong.exists()


def test_delete_names_the_other_flavors_whose_queues_it_deletes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.commands.console.terminal._has_terminal", lambda: True)
    at = ["--type", "csv", "--data", str(tmp_path)]
    invoke("configure", *at)
    status, out = invoke("delete", *at, input="n\n")
    assert status == 1
    queues = {queue.name for queue in flavor("csv").compile().queues}
    sharing = [
        each.name
        for each in PIPELINES
        if each.name != "csv" and queues & {queue.name for queue in each.compile().queues}
    ]
    others = ", ".join(sharing)
    assert {"queue-fetcher", "batch-fetcher", "follow"} <= set(sharing)
    assert f"queues of csv, some of them queues of {others} too" in out
    status, out = invoke("delete", *at, "--yes")
    assert status == 0
    assert f"{others}: shared queues" in out


@each_row("command", ["list", "show", "configure", "qlen", "test", "delete", "run"])
def test_help_of_each_command_says_what_it_does(command: str) -> None:
    status, out = invoke(command, "--help")
    assert status == 0
    assert len(out) > 100


def test_help_of_run_names_this_program_and_the_variables() -> None:
    out = CliRunner().invoke(app, ["run", "--help"], env={"COLUMNS": "200"}).output
    for variable in ("BROKER_URL", "INDEX_URL", "ARCHIVE_URL"):
        assert f"[env {variable}" in out
    assert "story-indexer pipeline run urls.csv" in out
    assert "story-indexer run" not in out


DEPLOYMENT = "mc-configuration-2026-01-02-test"


@pytest.mark.external
def test_a_flavor_is_configured_tested_counted_and_deleted_on_rabbitmq(
    rabbitmq_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RABBITMQ_URL", rabbitmq_url)
    at = ["--type", "historical"]
    assert invoke("test", *at)[0] == 1
    assert invoke("configure", *at)[0] == 0
    assert invoke("test", *at) == (0, "")
    broker = open_broker(rabbitmq_url)
    broker.publish([Send("", "hist-fetcher-in", b"12345")])
    broker.close()
    _, out = invoke("qlen", *at)
    assert [line.split()[:2] for line in out.splitlines() if "hist-fetcher-in" in line] == [
        ["hist-fetcher-in", "1"]
    ]
    assert "deleted, with 1 messages" in invoke("delete", "--yes", *at)[1]
    assert invoke("test", *at)[0] == 1


def test_with_a_breadcrumb_exchange_its_queue_is_configured_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BREADCRUMB_EXCHANGE", "crumbs")
    assert invoke("configure", "--type", "csv", "--data", str(tmp_path))[0] == 0
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.publish([Send("crumbs", "default", b"{}")])
    depth = broker.depth("pipeview-in")
    broker.close()
    assert depth is not None
    assert depth.ready == 1


def test_what_is_deleted_is_announced_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOYMENT_ID", DEPLOYMENT)
    at = ["--data", str(tmp_path)]
    assert invoke("configure", *at)[0] == 0
    assert invoke("delete", "--yes", *at)[0] == 0
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    assert not deployment.is_announced(broker, DEPLOYMENT)
    broker.close()


def test_test_asks_for_the_announcement_and_for_breadcrumbs_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ["--data", str(tmp_path)]
    assert invoke("configure", *at)[0] == 0
    monkeypatch.setenv("DEPLOYMENT_ID", DEPLOYMENT)
    assert invoke("test", *at) == (1, f"{DEPLOYMENT} is not announced\n")
    monkeypatch.delenv("DEPLOYMENT_ID")
    monkeypatch.setenv("BREADCRUMB_EXCHANGE", "crumbs")
    status, out = invoke("test", *at, "--json")
    assert status == 1
    assert any("pipeview-in" in line for line in json.loads(out)["missing"])


def test_what_is_printed_can_be_had_as_json(tmp_path: Path) -> None:
    at = ["--data", str(tmp_path), "--json"]
    invoke("configure", *at[:2])
    flavors = [json.loads(line)["flavor"] for line in invoke("list", "--json")[1].splitlines()]
    assert flavors == NAMES
    shown = json.loads(invoke("show", "--json")[1])
    assert {"name": "parser-in", "dead_letter": "parser-quar"}.items() <= next(
        queue for queue in shown["queues"] if queue["name"] == "parser-in"
    ).items()
    rows = [json.loads(line) for line in invoke("qlen", *at)[1].splitlines()]
    [row] = [row for row in rows if row["queue"] == "parser-in"]
    assert row["ready"] == 0
    assert json.loads(invoke("test", *at)[1]) == {"flavor": "queue-fetcher", "missing": []}


def test_a_deployment_needs_its_prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOYMENT_ID", "parser-out")
    result = CliRunner().invoke(app, ["configure", "--data", str(tmp_path)])
    assert isinstance(result.exception, ConfigurationError)
