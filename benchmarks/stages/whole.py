"""The whole pipeline, from the feed to the index and the archive, and a script that does the same.

The script is what a researcher writes: one process, requests with a session for each page,
mcmetadata, a row of SQLite's full-text search, warcio's writer. It loses all if it is stopped.
"""

import io
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile

import mcmetadata
import requests
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from benchmarks.backends import Backends
from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.stage import Done, Stage, Unit
from benchmarks.pipeline import figures, measure
from benchmarks.site import BenchSite, generate

PAGES, HOSTS = 1000, 50


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage]]:  # noqa: ARG001 - the signature
    """The pipeline on generated pages; each round starts in an empty directory."""
    with BenchSite(pages=PAGES, hosts=HOSTS) as site:
        contenders: dict[str, Callable[[], int | Done]] = {
            "pipeline": _pipeline,
            "a script": lambda: _script(site),
        }
        yield [Stage("whole, stories", Unit.RATE, 150, contenders)]


def _pipeline() -> Done:
    row = figures(*measure(PAGES, HOSTS, {}, Backends()))["all"]
    return Done(int(row["stories"]), row["cpu_seconds"])


def _script(site: BenchSite) -> int:
    index = sqlite3.connect("")
    index.execute("CREATE VIRTUAL TABLE stories USING fts5(url, title, text)")
    with TemporaryFile() as file:
        writer = WARCWriter(file, gzip=True)
        for page in generate(PAGES, HOSTS):
            _story(page.url, site.port, index, writer)
    index.commit()
    return PAGES


def _story(url: str, port: int, index: sqlite3.Connection, writer: WARCWriter) -> None:
    host, _, path = url.removeprefix("http://").partition("/")
    with requests.Session() as session:
        address = f"http://127.0.0.1:{port}/{path}"
        answer = session.get(address, headers={"Host": host}, timeout=60)
    found = mcmetadata.extract(url, answer.text)
    row = (url, found["article_title"], found["text_content"])
    index.execute("INSERT INTO stories VALUES (?, ?, ?)", row)
    head = StatusAndHeaders("200 OK", list(answer.headers.items()), protocol="HTTP/1.1")
    body = io.BytesIO(answer.content)
    writer.write_record(writer.create_warc_record(url, "response", body, http_headers=head))
