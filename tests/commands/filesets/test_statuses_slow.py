"""Statuses of datasets and files, as the command gives them for one cause after the other."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from indexer.filesets.statuses import STATUSES
from newsroom.repositories.server import Repositories
from tests.commands.filesets.conftest import Filesets
from tests.each_row import each_row
from tests.paths import ROOT

GAUGES, COLLECTION, HUGE, BARE, GONE = (
    "https://doi.org/10.5072/zenodo.10200001",
    "https://doi.org/10.5072/m9.figshare.c.7100001",
    "https://doi.org/10.5072/zenodo.10200091",
    "https://doi.org/10.5072/zenodo.10200191",
    "https://doi.org/10.5072/zenodo.10200171",
)
SURVEYS = "http://dataverse.example/dataset.xhtml?persistentId=doi:10.5072/FK2/ABCDEF&version=1.0"
"""A version of a dataset; the platform tells only the SHA-1 of one of its files."""
RELEASE = "http://github.example/velmora/gauges/releases/tag/v2.0"

API, GAUGES_FILE = "*/api/records/10200001", "*/gauges.csv/content"
ONCE = {"FILESETS_API_TRIES": "1"}

_QUOTED = re.compile(r'"([a-z0-9:-]+)"')
_FIRST_CELL = re.compile(r"^\| (.*?) \|", re.MULTILINE)


@each_row(
    ("url", "fault", "settings", "status"),
    [
        ("https://openlibrary.org/works/OL1W", "", {}, "skip-url-blocklist"),
        (COLLECTION, "", {}, "platform-scope"),
        (GONE, "", {"FILESETS_REPORT_GONE": "1"}, "platform-gone"),
        (BARE, "", {}, "empty-manifest"),
        (HUGE, "", {"FILESETS_MAX_TOTAL_SIZE": str(1 << 60)}, "insufficient-disk"),
        (GAUGES, f"503@{API}", ONCE, "platform-error"),
        (GAUGES, f"429:seconds=1000@{API}", ONCE, "platform-rate-limited"),
        (GAUGES, f"418@{API}", ONCE, "platform-http-error"),
        (GAUGES, f"over-limit@{GAUGES_FILE}", {}, "mismatch-size"),
        (GAUGES, f"wrong-hash@{GAUGES_FILE}", {}, "mismatch-md5"),
        (SURVEYS, "wrong-hash@*/ABCDEF/ACAIYS*", {}, "mismatch-sha1"),
        (RELEASE, "wrong-hash@storage.example/*", {}, "mismatch-sha256"),
    ],
)
def test_a_cause_has_its_status(
    filesets: Filesets,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    fault: str,
    settings: dict[str, str],
    status: str,
) -> None:
    found = ingested(filesets, monkeypatch, url, fault, settings)
    assert (found["status"], found["hit"]) == (status, False), found.get("error_message")
    assert [*filesets.items.glob("*/*_sha256.txt")] == []


def test_an_item_with_other_bytes_is_kept(
    filesets: Filesets, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ingested(filesets, monkeypatch, GAUGES, "", {}, exits=0)["status"] == "success"
    [stored] = filesets.items.glob("*/gauges.csv")
    stored.write_bytes(b"other bytes")

    found = ingested(filesets, monkeypatch, GAUGES, "", {})
    assert found["status"] == "conflict-existing"
    assert [file["status"] for file in found["manifest"]] == ["mismatch-existing", "exists"]
    assert stored.read_bytes() == b"other bytes"


def test_files_that_wait_for_a_lost_one_are_verified(
    filesets: Filesets, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ingested(filesets, monkeypatch, GAUGES, "404@*/READ*ME.txt/content", {})
    statuses = [file["status"] for file in found["manifest"]]
    assert statuses == ["verified-local", "error-platform-download"]


def test_each_status_is_produced_by_the_command_or_told_in_the_documents_why_not() -> None:
    tests = Path(__file__).parent.glob("test_*.py")
    produced = {name for path in tests for name in _QUOTED.findall(path.read_text("utf-8"))}
    document = (ROOT / "docs" / "filesets" / "statuses.md").read_text("utf-8")
    rows = _FIRST_CELL.findall(document)
    told = {name for row in rows for name in re.findall(r"`([a-z0-9-]+)`", row)}
    assert STATUSES.keys() - produced - told == set()
    assert told <= STATUSES.keys()


def ingested(
    filesets: Filesets,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    fault: str,
    settings: dict[str, str],
    *,
    exits: int = 1,
) -> dict[str, Any]:
    """The result of a URL, from repositories with a fault."""
    with Repositories(faults=[fault] if fault else []) as served, monkeypatch.context() as patched:
        for name, value in {**served.settings, **settings}.items():
            patched.setenv(name, value)
        asked = filesets.run("ingest", url, "--to", str(filesets.items), status=exits)
    found: dict[str, Any] = json.loads(asked.out)
    return found
