"""The reparse flavor: archives are parsed again, and what changed is told, and then updated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Document, open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from newsroom.server import Newsroom
from tests.commands.backends import backends, run_flavor
from tests.commands.sample import PLAIN, Backends

URLS = PLAIN[:5]
IDS = [unique_url_hash(url) for url in URLS]
CHANGED, ERASED = IDS[:2]
OLD = "What an older parser took for the title"


class Reparsed(NamedTuple):
    """The index before, after a dry run and after the real one; and their summaries."""

    before: dict[str, Document]
    tried: dict[str, Document]
    after: dict[str, Document]
    dry: dict[str, Any]
    wet: dict[str, Any]
    data: Path


def documents(where: Backends) -> dict[str, Document]:
    index = open_index(where.index, STORY_FIELDS)
    index.refresh()
    found = dict(index.find(IDS))
    index.close()
    return found


def age(where: Backends) -> None:
    """Make the index one of an older parser, and of before somebody asked for an erasure."""
    document = documents(where)[CHANGED]
    index = open_index(where.index, STORY_FIELDS)
    index.update([document.replace(article_title=OLD, language=None)])
    index.delete([ERASED])
    index.refresh()
    index.close()


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("real", marks=pytest.mark.external)]
)
def reparsed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Reparsed]:
    """A run of pages, and two of their archive."""
    data = tmp_path_factory.mktemp("reparsed")
    pages = data / "pages.txt"
    pages.write_text("\n".join(URLS))
    with backends(request.param, data) as where:
        with Newsroom() as room:
            run_flavor(where, data, str(pages), room=room)
        before = documents(where)
        age(where)
        again = ["--type", "reparse", f"{where.archive}/"]
        dry = run_flavor(where, data, *again, "--dry-run")
        tried = documents(where)
        wet = run_flavor(where, data, *again)
        yield Reparsed(before, tried, documents(where), dry, wet, data)


def test_a_dry_run_tells_what_would_change_and_changes_nothing(reparsed: Reparsed) -> None:
    assert reparsed.dry["reindexed"] == {"unchanged": 3, "would-update": 1}
    assert reparsed.tried[CHANGED].get("article_title") == OLD
    differences = {each["field"]: each for each in reparsed.dry["differences"]["fields"]}
    assert set(differences) == {"article_title", "language"}
    assert [each["stories"] for each in differences.values()] == [1, 1]
    (example,) = differences["article_title"]["examples"]
    assert example["url"] == reparsed.before[CHANGED].get("url")
    assert (example["before"], example["after"]) == (
        OLD,
        reparsed.before[CHANGED].get("article_title"),
    )


def test_what_changed_is_updated_and_keeps_the_date_at_which_it_came(reparsed: Reparsed) -> None:
    assert reparsed.wet["reindexed"] == {"unchanged": 3, "updated": 1}
    assert reparsed.after[CHANGED] == reparsed.before[CHANGED]
    assert reparsed.wet["accounted"]


def test_what_was_erased_does_not_come_back(reparsed: Reparsed) -> None:
    assert reparsed.wet["discarded"] == {"absent": 1}
    assert reparsed.after.keys() == set(IDS) - {ERASED}


def test_no_archive_is_written(reparsed: Reparsed) -> None:
    assert reparsed.dry["warc_files"] == reparsed.wet["warc_files"] == []


def test_the_report_of_each_run_is_kept(reparsed: Reparsed) -> None:
    assert len(list((reparsed.data / "differences").glob("*/*.jsonl"))) == 2
