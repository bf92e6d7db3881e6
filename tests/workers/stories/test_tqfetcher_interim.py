"""The fetcher of stories, and servers that send interim answers (1xx) before a page, or none."""

from contextlib import closing
from pathlib import Path

from indexer.errors import Discard, Disposition, Retry
from tests.each_row import each_row
from tests.http.fetching.raw import serving
from tests.workers.stories.test_tqfetcher import PAGE, ending, fetcher, story

PAGE_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(PAGE), PAGE)


@each_row(
    "interim",
    [
        b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n",
    ],
)
def test_a_page_after_interim_answers_is_fetched(interim: bytes, tmp_path: Path) -> None:
    with serving(interim + PAGE_ANSWER) as server, closing(fetcher(tmp_path)) as quick:
        fetched = quick.process(story(server.url))
    assert fetched.http_metadata.response_code == 200
    assert fetched.raw_html.html == PAGE


@each_row(
    ("answer", "kind", "status"),
    [
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n", Discard, "http-1xx"),
        # The server is broken, and may be mended.
        (b"HTTP/1.1 102 Processing\r\n\r\n" * 101 + PAGE_ANSWER, Retry, "noconn"),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n", Retry, "noconn"),
    ],
)
def test_interim_answers_without_a_page_are_no_page(
    answer: bytes, kind: type[Disposition], status: str, tmp_path: Path
) -> None:
    with serving(answer) as server, closing(fetcher(tmp_path)) as quick:
        ended = ending(quick, server.url)
    assert (type(ended), ended.status) == (kind, status)
