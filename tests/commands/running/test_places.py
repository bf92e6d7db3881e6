"""The places of a run: one rule for all programs and commands, printed before it starts."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from indexer.blobstore import StoreCredentials
from indexer.commands.running.places import (
    CHECKS,
    OPTIONS,
    check_stores,
    index_flag,
    show_places,
)
from indexer.commands.running.plan import given_to_programs
from indexer.commands.running.request import RunRequest
from indexer.feeds.store import FeedsOptions
from indexer.programs.settings import BrokerOptions
from pipeline import PIPELINES, flavor
from tests.each_row import each_row
from workers.stories.importer import ImporterOptions

FILE_URL, OTHER = "sqlite:///asked.x", "sqlite:///outside.x"


def test_every_store_that_a_flavor_uses_can_be_checked() -> None:
    steps = [step for pipeline in PIPELINES for step in pipeline.steps]
    assert {setting for step in steps for setting in step.uses} == set(CHECKS)


def places(given: dict[str, str]) -> list[str]:
    """The URLs that the programs of a run will use, without its archives."""
    feeds, importer = FeedsOptions.of(given), ImporterOptions.of(given)
    return [BrokerOptions.of(given).broker, importer.index, feeds.database]


VARIABLES = [name for kind, option in OPTIONS.items() for name in kind.definitions()[option].env]


@each_row("name", [name for name in VARIABLES if name != "ARCHIVE_URL"])
def test_a_variable_of_a_place_counts_in_the_environment_and_before_it_with_set(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv(name, FILE_URL)
        assert places(given_to_programs(RunRequest(), {})).count(FILE_URL) == 1
    with monkeypatch.context() as patch:
        for each in VARIABLES:
            patch.setenv(each, OTHER)
        given = given_to_programs(RunRequest(settings={name: FILE_URL}), {})
        assert sorted(places(given)) == [FILE_URL, OTHER, OTHER]


def test_an_option_replaces_every_variable_of_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.setenv(name, OTHER)
    request = RunRequest(broker="sqlite:///b", index="sqlite:///i", feeds="sqlite:///f")
    assert places(given_to_programs(request, {})) == ["sqlite:///b", "sqlite:///i", "sqlite:///f"]


def test_a_setting_that_is_blank_means_the_data_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", OTHER)
    request = RunRequest(data=tmp_path, settings={"INDEX_URL": ""})
    assert places(given_to_programs(request, {}))[1] == f"sqlite:///{tmp_path / 'index.sqlite3'}"


S3 = {
    "ARCHIVER_S3_ENDPOINT": "http://127.0.0.1:9",
    "ARCHIVER_S3_ACCESS_KEY_ID": "key",
    "ARCHIVER_S3_SECRET_ACCESS_KEY": "hunter2",
    "ARCHIVER_S3_BUCKET": "news",
}


def shown(name: str, request: RunRequest) -> list[str]:
    out = StringIO()
    show_places(Console(file=out), flavor(name), given_to_programs(request, {}))
    return out.getvalue().splitlines()


def test_the_places_are_printed_without_secrets() -> None:
    settings = {
        "ELASTICSEARCH_HOSTS": "https://me:hunter2@es:9200/mc?api_key=hunter2",
        "DATABASE_URL": "postgresql://me:hunter2@db/feeds",
    }
    request = RunRequest(broker="amqp://me:hunter2@mq/", settings={**S3, **settings})
    assert shown("follow", request) == [
        "queues    amqp://mq/",
        "feeds     postgresql://db/feeds",
        "index     https://es:9200/mc",
        "archives  s3://news",
    ]


def test_search_needs_an_option_for_an_index_that_the_environment_does_not_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = "http://me:hunter2@es:9200/mc"
    given = given_to_programs(RunRequest(settings={"INDEX_URL": url}), {})
    assert index_flag(given) == " --index http://es:9200/mc"
    assert index_flag(given_to_programs(RunRequest(data=Path("d")), {})) == ""
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", url)
    assert index_flag(given) == ""


def test_only_the_places_that_a_flavor_uses_are_printed() -> None:
    assert shown("archive", RunRequest(data=Path("d"))) == [
        "queues    sqlite:///d/queues.sqlite3",
        "index     sqlite:///d/index.sqlite3",
    ]


def test_the_check_of_archives_uses_the_credentials_of_the_programs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened = []

    class Store:
        def entries(self, _: str) -> Iterator[str]:
            return iter(())

    def open_store(url: str, credentials: StoreCredentials) -> Store:
        opened.append((url, credentials))
        return Store()

    monkeypatch.setattr("indexer.stories.archiving.archive_stores.open_blobstore", open_store)
    check_stores(flavor("csv"), given_to_programs(RunRequest(data=tmp_path, settings=S3), {}))
    ((url, credentials),) = opened
    assert (url, credentials.endpoint) == ("s3://news", S3["ARCHIVER_S3_ENDPOINT"])
