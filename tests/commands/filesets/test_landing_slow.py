"""`story-indexer filesets ingest --landing-page archive`: each status of a page, by the command."""

import gzip
import json
from collections.abc import Sequence

import pytest

from indexer.filesets.statuses import is_hit
from newsroom.repositories.content import Content, random_bytes
from newsroom.repositories.exchange import HTML, Answer, answer, redirect
from newsroom.repositories.platforms.wayback import Capture
from newsroom.repositories.server import Repositories
from tests.commands.filesets.conftest import Filesets
from tests.each_row import each_row

A, B, WALL = "http://a.example/", "http://b.example/page", "http://c.example/cookieAbsent"
PAGE = answer("<html><head><title>A</title></head></html>", HTML)
RECORD = "http://zenodo.example/records/10200001"
SCHEMA = {
    "@context": "https://schema.org",
    "@type": "Dataset",
    "name": "Tides",
    "identifier": "https://doi.org/10.5072/ftp.1",
    "distribution": [{"@type": "DataDownload", "contentUrl": "ftp://a.example/tides.csv"}],
}
FTP = f'<html><head><script type="application/ld+json">{json.dumps(SCHEMA)}</script></head></html>'


def captured(url: str, got: Answer = PAGE, day: str = "20200101") -> Capture:
    return Capture(url, f"{day}000000", got, is_revisit=False)


LONG = [captured(f"{A}{at}", redirect(f"{A}{at + 1}")) for at in range(30)]
LARGE = Answer(Content(random_bytes("a", 1 << 20), (128 << 20) + 1), 200, {"Content-Type": HTML})
INDEX, REPLAY = "*/cdx/search/cdx*", "*/web/2*id_/*"
POST, JOBS, USER = "POST web.*", "*/save/status/spn2*", "*/save/status/user"


@each_row(
    ("url", "captures", "fault", "status"),
    [
        (A, [captured(A)], "", "no-platform-match"),
        (A, [captured(A, redirect(A))], "", "redirect-loop"),
        (f"{A}0", LONG, "", "redirects-exceeded"),
        (A, [captured(A, redirect("mailto:a@b"))], "", "bad-redirect"),
        (A, [captured(A, answer("gone", HTML, 410))], "", "terminal-bad-status"),
        (A, [captured(A, answer("", HTML))], "", "empty-blob"),
        (A, [captured(A, LARGE)], "", "body-too-large"),
        (A, [captured(A, answer(gzip.compress(b"a")[:-9], HTML))], "", "bad-gzip-encoding"),
        (A, [captured(A, redirect(WALL)), captured(WALL)], "", "blocked-cookie"),
        (A, [captured(A)], f"html@{INDEX}", "cdx-error"),
        (A, [captured(A)], f"403@{REPLAY}", "wayback-error"),
        (A, [captured(A)], f"wrong-hash@{REPLAY}", "wayback-content-error"),
        (A, [], "", "invalid-host-resolution"),
        ("https://archive.org/about/", [], "", "not-implemented"),
        (A, [], f"spn:value=invalid-url@{POST}", "invalid-url"),
        (A, [], f"spn:value=not-found@{JOBS}", "not-found"),
        (A, [], f"spn:value=gateway-timeout@{JOBS}", "gateway-timeout"),
        (A, [], f"spn:value=read-timeout@{JOBS}", "read-timeout"),
        (A, [], f"spn:value=too-many-redirects@{JOBS}", "too-many-redirects"),
        (A, [], f"spn:value=no-access@{JOBS}", "forbidden"),
        (A, [], f"spn:value=internal-server-error@{JOBS}", "remote-server-error"),
        (A, [], f"spn:value=of-the-future@{JOBS}", "spn2-error:of-the-future"),
        (A, [], f"502@{POST}", "spn2-error"),
        (A, [], f"spn-busy@{USER}", "spn2-backoff"),
        (A, [], f"401@{USER}", "error-authentication"),
        (A, [captured(A, PAGE, "20180101")], "no-rows:times=1@*", "spn2-recent-capture"),
        (B, [captured(B, answer(FTP, HTML))], "", "spn2-no-ftp"),
        ("http://repository.example/set/silent", [], f"no-rows@{INDEX}", "spn2-cdx-lookup-failure"),
        ("http://repository.example/set/silent", [], f"403@{REPLAY}", "spn2-wayback-error"),
        (
            "http://repository.example/set/silent",
            [],
            f"spn-partial:skip=1@{JOBS}",
            "spn2-success-partial-url",
        ),
        (RECORD, [], "", "success"),
    ],
)
def test_a_request_has_the_status_of_its_page(
    filesets: Filesets,
    served: Repositories,
    url: str,
    captures: Sequence[Capture],
    fault: str,
    status: str,
) -> None:
    served.faults.clear()
    served.wayback.captures[:] = captures
    if fault:
        served.faults.switch_on(fault)
    web = ("--web", served.settings["WAYBACK_URL"])
    asked = ("--landing-page", "archive", *web)
    (result,) = filesets.ingest(url, *asked, status=0 if is_hit(status) else 1)
    assert result["status"] == status, result
    assert is_hit(status) or result["error_message"]


def test_without_save_page_now_a_page_has_no_capture(
    filesets: Filesets, served: Repositories
) -> None:
    (result,) = filesets.ingest(A, "--landing-page", "archive", "--no-spn2", status=1)
    assert result["status"] == "no-capture"
    assert not served.log.calls("/save")


@pytest.mark.parametrize(("url", "words"), [("nonsense", "WAYBACK_CDX_URL"), ("ftp://a", "ftp")])
def test_a_bad_url_of_the_index_is_an_error_of_the_options(
    filesets: Filesets, url: str, words: str
) -> None:
    printed = filesets.run("ingest", A, "--wayback-cdx-url", url, status=2)
    assert words.lower().replace("_", "-") in printed.err.lower().replace("_", "-")
