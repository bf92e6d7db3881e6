"""The tests' own engine of containers, and what its builds are told of this machine."""

import json
import os
from pathlib import Path

import pytest

from scripts.docker import servers
from scripts.docker.client import running
from scripts.docker.engine import Engine, remove_groups
from scripts.docker.image import pip_settings
from scripts.services import places, records
from scripts.services.service import Unavailable
from tests.paths import ROOT

LISTED = """\
:env:.index-url='https://pip:word@index.example/simple'
:env:.timeout='180'
global.cert='/etc/ssl/bundle.pem'
global.index-url='https://other.example/simple'
install.no-deps='true'
"""


def test_settings_of_pip_are_read_as_pip_lists_them_and_variables_win() -> None:
    assert pip_settings(LISTED) == {
        "index-url": "https://pip:word@index.example/simple",
        "timeout": "180",
        "cert": "/etc/ssl/bundle.pem",
        "no-deps": "true",
    }


def test_an_engine_needs_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(Unavailable, match="as root"):
        Engine().configure(tmp_path)


def test_an_engine_keeps_to_its_own_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr("scripts.docker.engine.cache", lambda room: tmp_path / room)
    launch = Engine().configure(tmp_path)
    assert launch.variables == {"DOCKER_HOST": f"unix://{tmp_path}/docker.sock"}
    assert launch.environment == {"DATA": f"{tmp_path}/docker/engine"}
    assert all(
        path.startswith("/run/")
        for path in json.loads((tmp_path / "daemon.json").read_text()).values()
    )


def test_control_groups_that_are_not_in_use_are_removed(tmp_path: Path) -> None:
    for name in ("memory/story-indexer/container", "cpu/story-indexer/busy", "cpu/other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "cpu/story-indexer/busy/tasks").touch()
    remove_groups(tmp_path)
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.glob("*/*")}
    assert left == {"cpu/story-indexer", "cpu/other"}


def test_without_an_engine_the_error_says_how_to_start_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (places, records):
        monkeypatch.setattr(module, "RUN", tmp_path)
    with pytest.raises(Unavailable, match=r"python3 -m scripts\.docker start"):
        running()


def test_each_server_has_its_part_in_the_dockerfile() -> None:
    text = (servers.FILES / "Dockerfile").read_text()
    parts = {line.split()[-1] for line in text.splitlines() if line.startswith("FROM ")}
    assert parts == {"packages", *(server.name for server in servers.SERVERS)}


def test_a_build_is_sent_only_what_the_image_is_made_of() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] != "#"]
    assert rules[0] == "*"
    sent = {rule[1:] for rule in rules if rule[0] == "!"}
    assert all((ROOT / name).exists() for name in sent), sent
    assert not sent & {".git", ".services", "data", "docker", "scripts", "tests"}
