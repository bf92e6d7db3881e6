"""newsroom/repositories/faults.py: each fault, as a client meets it."""

import gzip
import http.client
from contextlib import suppress
from dataclasses import dataclass

import pytest

from newsroom.repositories.faults import KINDS, Fault
from newsroom.repositories.platforms.archiveorg import ACCESS_KEY, SECRET_KEY
from newsroom.repositories.server import Repositories
from tests.each_row import each_row
from tests.newsroom.repositories.asking import ask, follow

FILE = "http://zenodo.example/api/records/10200011/files/only.csv/content"
KEY = "zenodo/10200011/1/only.csv"
SIZE = 5_000


@dataclass
class Row:
    """A fault, and the first response with it. `sent` is the size of the body that arrives."""

    fault: str
    status: int
    sent: int
    header: str = ""
    broken: bool = False


ROWS = [
    Row("waf", 202, 0, "x-amzn-waf-action: challenge"),
    Row("waf-403", 403, 35),
    Row("empty-202", 202, 0),
    Row("html", 200, 64, "Content-Type: text/html; charset=utf-8"),
    Row("429:seconds=7", 429, 50, "Retry-After: 7"),
    Row("429-epoch:seconds=7", 429, 50, "X-RateLimit-Remaining: 0"),
    Row("500", 500, 50),
    Row("503:seconds=2", 503, 50, "Retry-After: 2"),
    Row("truncate:bytes=77", 200, 77, "Content-Length: 5000", broken=True),
    Row("reset:bytes=0", 200, 0, broken=True),
    Row("no-range", 200, SIZE),
    Row("range-refused", 416, 0, f"Content-Range: bytes */{SIZE}"),
    Row("gzip", 206, 11, "Content-Encoding: gzip"),
    Row("wrong-hash", 206, 11),
    Row("drip:bytes=1000", 206, 11),
    Row("delay:seconds=0", 206, 11),
    Row("signed", 302, 200, "Location: http://storage.example/zenodo.example/"),
]


@each_row("row", ROWS)
def test_a_fault_changes_the_answer(own: Repositories, row: Row) -> None:
    own.faults.clear()
    own.log.clear()
    kind, _, options = row.fault.partition(":")
    own.faults.switch_on(f"{kind}:times=1{options and ':'}{options}@zenodo.example/*")
    given = {} if row.broken else {"Range": "bytes=4989-"}
    got = ask(own, FILE, headers=given)
    assert got.status == row.status
    assert bool(got.error) is row.broken
    assert len(got.body) == row.sent or row.status not in (200, 206)
    name, _, value = row.header.partition(": ")
    assert got.headers.get(name, "").startswith(value)
    assert ask(own, FILE, headers=given).error is None
    assert [each.fault for each in own.log.entries] == [kind, ""]


def test_a_reset_in_place_of_an_answer(own: Repositories) -> None:
    own.faults.switch_on("refuse:times=1@*")
    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
        ask(own, FILE)
    assert ask(own, FILE).status == 200


def test_an_upload_that_is_refused_is_not_stored_and_a_lost_answer_is_stored(
    own: Repositories,
) -> None:
    own.faults.switch_on("refuse:times=1@PUT s3.*", "reset:times=1:bytes=0@PUT s3.*")
    url = "http://s3.us.archive.example/new-item/a"
    headers = {
        "Authorization": f"LOW {ACCESS_KEY}:{SECRET_KEY}",
        "x-archive-auto-make-bucket": "1",
    }
    for stored in ([], ["new-item"]):
        with suppress(OSError, http.client.HTTPException):
            ask(own, url, "PUT", b"abc", headers)
        assert list(own.items) == stored
    assert [each.received for each in own.log.entries] == [3, 3]


def test_a_packed_answer_is_unpacked_to_the_file(own: Repositories) -> None:
    plain = ask(own, FILE).body
    own.faults.switch_on("packed@*")
    assert gzip.decompress(ask(own, FILE).body) == plain


def test_wrong_bytes_have_the_right_size(own: Repositories) -> None:
    plain = ask(own, FILE).body
    own.faults.switch_on("wrong-hash@*only.csv*")
    wrong = ask(own, FILE).body
    assert len(wrong) == len(plain)
    assert wrong != plain


def test_a_signed_url_leads_to_the_same_bytes_but_not_for_head(own: Repositories) -> None:
    plain = ask(own, FILE).body
    own.faults.switch_on("signed@zenodo.example/*")
    url, got = follow(own, FILE)
    assert url.startswith("http://storage.example/")
    assert got.body == plain
    assert ask(own, url, headers={"Range": "bytes=10-19"}).body == plain[10:20]
    assert ask(own, url, "HEAD").status == 403
    assert ask(own, url.partition("?")[0]).status == 403


def test_a_share_of_the_requests_fails(own: Repositories) -> None:
    own.faults.switch_on("500:share=0.3@*")
    failed = [ask(own, FILE).status for _ in range(50)].count(500)
    assert 5 <= failed <= 30


def test_the_first_requests_can_be_skipped(own: Repositories) -> None:
    own.faults.switch_on("500:skip=2:times=1@GET *")
    assert [ask(own, FILE).status for _ in range(4)] == [200, 200, 500, 200]


@pytest.mark.parametrize("text", ["429", "unknown@*", "500:often=1@*", "500:times=x@*"])
def test_an_unknown_fault_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Fault.parse(text)


def test_the_bytes_of_each_file_are_counted(own: Repositories) -> None:
    own.faults.switch_on("truncate:times=1:bytes=1000@*")
    first = ask(own, FILE)
    ask(own, FILE, headers={"Range": f"bytes={len(first.body)}-"})
    assert own.log.bytes_of_files() == {KEY: SIZE}
    assert [each.start for each in own.log.entries] == [0, 1000]


def test_each_kind_is_in_the_table_of_this_test() -> None:
    tested = {row.fault.partition(":")[0] for row in ROWS} | {"refuse", "packed"}
    # With the platforms that have them.
    tested |= {"spn", "spn-busy", "spn-quota", "spn-followed", "spn-partial"}
    tested |= {"no-rows", "over-limit", "bundle"}
    assert set(KINDS) <= tested
