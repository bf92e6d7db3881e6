"""newsroom/repositories/server.py and __main__.py: how a product finds the repositories."""

import json
from pathlib import Path

import pytest

from newsroom.repositories.__main__ import as_json, introduction
from newsroom.repositories.catalogue import MOST_FILES
from newsroom.repositories.dataset import State
from newsroom.repositories.server import Repositories
from newsroom.repositories.table import generated
from tests.newsroom.repositories.asking import ask, follow


def test_the_settings_name_hosts_that_exist(shared: Repositories) -> None:
    urls = [value for value in shared.settings.values() if value.startswith("http://")]
    assert len(urls) > 10
    for url in urls:
        assert (
            ask(shared, f"{url.removesuffix('/v1').removesuffix('/v2')}/robots.txt").status == 200
        )
    assert shared.settings["FETCHER_RESOLVE"] == f"*.example=127.0.0.1:{shared.port}"


def test_the_introduction_names_settings_and_datasets(shared: Repositories) -> None:
    text = introduction(shared)
    assert "    export ZENODO_URL=http://zenodo.example\n" in text
    assert "platform-restricted  https://doi.org/10.5072/zenodo.10200151" in text
    found = json.loads(as_json(shared))
    assert found["settings"] == shared.settings
    assert {"url": "http://archive.example/details/velmora-map", "doi": ""}.items() <= next(
        each for each in found["datasets"] if "velmora-map" in each["url"]
    ).items()


def test_generated_datasets_are_served_beside_those_of_the_table() -> None:
    with Repositories(more=generated(30, files=3)) as repositories:
        url, _ = follow(repositories, "http://doi.example/10.5072/zenodo.20000291")
        assert url == "http://zenodo.example/records/20000291"
        record = ask(repositories, "http://zenodo.example/api/records/20000291").json
        file = record["files"][2]
        assert (file["key"], file["size"]) == ("00029/part 2.csv", 2002)
        assert len(ask(repositories, file["links"]["self"]).body) == 2002
    with pytest.raises(ValueError, match="fewer than"):
        generated(1, files=MOST_FILES)


def test_a_dataset_can_change_its_state(own: Repositories) -> None:
    api = "http://zenodo.example/api/records/10200011"
    assert ask(own, api).status == 200
    own.catalogue.change("10.5072/zenodo.10200011", State.GONE, "spam")
    assert ask(own, api).json["tombstone"]["removal_reason"]["id"] == "spam"
    with pytest.raises(KeyError):
        own.catalogue.change("10.5072/unknown", State.GONE)


def test_the_log_is_written_as_lines(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Repositories(log=path) as repositories:
        ask(repositories, "http://zenodo.example/robots.txt")
    (line,) = path.read_text("utf-8").splitlines()
    found = json.loads(line)
    assert (found["url"], found["status"]) == ("http://zenodo.example/robots.txt", 200)
    assert found["sent"] > 0


def test_bundles_of_large_files_are_refused(shared: Repositories) -> None:
    url = "http://zenodo.example/api/records/10200081/files-archive"
    assert ask(shared, url).status == 413


def test_a_body_of_unknown_length_ends_the_connection(own: Repositories) -> None:
    got = ask(
        own, "http://s3.us.archive.example/item/a", "PUT", None, {"Transfer-Encoding": "chunked"}
    )
    assert got.status in (403, 411)
