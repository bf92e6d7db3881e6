"""The archive flavor: what was archived here makes the same documents in another, empty index."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Document, open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.stories.story import Story
from tests.commands.backends import backends, run_flavor
from tests.commands.sample import Backends
from tests.stories.archived import a_story, archive, varied
from workers.stories.archiver import Archiver, ArchiverOptions
from workers.stories.importer import Importer, ImporterOptions

COUNT = 1000


class Restored(NamedTuple):
    """What one archive was made of, and what it became."""

    before: dict[str, Document]
    after: dict[str, Document]
    summary: dict[str, Any]
    again: dict[str, Any]


def index_and_archive(stories: list[Story], backends: Backends, data: Path) -> None:
    """Do what the importer and the archiver do."""
    importer = Importer(ImporterOptions.of({"INDEX_URL": backends.index, "DATAROOT": str(data)}))
    archiver = Archiver(
        ArchiverOptions.of({"ARCHIVE_URL": backends.archive, "DATAROOT": str(data)})
    )
    for story in stories:
        importer.add(story)
        archiver.add(story)
    assert {ending.status for ending in importer.flush()} == {"created"}
    archiver.flush()
    importer.close()
    archiver.close()


def documents(url: str) -> dict[str, Document]:
    """What an index holds of the stories."""
    index = open_index(url, STORY_FIELDS)
    index.refresh()
    urls = [varied(number).content_metadata.url or "" for number in range(COUNT)]
    found = index.find([unique_url_hash(url) for url in urls])
    index.close()
    return dict(found)


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("real", marks=pytest.mark.external)]
)
def restored(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Restored]:
    """What became of an archive."""
    first, second = (tmp_path_factory.mktemp(name) for name in ("first", "second"))
    with (
        backends(request.param, first) as old,
        backends(request.param, second) as new,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name, value in old.variables.items():
            patch.setenv(name, value)
        index_and_archive([varied(number) for number in range(COUNT)], old, first)
        kept = f"{old.archive}/"
        summary, again = (run_flavor(new, second, kept) for _ in range(2))
        yield Restored(documents(old.index), documents(new.index), summary, again)


def test_a_thousand_archived_stories_give_the_same_documents_in_an_empty_index(
    restored: Restored,
) -> None:
    assert len(restored.after) == COUNT
    assert restored.after == restored.before


def test_what_was_parsed_keeps_the_date_at_which_it_was(restored: Restored) -> None:
    dates = {document.text("indexed_date") for document in restored.after.values()}
    assert dates == {f"2024-05-01T11:00:00.{number:06d}" for number in range(COUNT)}


def test_every_story_is_counted_and_no_archive_is_written(restored: Restored) -> None:
    summary = restored.summary
    assert (summary["queued"], summary["indexed"]) == (COUNT, COUNT)
    assert (summary["warc_files"], summary["accounted"]) == ([], True)


def test_an_archive_that_is_done_is_not_read_again(restored: Restored) -> None:
    assert restored.again["queued"] == 0


def test_each_damaged_archive_is_named_and_the_rest_of_it_indexed(tmp_path: Path) -> None:
    paths = [tmp_path / f"damaged-{number}.warc.gz" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_bytes(archive([a_story(3 * number + each) for each in range(3)])[:-10])
    with backends("embedded", tmp_path) as where:
        summary = run_flavor(where, tmp_path / "data", *map(str, paths), status=1)
    assert (summary["indexed"], summary["skipped"]) == (6, {"lost": 3})
    assert len(summary["unread"]) == len(paths)
    for why, path in zip(summary["unread"], paths, strict=True):
        assert why.startswith(f"{path}: 1 record lost, the first: record 7, offset ")
