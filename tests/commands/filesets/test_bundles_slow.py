"""`story-indexer filesets` takes the bundles of imitation repositories: each way has its status."""

import json
import zipfile
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from newsroom.repositories.server import Repositories
from tests.commands.filesets.conftest import Filesets
from tests.each_row import each_row

NO_URLS = "10.17605/osf.io/vel05"
"""A dataset whose files have no URL of their own."""

ZIPS = "files.osf.example/*zip=*"
SURVEYS, MANY, EQUAL = (
    "10.5072/FK2/ABCDEF",
    "10.5072/zenodo.10200071",
    "10.5072/m9.figshare.30100004",
)
OTTERS, BIRDS, HOSTILE = (
    "10.5061/dryad.velmora01",
    "10.5072/zenodo.10200021",
    "10.5072/zenodo.10200051",
)
OLDER = f"http://dataverse.example/dataset.xhtml?persistentId=doi:{SURVEYS}&version=1.0"
MISMATCH, UNSAFE, LOST = "bundle-mismatch", "bundle-unsafe", "error-platform-download"


def ingest(
    filesets: Filesets,
    monkeypatch: pytest.MonkeyPatch,
    doi: str,
    *options: str,
    fault: str = "",
    status: str = "success",
) -> dict[str, Any]:
    """The result of a DOI or URL, whose exit status is that of a hit or of a failure."""
    with Repositories(faults=[fault] if fault else []) as served, monkeypatch.context() as patched:
        for name, value in served.settings.items():
            patched.setenv(name, value)
        # A busy machine takes longer for files that are to arrive.
        if status == LOST:
            patched.setenv("FILESETS_TRANSFER_SECONDS", "2")
        url = doi if "://" in doi else f"https://doi.org/{doi}"
        given = (url, *options, "--to", str(filesets.items))
        printed = filesets.run("ingest", *given, status=0 if status == "success" else 1).out
    found: dict[str, Any] = json.loads(printed)
    return found


@each_row(
    ("doi", "bundles", "fault", "status", "message"),
    [
        (NO_URLS, "needed", "", "success", ""),
        (NO_URLS, "needed", "bundle:value=left-out", MISMATCH, "missing: data/a.csv"),
        (NO_URLS, "needed", "bundle:value=wrong", MISMATCH, "other bytes: data/a.csv"),
        (NO_URLS, "needed", "bundle:value=more", MISMATCH, "not announced: more.txt"),
        (NO_URLS, "needed", "bundle:value=cut", MISMATCH, "damaged"),
        (NO_URLS, "needed", "bundle:value=unsafe", UNSAFE, "folder above"),
        (NO_URLS, "needed", "truncate:bytes=99", LOST, ""),
        (NO_URLS, "needed", "truncate:times=1:bytes=99", "success", ""),
        (NO_URLS, "needed", "html", LOST, "a page for browsers"),
        (SURVEYS, "prefer", "", "success", ""),
        (
            SURVEYS,
            "prefer",
            "bundle:value=left-out",
            MISMATCH,
            "left out, by its own list: data/raw",
        ),
        (OLDER, "prefer", "", "success", ""),
        (OTTERS, "prefer", "", "success", ""),
        (BIRDS, "prefer", "", "success", ""),
        (HOSTILE, "prefer", "", UNSAFE, "absolute path"),
        (EQUAL, "prefer", "", UNSAFE, "two files named"),
        (EQUAL, "needed", "", "success", ""),
        (MANY, "needed", "", "too-many-files", ""),
        (MANY, "many", "", "success", ""),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_each_bundle_has_its_status(
    filesets: Filesets,
    monkeypatch: pytest.MonkeyPatch,
    doi: str,
    bundles: str,
    fault: str,
    status: str,
    message: str,
) -> None:
    root = Path(mkdtemp(dir=filesets.items.parent))
    place = ZIPS if doi == NO_URLS else "*/access/dataset/*"
    hit = status == "success"
    given_fault = f"{fault}@{place}" if fault else ""
    filesets.items = root / "items"
    # Broken transfers have other statuses on the web side, which are those of captures.
    sides = [[]] if fault.startswith(("truncate", "html")) else [[], ["--web", str(root / "web")]]
    for web in sides:
        found = ingest(
            filesets, monkeypatch, doi, "--bundles", bundles, *web, fault=given_fault, status=status
        )
        assert found["status"] == status, found.get("error_message")
        assert message in found.get("error_message", "")
        assert hit == any(root.glob("*/*/*_sha256.txt"))
    for stored in {each.parents[1] for each in root.glob("*/*/*_sha256.txt")}:
        filesets.run("verify", "--to", str(stored))


@pytest.mark.parametrize("side", ["archiveorg", "web"])
def test_the_result_of_a_bundle(
    filesets: Filesets, monkeypatch: pytest.MonkeyPatch, side: str
) -> None:
    web = filesets.items.parent / "web"
    options = ["--web", str(web)] if side == "web" else []
    found = ingest(filesets, monkeypatch, NO_URLS, *options)
    again = ingest(filesets, monkeypatch, NO_URLS, *options)
    assert [each["status"] for each in (found, again)] == ["success", "success-existing"]
    assert found["fileset_bundle"] == again["fileset_bundle"]
    assert found["ingest_strategy"] == f"{side}-fileset-bundled"
    assert found["strategy_reason"].startswith("3 files without a URL")
    assert found["web_bundle_url"].endswith("/vel05/providers/osfstorage/?zip=")
    assert ("cdx" in found["fileset_bundle"]) is (side == "web")
    needed = {"path", "size", "md5", "sha1", "sha256", "mimetype", "extra"}
    assert all(needed <= file.keys() and file["extra"]["crc32"] for file in found["manifest"])
    assert [each["path"] for each in found["manifest"]] == [
        each["path"] for each in again["manifest"]
    ]


def test_an_item_with_a_bundle_is_verified_and_its_damage_found(
    filesets: Filesets, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ingest(filesets, monkeypatch, NO_URLS)
    root = filesets.items / found["archiveorg_item_name"]
    path = root / found["fileset_bundle"]["archiveorg_bundle_path"]
    assert filesets.run("verify", str(root)).out.endswith(": 7 files are right\n")
    assert "data/a.csv" in filesets.run("show", str(root)).out
    with zipfile.ZipFile(path, "a") as bundle:
        bundle.writestr("../up", b"")
    printed = filesets.run("verify", str(root), status=1).out
    assert "another sha256" in printed
    assert "a path to the folder above" in printed


def test_try_tells_the_bundle_and_the_reason(
    filesets: Filesets, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Repositories() as served:
        for name, value in served.settings.items():
            monkeypatch.setenv(name, value)
        printed = filesets.run("try", f"https://doi.org/{NO_URLS}").out
        assert "osfstorage/?zip=" in printed
        assert "archiveorg-fileset-bundled" in printed
        assert "3 files without a URL" in printed
        assert not served.log.calls("zip=")
