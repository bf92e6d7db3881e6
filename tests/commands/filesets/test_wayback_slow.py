"""`story-indexer filesets ingest --web URL`: files archived by a web archive, and each failure."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indexer.warc.reader import read
from indexer.warc.record import Record
from newsroom.repositories.content import Content
from newsroom.repositories.exchange import HTML, Answer, answer
from newsroom.repositories.platforms.archiveorg import SECRET_KEY
from newsroom.repositories.platforms.wayback import CDX_TOKEN, HOST, Capture
from newsroom.repositories.server import Repositories
from tests.commands.filesets.conftest import Filesets
from tests.each_row import each_row

WEB = ("--web", f"http://{HOST}")
SEVERAL, ONE, PACKED, MANY, EMPTY = (
    f"10.5072/zenodo.102000{at}" for at in ("01", "11", "41", "61", "31")
)
FILE = "http://zenodo.example/api/records/10200011/files/only.csv/content"


def saves(served: Repositories) -> int:
    return len(served.log.calls("/save", "POST"))


def test_files_are_captured_and_verified(filesets: Filesets, served: Repositories) -> None:
    (result,) = filesets.ingest(SEVERAL, *WEB)
    assert (result["status"], result["ingest_strategy"]) == ("success", "web-fileset")
    for file in result["manifest"]:
        assert file["terminal_url"] == file["platform_url"]
        assert len(file["terminal_dt"]) == 14
        assert file["status"] == "success"
        assert len(file["sha256"]) == 64
    assert "archiveorg_item_name" not in result
    assert not filesets.items.exists()
    assert saves(served) == 2
    (again,) = filesets.ingest(SEVERAL, *WEB)
    assert (again["status"], saves(served)) == ("success-existing", 2)
    assert {file["status"] for file in again["manifest"]} == {"exists"}


def test_a_single_file_has_its_row(filesets: Filesets, served: Repositories) -> None:
    for status in ("success-file", "success-existing"):
        of_file, of_set = filesets.ingest(ONE, *WEB)
        assert (of_set["status"], of_set["ingest_strategy"]) == (status, "web-file")
        assert of_file["cdx"]["url"] == of_file["terminal"]["terminal_url"] == FILE
        assert of_file["cdx"]["sha1hex"] == of_file["file_meta"]["sha1hex"]
        assert of_set["fileset_file"]["cdx"] == of_file["cdx"]
        assert of_file["terminal"]["terminal_dt"] == of_file["cdx"]["datetime"]


def test_files_that_make_archiving_hard(filesets: Filesets, served: Repositories) -> None:
    served.faults.switch_on(
        "signed@zenodo.example/*.gz/content", "packed@zenodo.example/*/all.zip/content"
    )
    for doi in (PACKED, EMPTY):
        (result,) = filesets.ingest(doi, *WEB)
        assert result["status"] == "success", result
        assert result["manifest"][0]["status"] == "success"
    assert {file["size"] for file in result["manifest"]} >= {0}


def content(served: Repositories) -> Answer:
    """The right answer for the single file."""
    dataset = next(each for each in served.catalogue if each.doi == ONE)
    (file,) = dataset.files
    return Answer(file.content, 200, {"Content-Type": "text/csv"}, file=dataset.key(file))


def spoilt(good: Answer) -> Answer:
    return replace(good, content=good.content.spoilt())


def packed(good: Answer) -> Answer:
    return replace(good, content=Content(gzip.compress(good.content.whole())))


def broken(good: Answer) -> Answer:
    return replace(good, content=Content(gzip.compress(good.content.whole())[:-9]))


def challenge(good: Answer) -> Answer:
    return replace(good, headers={**good.headers, "x-amzn-waf-action": "challenge"})


def page(_: Answer) -> Answer:
    return answer("<html>Just a moment</html>", HTML)


def accepted(good: Answer) -> Answer:
    return replace(good, status=202)


def same(good: Answer) -> Answer:
    return good


@each_row(
    ("change", "status"),
    [
        (same, "success-existing"),
        (packed, "success-existing"),
        (spoilt, "mismatch"),
        (broken, "transfer-encoding-error"),
        (challenge, "terminal-bad-status"),
        (page, "terminal-bad-status"),
        (accepted, "terminal-bad-status"),
    ],
)
def test_a_capture_is_verified(
    filesets: Filesets,
    served: Repositories,
    change: Callable[[Answer], Answer],
    status: str,
) -> None:
    got = change(content(served))
    served.wayback.captures[:] = [Capture(FILE, "20200101000000", got, is_revisit=False)]
    (*_, result) = filesets.ingest(ONE, *WEB, "--no-spn2", status=status[0] != "s")
    assert result["status"] == status, result
    served.wayback.captures[0] = replace(served.wayback.captures[0], url=f"{FILE}?other")
    (*_, result) = filesets.ingest(ONE, *WEB, "--no-spn2", status=1)
    assert result["status"] == "no-capture"


def test_other_bytes_are_captured_anew(filesets: Filesets, served: Repositories) -> None:
    # Save Page Now refuses it while the old capture is recent: what is wrong with that is told.
    old = Capture(FILE, "20200101000000", spoilt(content(served)), is_revisit=False)
    served.wayback.captures.append(old)
    (result,) = filesets.ingest(ONE, *WEB, status=1)
    assert (result["status"], saves(served)) == ("mismatch", 1)
    served.wayback.captures[0] = replace(old, url=FILE.replace("http:", "https:"))
    (_, result) = filesets.ingest(ONE, *WEB)
    assert result["status"] == "success-file"


JOBS = "*/save/status/spn2*"


@each_row(
    ("fault", "status"),
    [
        ("no-rows@*/cdx/*", "spn2-cdx-lookup-failure"),
        ("html@*/cdx/*", "cdx-error"),
        ("503:seconds=0@*/cdx/*", "cdx-error"),
        ("503:seconds=0@*/web/2*", "spn2-wayback-error"),
        ("truncate@*/web/2*", "spn2-wayback-error"),
        ("wrong-hash@*/web/2*", "wayback-content-error"),
        ("html@zenodo.example/*/content", "terminal-bad-status"),
        ("404@zenodo.example/*/content", "terminal-bad-status"),
        ("wrong-hash@zenodo.example/*/content", "mismatch"),
        ("spn-busy@*/user", "spn2-backoff"),
        ("spn-quota@*/user", "spn2-backoff"),
        ("429:seconds=0@POST web.*", "spn2-backoff"),
        ("spn:value=user-session-limit@POST web.*", "spn2-backoff"),
        ("502@*/user", "spn2-error"),
        ("html@POST web.*", "spn2-error"),
        (f"spn-partial:skip=1@{JOBS}", "spn2-success-partial-url"),
        (f"spn:value=filesize-limit@{JOBS}", "spn2-error:filesize-limit"),
        (f"spn:value=invalid-url-syntax@{JOBS}", "invalid-url"),
        (f"spn:value=forbidden@{JOBS}", "forbidden"),
    ],
)
def test_a_fault_is_one_result_with_its_status(
    filesets: Filesets, served: Repositories, fault: str, status: str
) -> None:
    served.faults.clear()
    served.wayback.captures.clear()
    served.faults.switch_on(fault)
    (result,) = filesets.ingest(ONE, *WEB, status=1)
    assert result["status"] == status, result
    assert result["manifest"][0]["status"] == status
    assert result["error_message"].startswith("only.csv: ")


def test_a_set_that_stops_goes_on_later(filesets: Filesets, served: Repositories) -> None:
    served.faults.switch_on("spn-busy:skip=1:times=1@*/user")
    (result,) = filesets.ingest(SEVERAL, *WEB, status=1)
    assert result["status"] == "spn2-backoff"
    assert [file["status"] for file in result["manifest"]] == ["success", "spn2-backoff"]
    (result,) = filesets.ingest(SEVERAL, *WEB)
    assert (result["status"], saves(served)) == ("success", 2)


def test_too_many_captures_become_an_item(filesets: Filesets, served: Repositories) -> None:
    options = ("--web-max-files", "100")
    (result,) = filesets.ingest(MANY, *WEB, *options)
    assert (result["status"], result["ingest_strategy"]) == ("success", "archiveorg-fileset")
    assert result["strategy_reason"] == "30 files have no capture, 20 may be captured"
    assert saves(served) == 0
    (result,) = filesets.ingest(MANY, *WEB, *options, "--spn-max-files", "30")
    assert (result["status"], result["ingest_strategy"]) == ("success", "web-fileset")


def test_a_bundle_is_captured_and_its_files_are_compared(
    filesets: Filesets, served: Repositories
) -> None:
    bundle = f"{FILE.partition('10200011')[0]}10200001/files-archive"
    old = Capture(bundle, "20180101000000", answer(b"PK", "application/zip"), is_revisit=False)
    served.wayback.captures.append(replace(old, url=bundle.replace("http:", "https:")))
    for status, state in {"success": "success", "success-existing": "exists"}.items():
        (result,) = filesets.ingest(SEVERAL, *WEB, "--bundles", "prefer")
        assert (result["status"], result["ingest_strategy"]) == (status, "web-fileset-bundled")
        found = result["fileset_bundle"]
        assert found["cdx"]["url"] == found["terminal"]["terminal_url"] == bundle
        assert found["cdx"]["sha1hex"] == found["file_meta"]["sha1hex"]
        assert {file["status"] for file in result["manifest"]} == {state}
        assert {file["terminal_url"] for file in result["manifest"]} == {bundle}
    assert saves(served) == 1
    served.wayback.captures[:] = [old]
    (result,) = filesets.ingest(SEVERAL, *WEB, "--bundles", "prefer", "--no-spn2", status=1)
    assert result["status"] == "bundle-mismatch"
    assert {file["status"] for file in result["manifest"]} <= {"bundle-mismatch", "not-processed"}


def test_large_files_are_not_for_save_page_now(filesets: Filesets, served: Repositories) -> None:
    (result,) = filesets.ingest(SEVERAL, *WEB, "--spn-max-file-size", "1999")
    assert "2,000 bytes in one file, more than 1,999" in result["strategy_reason"]
    assert saves(served) == 0


def test_keys_are_needed_and_kept_secret(
    filesets: Filesets, served: Repositories, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ("--landing-page", "archive")
    filesets.ingest(SEVERAL, *page)
    (evidence,) = filesets.items.glob("*/*_evidence.warc.gz")
    urls = []
    with evidence.open("rb") as file:
        for each in read(file):
            assert isinstance(each, Record)
            text = b"".join(each.http()) if each.kind in ("request", "response") else b""
            assert SECRET_KEY.encode() not in text
            assert CDX_TOKEN.encode() not in text
            urls.append(each.uri or "")
    for part in ("/save", "/cdx/search/cdx", "/web/2"):
        assert any(part in url for url in urls)
    monkeypatch.delenv("IA_SECRET_KEY")
    (result,) = filesets.ingest(ONE, *WEB, status=1)
    assert result["status"] == "error-authentication"
    assert "IA_SECRET_KEY" in result["error_message"]


def test_a_page_of_the_web_archive_is_in_the_result(
    filesets: Filesets, served: Repositories
) -> None:
    request: dict[str, Any] = {"ingest_type": "dataset", "base_url": f"https://doi.org/{SEVERAL}"}
    path = filesets.items.parent / "requests.jsonl"
    for force, count in ((False, 1), (False, 1), (True, 2)):
        path.write_text(json.dumps(request | {"force_recrawl": force}))
        (result,) = filesets.ingest(str(path), "--landing-page", "archive")
        assert result["hit"]
        assert saves(served) == count
    (result,) = filesets.ingest(SEVERAL, "--landing-page", "archive")
    assert result["cdx"]["url"] == result["terminal"]["terminal_url"] == result["hops"][-1]
    assert result["cdx"]["datetime"] == result["terminal"]["terminal_dt"]
    assert result["terminal"]["terminal_sha1hex"] == result["file_meta"]["sha1hex"]


@pytest.mark.parametrize(
    ("web", "to", "words"),
    [
        ("archive", "./archive/", "the same place"),
        ("s3://bucket/a", "s3://bucket/a/", "the same place"),
        ("https://", "archive", "the URL of the web archive"),
    ],
)
def test_the_web_side_has_a_place_of_its_own(
    filesets: Filesets,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    web: str,
    to: str,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in filesets.run("ingest", ONE, "--web", web, "--to", to, status=2).err
