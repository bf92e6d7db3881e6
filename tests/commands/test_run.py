"""`story-indexer run`: the whole of it, on the sample newsroom, embedded and on real servers."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from indexer.stories.ids import unique_url_hash
from tests.commands.sample import EXPECTED, Backends, Left, look, real_backends, run

# One process makes the runs that all these tests look at.
pytestmark = pytest.mark.xdist_group("run")

TIMES = ("fetch_timestamp", "parsed_date")


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """A run with everything in a directory."""
    data = tmp_path_factory.mktemp("embedded")
    backends = Backends.embedded(data)
    return look(run(data, backends), backends)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Left]:
    """A run on RabbitMQ, Elasticsearch and S3."""
    for name in ("rabbitmq", "elasticsearch", "s3"):
        require(name)
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


@pytest.mark.parametrize("document", EXPECTED.documents, ids=lambda document: document.url)
def test_each_page_has_the_right_title_date_language_and_text(left: Left, document: Any) -> None:
    found = left.documents[unique_url_hash(document.url)]
    assert found.article_title == document.title
    assert found.publication_date == document.publication_date
    assert found.language == document.language
    assert found.canonical_domain == document.canonical_domain
    text = " ".join(found.text_content.split())
    place = 0
    for paragraph in document.contains:
        place = text.index(" ".join(paragraph.split()), place)
    assert not [line for line in document.lacks if " ".join(line.split()) in text]


@pytest.mark.parametrize("document", EXPECTED.documents, ids=lambda document: document.url)
def test_each_page_is_archived_as_it_is_indexed(left: Left, document: Any) -> None:
    id = unique_url_hash(document.url)
    found, archived = left.documents[id], left.archived[id]
    content = archived.metadata["content_metadata"]
    assert len(content) == 15
    assert content["url"] == found.url
    assert content["text_content"] == found.text_content
    assert content["article_title"] == found.article_title
    assert content["parsed_date"] == found.indexed_date
    # A date that only the feed tells is indexed, but not written down as the page's own.
    own = document.publication_date if document.date_on_page else None
    assert content["publication_date"] == own
    html = archived.story.raw_html.html
    assert html is not None
    assert document.contains[0][:20] in html.decode(document.encoding, "replace") or html


def test_the_archives_are_read_by_warcio_and_have_2n_plus_1_records(left: Left) -> None:
    for file in left.files:
        kinds = [record.rec_type for record in ArchiveIterator(io.BytesIO(file))]
        stories = kinds.count("response")
        assert kinds == ["warcinfo", *["response", "metadata"] * stories]
    assert sum(1 for _ in left.archived) == len(EXPECTED.documents)


@pytest.mark.external
def test_real_servers_give_the_same_metadata_byte_for_byte(embedded: Left, real: Left) -> None:
    single = {unique_url_hash(d.url) for d in EXPECTED.documents if len(d.links) == 1}
    for id in single:
        assert _bytes(real.archived[id].metadata) == _bytes(embedded.archived[id].metadata)
    for id in embedded.archived.keys() - single:
        # Which of several links came first is a matter of order; the page is the same.
        ours, theirs = (left.archived[id].metadata["content_metadata"] for left in (embedded, real))
        assert ours["text_content"] == theirs["text_content"]
    assert real.documents.keys() == embedded.documents.keys()


@pytest.mark.external
def test_real_servers_give_the_same_statuses(embedded: Left, real: Left) -> None:
    for name in ("queued", "fetched", "indexed", "duplicates", "discarded", "skipped"):
        assert real.summary[name] == embedded.summary[name]


def _bytes(metadata: Mapping[str, Any]) -> bytes:
    """The JSON, but for the times."""
    parts = {
        name: {key: value for key, value in part.items() if key not in TIMES}
        for name, part in metadata.items()
    }
    return json.dumps(parts).encode()


def require(name: str) -> None:
    """Skip, or fail in CI, where a server does not answer."""
    from tests.conftest import _require  # noqa: PLC0415

    _require(name)


def story_indexer(*arguments: str, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run the command."""
    command = [sys.executable, "-m", "indexer.commands.main", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=100, check=False)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["/nowhere/feed.xml"], b"no such file or directory: /nowhere/feed.xml"),
        (["x.csv", "--replicas", "parser=none"], b"parser=none: a number from 1"),
        (["x.csv", "--set", "NAME"], b"write it as NAME=VALUE"),
        (["x.csv", "--type", "weekly"], b"there are queue-fetcher, batch-fetcher, csv"),
        (["gopher://x/feed"], b"inputs are files, or URLs"),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(
    arguments: list[str], says: bytes, tmp_path: Path
) -> None:
    ended = story_indexer("run", *arguments, "--data", str(tmp_path))
    assert ended.returncode == 1
    assert says in ended.stderr
    assert b"Traceback" not in ended.stderr


def test_files_that_are_done_are_skipped_and_nothing_is_there_twice(tmp_path: Path) -> None:
    pages = tmp_path / "urls.txt"
    pages.write_text("http://127.0.0.1:9/a\nhttp://127.0.0.1:9/b\n")
    data = tmp_path / "data"
    first = json.loads(story_indexer("run", str(pages), "--json", "--data", str(data)).stdout)
    assert (first["queued"], first["skipped"]) == (0, {"bad-host": 2})
    second = json.loads(story_indexer("run", str(pages), "--json", "--data", str(data)).stdout)
    assert (second["queued"], second["skipped"]) == (0, {})


def test_ctrl_c_stops_cleanly_and_running_again_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "indexer.commands.main", "run", "--json"]
    process = subprocess.Popen(
        [*command, "--data", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(tmp_path / "logs" / "fetcher.log", "success: ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=100)
    first = json.loads(out)
    assert process.returncode == 130
    assert "stopping" in err
    assert first["left"] > 0
    backends = Backends.embedded(tmp_path)
    second = run(tmp_path, backends)
    assert second["carried_over"] == first["left"]
    # Links that were queued twice, because their file was not read to its end, are duplicates.
    assert first["indexed"] + second["indexed"] == len(EXPECTED.documents)
    assert second["left"] == 0
    assert len(look(second, backends).documents) == len(EXPECTED.documents)


def wait_for(path: Path, text: str) -> None:
    """Until a file has a text in it, for a minute at most."""
    deadline = time.monotonic() + 60
    while not path.exists() or text not in path.read_text():
        assert time.monotonic() < deadline, f"{path} never said {text!r}"
        time.sleep(0.05)
