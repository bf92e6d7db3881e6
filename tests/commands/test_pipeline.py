"""`python pipeline.py`: flavors and their queues, on the embedded broker."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from indexer.broker import open_broker
from indexer.commands.pipeline import app
from indexer.errors import ConfigurationError
from indexer.message import Send
from pipeline import DEFAULT, PIPELINES, flavor

NAMES = [pipeline.name for pipeline in PIPELINES]


def invoke(*arguments: str, input: str = "") -> tuple[int, str]:
    """Exit status and output of a command."""
    result = CliRunner().invoke(app, list(arguments), input=input)
    return result.exit_code, result.output


def test_list_shows_every_flavor_and_what_it_does() -> None:
    status, out = invoke("list")
    assert status == 0
    assert all(name in out for name in ("queue-fetcher", "batch-fetcher", "csv"))


@pytest.mark.parametrize("name", NAMES)
def test_every_flavor_compiles_and_ends_in_the_archiver(name: str) -> None:
    topology = flavor(name).compile()
    queues = {queue.name for queue in topology.queues}
    for step in ("fetcher", "parser", "importer", "archiver"):
        assert {f"{step}-in", f"{step}-quar", f"{step}-delay", f"{step}-fast"} <= queues
    assert "archiver-end" in queues


@pytest.mark.parametrize("name", NAMES)
def test_every_program_of_a_flavor_is_there(name: str) -> None:
    pipeline = flavor(name)
    for step in pipeline.steps:
        module = Path(pipeline.program(step).replace(".", "/") + ".py")
        assert (Path(__file__).parents[2] / module).is_file()


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
    assert invoke("delete", *at, input="n\n")[0] == 1
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


def test_delete_names_the_other_flavors_whose_queues_it_deletes(tmp_path: Path) -> None:
    at = ["--type", "csv", "--data", str(tmp_path)]
    invoke("configure", *at)
    status, out = invoke("delete", *at, input="n\n")
    assert status == 1
    assert "queues of csv, some of them queues of queue-fetcher, batch-fetcher too," in out
    status, out = invoke("delete", *at, "--yes")
    assert status == 0
    assert "queue-fetcher, batch-fetcher: shared queues deleted too" in out


@pytest.mark.parametrize("command", ["list", "show", "configure", "qlen", "test", "delete", "run"])
def test_help_of_each_command_says_what_it_does(command: str) -> None:
    status, out = invoke(command, "--help")
    assert status == 0
    assert len(out) > 100


def test_help_of_run_names_this_program_and_the_variables() -> None:
    out = CliRunner().invoke(app, ["run", "--help"], env={"COLUMNS": "200"}).output
    for variable in ("BROKER_URL", "INDEX_URL", "ARCHIVE_URL"):
        assert f"[env {variable}]" in out
    assert "python pipeline.py run urls.csv" in out
    assert "story-indexer run" not in out
