"""The image: what is in it and what is not, and what its containers run."""

import json
from typing import Any

import pytest

from scripts.docker import image
from scripts.docker.client import Client
from scripts.services.service import Unavailable
from tests.each_row import each_row

LEFT_OUT = ("pip", "pip.conf", "ca.pem")

pytestmark = pytest.mark.timeout(1200)


@pytest.fixture(scope="module")
def name(client: Client) -> str:
    """The image, built."""
    return image.build(client, "latest", "0123abc")


@pytest.fixture(scope="module")
def configuration(client: Client, name: str) -> dict[str, Any]:
    """The configuration of the image."""
    found: dict[str, Any] = json.loads(client.run("inspect", name))[0]["Config"]
    return found


def test_it_is_labelled_as_open_containers_are(configuration: dict[str, Any]) -> None:
    labels = configuration["Labels"]
    assert labels["org.opencontainers.image.title"] == "story-indexer"
    assert labels["org.opencontainers.image.revision"] == "0123abc"


def test_its_programs_are_not_root_and_write_to_a_new_volume(
    client: Client, configuration: dict[str, Any], name: str
) -> None:
    assert configuration["User"] == "story"
    command = "id -u; touch /data/file && ls /data"
    run = ("run", "--rm", "--volume=/data", "--entrypoint=sh", name, "-c", command)
    assert client.run(*run).split() == ["1000", "file"]


def test_it_has_no_pip_and_no_secret_of_its_build(client: Client, name: str) -> None:
    named = [word for name in LEFT_OUT for word in ("-o", "-name", name)]
    run = ("run", "--rm", "--user=root", "--entrypoint=find")
    assert client.run(*run, name, "/", "-xdev", "-false", *named) == ""
    assert "PIP" not in client.run("history", "--no-trunc", "--format={{.CreatedBy}}", name)


@each_row(
    ("words", "printed"),
    [
        ("--version", "story-indexer 0."),
        ("parser --help", "usage: story-indexer program parser"),
        ("pipeline list --json", '{"flavor": "queue-fetcher"'),
        ("qutil --help", "qutil"),
    ],
)
def test_the_first_word_names_what_runs(
    words: str, printed: str, client: Client, name: str
) -> None:
    assert printed in client.run("run", "--rm", name, *words.split())


def test_an_unknown_name_ends_the_container_with_similar_names(client: Client, name: str) -> None:
    with pytest.raises(Unavailable, match="no program parsr: is it parser"):
        client.run("run", "--rm", "--env=RUN=parsr", name)


def test_a_container_without_a_server_to_ask_is_healthy(
    client: Client, configuration: dict[str, Any], name: str
) -> None:
    check = configuration["Healthcheck"]["Test"][1:]
    run = ("run", "--rm", f"--entrypoint={check[0]}")
    assert client.run(*run, name, *check[1:]) == ""
    with pytest.raises(Unavailable, match="refused"):
        client.run(*run, "--env=METRICS_ADDRESS=:9100", name, *check[1:])
