"""`story-indexer run`: the whole of it, on the sample newsroom, embedded and on real servers."""

import io
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastwarc
import pytest
from warcio.archiveiterator import ArchiveIterator

from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Document
from newsroom.page import BYTE_ORDER_MARKS
from newsroom.site import load_site
from tests import services
from tests.commands.sample import (
    EXPECTED,
    Backends,
    Left,
    look,
    real_backends,
    run,
)

TIMES = re.compile(rb'("(?:fetch_timestamp|parsed_date)": )(?:[0-9.e+]+|"[0-9T:.-]+")')
"""The values in a metadata record that are those of this run."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of the embedded run."""
    return tmp_path_factory.mktemp("embedded")


@pytest.fixture(scope="module")
def embedded(data: Path) -> Left:
    """A run with everything in a directory."""
    backends = Backends.embedded(data)
    return look(run(data, backends), backends)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Left]:
    """A run on RabbitMQ, Elasticsearch and S3."""
    for name in ("rabbitmq", "elasticsearch", "s3"):
        services.require(name)
    with real_backends() as backends:
        yield look(run(tmp_path_factory.mktemp("real"), backends), backends)


@pytest.fixture(params=["embedded", pytest.param("real", marks=pytest.mark.external)])
def left(request: pytest.FixtureRequest) -> Left:
    """What a run left behind."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Left)
    return found


def test_every_sample_story_is_accounted_for(left: Left) -> None:
    summary = left.summary
    assert summary["queued"] == EXPECTED.queued
    assert summary["indexed"] == len(EXPECTED.documents) >= 40
    assert summary["duplicates"] == EXPECTED.duplicates
    assert summary["discarded"] == EXPECTED.discarded_by_status
    assert summary["skipped"] == EXPECTED.skipped_by_status
    assert summary["quarantined"] == {}
    assert summary["left"] == 0
    assert summary["queued"] == (
        summary["indexed"] + summary["duplicates"] + sum(summary["discarded"].values())
    )


@pytest.mark.usefixtures("embedded")
def test_only_the_owner_may_read_and_write_what_a_run_has_made(data: Path) -> None:
    made = [path for path in data.rglob("*") if path.is_dir() or path.is_file()]
    assert [path for path in made if path.stat().st_mode & 0o077] == []
    assert {"archive", "index.sqlite3", "queues.sqlite3", "logs"} <= {path.name for path in made}


@pytest.mark.parametrize("document", EXPECTED.documents, ids=lambda document: document.url)
def test_each_page_has_the_right_title_date_language_and_text(left: Left, document: Any) -> None:
    found = left.documents[unique_url_hash(document.url)]
    assert found.get("article_title") == document.title
    assert found.get("publication_date") == document.publication_date
    assert found.get("language") == document.language
    assert found.get("canonical_domain") == document.canonical_domain
    text = " ".join(found.text("text_content").split())
    place = 0
    for paragraph in document.contains:
        place = text.index(" ".join(paragraph.split()), place)
    assert not [line for line in document.lacks if " ".join(line.split()) in text]


@pytest.mark.parametrize("document", EXPECTED.documents, ids=lambda document: document.url)
def test_each_page_is_archived_as_it_is_indexed(left: Left, document: Any) -> None:
    id = unique_url_hash(document.url)
    found, archived = left.documents[id], left.archived[id]
    assert archived.metadata == archived.story.metadata()
    content = archived.metadata["content_metadata"]
    assert len(content) == 15
    assert found == Document(unique_url_hash(content["url"]), {}).replace(
        url=content["url"],
        text_content=content["text_content"],
        indexed_date=content["parsed_date"],
        article_title=content["article_title"],
        canonical_domain=content["canonical_domain"],
        language=content["language"],
        publication_date=document.publication_date,
    )
    # A date that only the feed tells is indexed, but not written down as the page's own.
    own = document.publication_date if document.date_on_page else None
    assert content["publication_date"] == own
    assert archived.metadata["rss_entry"]["link"] in document.links
    assert archived.metadata["http_metadata"]["response_code"] == 200


@pytest.mark.parametrize("document", EXPECTED.documents, ids=lambda document: document.url)
def test_each_page_is_archived_byte_for_byte_as_it_was_served(left: Left, document: Any) -> None:
    archived = left.archived[unique_url_hash(document.url)]
    served = load_site().replies[document.url].body
    # All but a byte order mark, which is not kept (stories.md 6).
    mark = BYTE_ORDER_MARKS.get(document.encoding, b"")
    assert archived.story.raw_html.html == served.removeprefix(mark)


def test_the_archives_are_read_by_warcio_and_have_2n_plus_1_records(left: Left) -> None:
    for file in left.files:
        kinds = [record.rec_type for record in ArchiveIterator(io.BytesIO(file))]
        stories = kinds.count("response")
        assert kinds == ["warcinfo", *["response", "metadata"] * stories]
    assert sum(1 for _ in left.archived) == len(EXPECTED.documents)


def test_the_archives_have_as_many_records_for_fastwarc(left: Left) -> None:
    records = [r for file in left.files for r in fastwarc.ArchiveIterator(io.BytesIO(file))]
    kinds = Counter(record.headers["WARC-Type"] for record in records)
    stories = len(EXPECTED.documents)
    assert kinds == {"warcinfo": len(left.files), "response": stories, "metadata": stories}


def test_warcio_check_finds_no_fault_in_the_archives(left: Left, tmp_path: Path) -> None:
    names = [str(tmp_path / f"{number}.warc.gz") for number in range(len(left.files))]
    for name, file in zip(names, left.files, strict=True):
        Path(name).write_bytes(file)
    warcio = Path(sys.executable).with_name("warcio")
    checked = subprocess.run([warcio, "check", *names], capture_output=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, b"")


@pytest.mark.external
def test_real_servers_give_the_same_metadata_byte_for_byte(embedded: Left, real: Left) -> None:
    ours, theirs = _metadata(embedded), _metadata(real)
    single = {unique_url_hash(d.url) for d in EXPECTED.documents if len(d.links) == 1}
    assert len(single) >= 40
    for id in single:
        assert theirs[id] == ours[id]
    for id in embedded.archived.keys() - single:
        # Which of several links came first is a matter of order; the page is the same.
        here, there = (left.archived[id].metadata["content_metadata"] for left in (embedded, real))
        assert here["text_content"] == there["text_content"]
    assert real.archived.keys() == embedded.archived.keys()
    assert real.documents.keys() == embedded.documents.keys()


@pytest.mark.external
def test_real_servers_give_the_same_statuses(embedded: Left, real: Left) -> None:
    for name in ("queued", "fetched", "indexed", "duplicates", "discarded", "skipped"):
        assert real.summary[name] == embedded.summary[name]


def _metadata(left: Left) -> dict[str, bytes]:
    """The metadata records' bytes by document id, but for the values of the two times."""
    bodies = {}
    for file in left.files:
        for record in ArchiveIterator(io.BytesIO(file)):
            if record.rec_type == "metadata":
                body, replaced = TIMES.subn(rb"\1null", record.content_stream().read())
                assert replaced == 2
                url = json.loads(body)["content_metadata"]["url"]
                bodies[unique_url_hash(url)] = body
    return bodies
