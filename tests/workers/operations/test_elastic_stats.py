"""elastic-stats, called in-process."""

import json

import pytest

from workers.operations.elastic_stats import main


@pytest.mark.external
def test_it_prints_the_numbers_of_a_server(
    elasticsearch_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--index-url", elasticsearch_url, "--json"]) == 0
    names = {row["name"] for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert {"cluster.health.status", "node.jvm.mem.heap_used_percent", "snapshot.last"} <= names


def test_a_server_that_does_not_answer_is_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--index-url", "http://127.0.0.1:1", "--once"]) == 1
    assert "can't reach Elasticsearch" in capsys.readouterr().err


@pytest.mark.parametrize("url", ["", "sqlite:///x", "http://me:secret@host:x/"])
def test_a_url_of_another_kind_is_status_2(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--index-url", url, "--once"]) == 2
    error = capsys.readouterr().err
    assert "secret" not in error
    assert url or "--index-url, or INDEX_URL" in error
