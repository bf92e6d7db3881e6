"""The options that programs of one kind have in common."""

import pytest
from pydantic import SecretStr

from indexer.programs.settings import (
    BrokerOptions,
    ProducerOptions,
    ProgramOptions,
    WorkerOptions,
    index_option,
)
from indexer.system.options import Options
from tests.each_row import each_row
from workers.operations import log


class IndexedOptions(Options):
    """Options with the URL of an index."""

    index_url: SecretStr = index_option("the index")


@each_row(
    ("kind", "arguments", "name", "value"),
    [
        (ProducerOptions, ["--max-messages", "7"], "max_messages", 7),
        (ProducerOptions, ["--max-stories", "7"], "max_messages", 7),
        (BrokerOptions, ["--rabbitmq-url", "amqp://rabbit/"], "broker", "amqp://rabbit/"),
        (WorkerOptions, ["--worker-threads", "3"], "threads", 3),
        (ProgramOptions, ["-d"], "level", "debug"),
        (ProgramOptions, ["--quiet"], "level", "warning"),
        (ProgramOptions, ["-l", "error"], "level", "error"),
    ],
)
def test_the_options_of_the_existing_programs_are_understood(
    kind: type[Options], arguments: list[str], name: str, value: object
) -> None:
    assert getattr(kind.parse("program", "", arguments), name) == value


def test_the_existing_option_of_elasticsearch_is_understood() -> None:
    taken = IndexedOptions.parse("importer", "", ["--elasticsearch-hosts", "http://one:9200"])
    assert taken.index_url.get_secret_value() == "http://one:9200"


def test_the_names_of_loggers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert log.main(["--list-loggers"]) == 0
    assert "indexer" in capsys.readouterr().out.split()
