"""The verbs `single` and `requests`, as scripts of the existing system call them."""

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from tests.commands.filesets.conftest import Filesets
from tests.filesets.zenodo_server import ZenodoServer

FILES = {"a.csv": b"1,2", "b": b"2"}


def printed(filesets: Filesets, *arguments: str, status: int = 0) -> list[dict[str, Any]]:
    shown = filesets.run(*arguments, "--to", str(filesets.items), status=status)
    return [json.loads(line) for line in shown.out.splitlines()]


def test_single_prints_the_result_of_one_request(filesets: Filesets, zenodo: ZenodoServer) -> None:
    zenodo.add(7, FILES)
    url = f"{zenodo.url}/records/7"
    options = ("--doi", "10.5281/zenodo.7", "--release-id", "a" * 26, "--force-recrawl")
    (result,) = printed(filesets, "single", "dataset", url, *options, "--no-spn2")
    assert result["status"] == "success"
    assert result["request"] == {
        "ingest_type": "dataset",
        "base_url": url,
        "ext_ids": {"doi": "10.5281/zenodo.7"},
        "fatcat": {"release_ident": "a" * 26},
        "force_recrawl": True,
    }


def test_single_prints_the_result_of_the_only_file_first(
    filesets: Filesets, zenodo: ZenodoServer
) -> None:
    zenodo.add(7, {"a.csv": b"1,2"})
    found = printed(filesets, "single", "dataset", f"{zenodo.url}/records/7")
    assert [each["status"] for each in found] == ["success", "success-file"]


def test_another_type_is_a_bad_request(filesets: Filesets) -> None:
    (result,) = printed(filesets, "single", "pdf", "https://a.example/", status=1)
    assert (result["status"], result["hit"]) == ("bad-request", False)


def test_requests_reads_and_prints_lines_of_json(
    filesets: Filesets, zenodo: ZenodoServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = {"ingest_type": "dataset", "base_url": f"https://doi.org/{zenodo.add(7, FILES)}"}
    lines = f"\ufeff{json.dumps(request)}\r\n{{broken\r\n".encode()
    path = tmp_path / "requests"
    path.write_bytes(lines)
    found = printed(filesets, "requests", str(path), "--no-spn2", status=1)
    assert [each["status"] for each in found] == ["success", "bad-request"]
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(lines)))
    found = printed(filesets, "requests", "-", status=1)
    assert [each["status"] for each in found] == ["success-existing", "bad-request"]
    assert "none" in filesets.run("requests", str(tmp_path / "none"), status=1).err
