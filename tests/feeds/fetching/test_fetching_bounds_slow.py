"""The memory of a fetch is limited for every response."""

import gzip
import hashlib
import tracemalloc

import pytest

from tests.feeds.polls import client, poll
from tests.feeds.servers import CHUNKED, OK, encoded, flood
from tests.http.fetching.raw import Talk, serving

CAP = 2_000_000

# Made once, so that the server's memory is not counted.
SOME = b"<item><title>x</title></item>" * 2000
PIECE = f"{len(SOME):x}\r\n".encode() + SOME + b"\r\n"
LARGE = OK + b"Content-Length: 60000000\r\n\r\n"
BOMB = encoded("gzip", gzip.compress(bytes(60_000_000)))
NESTED = encoded("gzip, gzip", gzip.compress(gzip.compress(bytes(60_000_000))))


@pytest.mark.parametrize(
    "say",
    [flood(OK + b"\r\n", SOME), flood(CHUNKED, PIECE), flood(LARGE, SOME), BOMB, NESTED],
    ids=["an endless feed", "in chunks", "60 MB that it tells of", "a bomb", "a bomb in a bomb"],
)
def test_a_body_that_is_too_large_takes_only_a_few_times_the_limit(say: bytes | Talk) -> None:
    fetcher = client(max_html_bytes=CAP, max_encoded_bytes=CAP)
    with serving(say) as server:
        tracemalloc.start()
        attempt = fetcher.fetch(poll(server.url))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert (attempt.status, attempt.parts) == ("fetch error", [])
    assert peak < 4 * CAP


def test_a_feed_of_60_mb_is_fetched_if_an_operator_allows_that_much() -> None:
    body = SOME * (60_000_000 // len(SOME))
    with serving(OK + b"Content-Length: %d\r\n\r\n" % len(body) + body) as server:
        fetcher = client(max_html_bytes=len(body), max_encoded_bytes=len(body))
        attempt = fetcher.fetch(poll(server.url))
    assert attempt.status == "Working"
    assert attempt.answer is not None
    assert attempt.answer.md5 == hashlib.md5(body, usedforsecurity=False).hexdigest()
