"""Each service is there, and is what the project needs of it."""

import json
import os
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

import boto3
import psycopg
import pytest

from scripts.services import loopback, packages, places, starting
from scripts.services.loopback import ask, free_port
from scripts.services.rabbitmq import manage
from scripts.services.service import Launch, Package, Unavailable
from tests.services import S3


class Broken:
    """A service that ends as soon as it is started."""

    name = "broken"
    packages: Sequence[Package] = ()
    seconds = 5.0
    as_root = False

    def install(self) -> None:
        """It needs nothing."""

    def configure(self, folder: Path) -> Launch:
        """It says why it ends."""
        return Launch(["sh", "-c", "echo no disk; exit 3"], {"TEST_BROKEN_URL": "x://y"})

    def answers(self, variables: Mapping[str, str]) -> bool:
        """It never does."""
        return False


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone of its own."""
    monkeypatch.setattr("scripts.services.places.CLONE", tmp_path)
    for module in ("places", "records"):
        monkeypatch.setattr(f"scripts.services.{module}.RUN", tmp_path)
    return tmp_path


def test_a_service_that_ends_is_reported_with_the_end_of_its_log(run: Path) -> None:
    state = starting.bring_up(Broken())
    places.forget("broken")
    assert not state.variables
    assert "it ended" in state.said
    assert "no disk" in state.said


def test_a_service_without_its_package_says_what_to_install(run: Path) -> None:
    service = Broken()
    service.packages = (Package("no-such-program", "no-such-package"),)
    state = starting.bring_up(service)
    assert "no-such-package" in state.said


def test_a_machine_without_apt_is_told_what_to_install(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(run))
    with pytest.raises(Unavailable, match="install what Debian calls maven"):
        packages.install(["maven"], run / "log")


def test_data_of_someone_else_is_not_used(run: Path) -> None:
    folder = places.fresh("s3")
    folder.rmdir()
    folder.parent.rmdir()
    folder.parent.symlink_to(run)
    with pytest.raises(Unavailable, match="belongs to another user"):
        places.fresh("s3")
    folder.parent.unlink()


def test_free_ports_are_below_those_of_outgoing_connections() -> None:
    ports = [free_port(also=10_000) for _ in range(20)]
    assert all(20_000 <= port <= 22_767 for port in ports)


def test_servers_that_start_together_have_ports_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loopback, "_given", set[int]())
    monkeypatch.setattr(loopback, "HIGHEST", loopback.LOWEST + 60)
    ports = [free_port() for _ in range(20)]
    assert len(set(ports)) == 20


@pytest.mark.external
def test_rabbitmq_gives_each_test_a_virtual_host(rabbitmq_url: str) -> None:
    assert json.loads(manage(rabbitmq_url, "GET", "vhosts"))
    name = rabbitmq_url.rpartition("/")[2]
    assert json.loads(manage(rabbitmq_url, "GET", f"queues/{name}")) == []


@pytest.mark.external
def test_elasticsearch_is_the_version_of_production(elasticsearch_url: str) -> None:
    nodes = json.loads(ask(f"{elasticsearch_url}/_nodes/_local"))["nodes"]
    assert [node["version"].split(".")[:2] for node in nodes.values()] == [["8", "19"]]


@pytest.mark.external
def test_elasticsearch_takes_snapshots(elasticsearch_url: str) -> None:
    body = json.dumps({"type": "fs", "settings": {"location": "test"}}).encode()
    request = urllib.request.Request(f"{elasticsearch_url}/_snapshot/test", body, method="PUT")
    request.add_header("Content-Type", "application/json")
    assert json.loads(ask(request)) == {"acknowledged": True}


@pytest.mark.external
def test_postgresql_gives_each_test_a_database(postgresql_url: str) -> None:
    with psycopg.connect(postgresql_url) as connection:
        version = connection.info.server_version
        rows = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        assert (version // 10_000, rows.fetchone()) == (15, (0,))


@pytest.mark.external
def test_s3_keeps_versions_and_takes_dates_from_files(s3: S3) -> None:
    client = boto3.client(
        "s3",
        endpoint_url=s3.endpoint,
        region_name="us-east-1",
        aws_access_key_id=s3.access_key,
        aws_secret_access_key=s3.secret_key,
    )
    for body in (b"first", b"second"):
        client.put_object(Bucket=s3.bucket, Key="a/b", Body=body)
    versions = client.list_object_versions(Bucket=s3.bucket)["Versions"]
    assert len(versions) == 2
    if s3.folder:
        os.utime(s3.folder / "a" / "b", (1_000_000_000, 1_000_000_000))
        modified = client.head_object(Bucket=s3.bucket, Key="a/b")["LastModified"]
        assert modified.timestamp() == 1_000_000_000
