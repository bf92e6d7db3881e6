"""What is written down of the services that were started."""

import subprocess
from pathlib import Path

import pytest

from scripts.services import records
from scripts.services.processes import Process
from scripts.services.records import Record

RECORD = Record("s3", Process(12, 34, "boot"), {"TEST_S3_ENDPOINT": "http://127.0.0.1:20000"})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(records, "RUN", tmp_path)
    monkeypatch.setattr(records, "ENVIRONMENT", tmp_path / "environment")
    return tmp_path


def test_a_record_comes_back_as_it_was() -> None:
    records.write(RECORD)
    assert records.read("s3") == RECORD


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"process": 1, "variables": {}}'])
def test_a_broken_record_is_no_record(folder: Path, text: str) -> None:
    (folder / "s3.json").write_text(text)
    assert records.read("s3") is None


def test_a_record_can_be_removed_twice() -> None:
    records.write(RECORD)
    records.remove("s3")
    records.remove("s3")
    assert records.read("s3") is None


def test_passwords_are_for_the_owner_only(folder: Path) -> None:
    records.write(RECORD)
    records.write_environment({"TEST_S3_SECRET_KEY": "secret"})
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes == {"s3.json": 0o600, "environment": 0o600}


def test_a_shell_reads_the_environment(folder: Path) -> None:
    url = "amqp://story:0123456789abcdef@127.0.0.1:20000/"
    records.write_environment({"TEST_RABBITMQ_URL": url})
    script = f'. {folder}/environment; printf %s "$TEST_RABBITMQ_URL"'
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == url
