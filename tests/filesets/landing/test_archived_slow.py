"""Landing pages from the imitation of the web archive, with each status of spec 3.2 to 3.4."""

import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from indexer.errors import FilesetError
from indexer.filesets.ingest.opening import opened_looker
from indexer.filesets.ingest.options import DatasetOptions
from indexer.filesets.landing.fetching import LandingPages
from indexer.filesets.landing.resource import Resource
from newsroom.repositories.exchange import HTML, Answer, answer, redirect
from newsroom.repositories.platforms.wayback import Capture
from newsroom.repositories.server import Repositories
from tests.each_row import each_row

A, S, B = "http://a.example/", "https://a.example/", "http://b.example/page"
PAGE = answer("<html><head><title>A</title></head></html>", HTML)
WALL = "http://c.example/cookieAbsent"
RECORD = "http://zenodo.example/records/10200001"
DOI = "https://doi.org/10.5072/zenodo.10200001"


def captured(url: str, got: Answer = PAGE, day: str = "20200101") -> Capture:
    return Capture(url, f"{day}000000", got, is_revisit=False)


@contextmanager
def archive(
    *captures: Capture, faults: Sequence[str] = (), **settings: str
) -> Iterator[tuple[Repositories, LandingPages]]:
    with Repositories(faults=faults) as served:
        served.wayback.captures += captures
        given = {**served.settings, "FILESETS_LANDING_PAGE": "archive", **settings}
        with opened_looker(DatasetOptions.of(given)) as looker:
            looker.recorder.begin("evidence.warc.gz")
            yield served, looker.pages


def fetch(url: str, *captures: Capture, fresh: bool = False, **options: Any) -> Resource:
    with archive(*captures, **options) as (_, pages):
        return pages.fetch(url, fresh=fresh)


def test_a_page_comes_from_its_capture() -> None:
    moved, old = captured(A, redirect(B)), captured(B, PAGE, "20190101")
    with archive(moved, old) as (served, pages):
        found = pages.fetch(A)
        asked = {each.url.split("/")[2] for each in served.log.entries}
    assert asked == {"web.archive.example"}
    assert (found.problem, found.hops, found.terminal_url) == ("", [A, B], B)
    assert (found.terminal_dt, found.status, found.content_type) == ("20190101000000", 200, HTML)
    assert found.body == PAGE.content.whole()
    assert found.cdx
    assert (found.cdx["url"], found.cdx["sha1hex"]) == (B, PAGE.content.hash("sha1"))
    assert found.revisit_cdx is None


def test_a_revisit_has_both_rows() -> None:
    again = Capture(A, "20210101000000", PAGE, is_revisit=True)
    found = fetch(A, captured(A.replace("http:", "https:")), again)
    assert (found.problem, found.body) == ("", PAGE.content.whole())
    assert found.cdx
    assert found.revisit_cdx
    assert [row["datetime"][:4] for row in (found.cdx, found.revisit_cdx)] == ["2020", "2021"]


ROUND = (captured(A, redirect(B)), captured(B, redirect(A)))
LONG = [captured(f"{A}{at}", redirect(f"{A}{at + 1}")) for at in range(30)]
INDEX, REPLAY = "*/cdx/search/cdx*", "*/web/2*id_/*"


@each_row(
    ("captures", "faults", "problem", "status"),
    [
        ([], [], "no-capture", 0),
        ([captured(A, redirect(B))], [], "no-capture", 0),
        ([captured(A, redirect(S)), captured(WALL)], [], "no-capture", 0),
        (ROUND, [], "redirect-loop", 302),
        ([captured(A, redirect("mailto:a@b"))], [], "bad-redirect", 302),
        ([captured(A, answer("gone", HTML, 410))], [], "terminal-bad-status", 410),
        ([captured(A, answer("", HTML))], [], "empty-blob", 200),
        (
            [captured(A, answer(gzip.compress(b"page")[:-9], HTML))],
            [],
            "bad-gzip-encoding",
            200,
        ),
        (
            [captured(A, redirect(WALL)), captured(WALL)],
            [],
            "blocked-cookie",
            200,
        ),
        ([captured(A)], [f"html@{INDEX}"], "cdx-error", 0),
        ([captured(A)], [f"503:seconds=0@{INDEX}"], "cdx-error", 0),
        ([captured(A)], [f"503:seconds=0@{REPLAY}"], "wayback-error", 200),
        ([captured(A)], [f"truncate:bytes=3@{REPLAY}"], "wayback-error", 200),
        ([captured(A, redirect(B))], [f"html@{REPLAY}"], "wayback-error", 302),
    ],
)
def test_a_page_without_a_good_capture(
    captures: Sequence[Capture], faults: list[str], problem: str, status: int
) -> None:
    faults = [fault.replace("503:seconds=0@", "503:seconds=0@") for fault in faults]
    found = fetch(A, *captures, faults=faults, SPN2="0")
    assert (found.problem, found.status, found.body) == (problem, status, b"")
    assert found.message


def test_a_chain_has_at_most_25_redirects() -> None:
    found = fetch(f"{A}0", *LONG, SPN2="0")
    assert (found.problem, len(found.hops)) == ("redirects-exceeded", 26)


def test_a_layer_of_gzip_that_the_archive_does_not_tell_is_removed() -> None:
    packed = answer(gzip.compress(PAGE.content.whole()), HTML)
    assert fetch(A, captured(A, packed)).body == PAGE.content.whole()


def test_the_page_of_an_article_is_preferred_to_its_pdf() -> None:
    url = "https://arxiv.org/pdf/2401.00001.pdf"
    pdf = captured(url, answer("%PDF-", "application/pdf"))
    assert fetch(url, pdf, captured(url.removesuffix(".pdf"))).hops == [
        url,
        "https://arxiv.org/pdf/2401.00001",
    ]
    assert fetch(url, pdf).hops == [url]


@each_row(
    "url", ["https://archive.org/about/", "https://web.archive.org/web/2020/http://a.example/"]
)
def test_the_archive_itself_is_not_looked_up(url: str) -> None:
    with pytest.raises(FilesetError, match="not-implemented"):
        fetch(url)


OLD_ERROR = captured(RECORD, answer("failed", HTML, 500), "20180101")
NEW_ERROR = captured(RECORD, answer("failed", HTML, 500))


@each_row(
    ("captures", "fresh", "problem", "saves"),
    [
        ([], False, "", 1),
        ([captured(RECORD)], False, "", 0),
        ([captured(RECORD)], True, "spn2-recent-capture", 1),
        ([OLD_ERROR], False, "spn2-recent-capture", 1),
        ([NEW_ERROR], False, "terminal-bad-status", 0),
    ],
)
def test_a_missing_or_old_page_is_saved(
    captures: list[Capture], fresh: bool, problem: str, saves: int
) -> None:
    with archive(*captures) as (served, pages):
        found = pages.fetch(RECORD, fresh=fresh)
        assert found.problem == problem
        assert len(served.log.calls("/save", "POST")) == saves


def test_all_hops_of_a_new_capture_are_kept() -> None:
    found = fetch(DOI, faults=["no-rows:times=2@*/cdx/*"])
    assert (found.problem, found.hops, found.status) == ("", [DOI, RECORD], 200)
    assert b"citation_title" in found.body


JOBS = "*/save/status/spn2*"


@each_row(
    ("fault", "problem"),
    [
        ("spn-followed:skip=1:times=1@*/save/status/spn2*", ""),
        ("no-rows@*/cdx/*", "spn2-cdx-lookup-failure"),
        ("503:seconds=0@*/web/2*", "spn2-wayback-error"),
        (f"spn-partial:skip=1@{JOBS}", "spn2-success-partial-url"),
        ("spn-busy@*/user", "spn2-backoff"),
        ("spn-quota@*/user", "spn2-backoff"),
        ("429:seconds=0@*/user", "spn2-backoff"),
        ("spn:value=user-session-limit@POST web.*", "spn2-backoff"),
        ("html@POST web.*", "spn2-error"),
        ("over-limit@POST web.*", "spn2-error"),
        (f"spn:value=job-failed@{JOBS}", "spn2-error:job-failed"),
        (f"spn:value=no-access@{JOBS}", "forbidden"),
        (f"spn:value=not-found@{JOBS}", "not-found"),
        (f"spn:value=read-timeout@{JOBS}", "read-timeout"),
        (f"spn:value=gateway-timeout@{JOBS}", "gateway-timeout"),
        (f"spn:value=too-many-redirects@{JOBS}", "too-many-redirects"),
        (f"spn:value=internal-server-error@{JOBS}", "remote-server-error"),
        ("404@zenodo.example/records/*", "terminal-bad-status"),
    ],
)
def test_a_page_that_is_not_saved(fault: str, problem: str) -> None:
    assert fetch(RECORD, faults=[fault]).problem == problem


def test_a_key_is_needed() -> None:
    assert fetch(RECORD, IA_SECRET_KEY="").problem == "error-authentication"
    assert fetch(RECORD, IA_SECRET_KEY="wrong-secret").problem == "error-authentication"
    assert fetch("http://nowhere.example/").problem == "invalid-host-resolution"
    assert fetch(RECORD, fresh=True, SPN2="0").problem == "no-capture"
