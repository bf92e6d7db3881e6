"""Search indexes under load: large results, several processes."""

import gc
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from indexer.search import Added, SearchIndex
from indexer.search.language.query import Query
from tests.search.conftest import Opener
from tests.search.corpus import corpus, fill, found, story
from tests.search.test_conformance import ends


def test_a_long_text_is_searched_to_its_end(index: SearchIndex) -> None:
    """stories.md 7.2: the existing system cut it at 32,766 bytes."""
    fill(index, story("a", "word " * 100_000 + "needle"))
    assert found(index, "needle") == ["a"]


def test_several_processes_add_each_document_once(opener: Opener) -> None:
    documents = [story(str(number), "x" * 100) for number in range(30)]
    indexes = [opener() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        batches = list(pool.map(lambda index: index.add(documents), indexes))
    created = sum(answer.added is Added.CREATED for answers in batches for answer in answers)
    indexes[0].refresh()
    assert (created, indexes[0].count(Query())) == (30, 30)


def test_without_limit_every_hit_comes_once(index: SearchIndex) -> None:
    documents = [story(f"{number:03}", "same words") for number in range(250)]
    fill(index, *documents)
    for text in ("words", "*"):
        assert sorted(found(index, text)) == [document.id for document in documents]


def test_hits_are_of_one_moment(opener: Opener) -> None:
    index = opener()
    fill(index, *(story(str(number), "word") for number in range(120)))
    hits = index.search(Query("word", limit=None))
    seen = [hit.document.id for hit in islice(hits, 10)]
    other = opener()
    other.delete([str(number) for number in range(120)])
    fill(other, story("late", "word"))
    assert len({*seen, *(hit.document.id for hit in hits)} - {"late"}) == 120


def test_a_search_that_is_not_read_to_its_end_releases_everything(index: SearchIndex) -> None:
    fill(index, *corpus())
    hits = index.search(Query("*", limit=None))
    next(hits)
    del hits
    gc.collect()
    assert ends(index, "en-flood") == ["deleted"]


def test_all_hits_take_no_more_memory_than_a_page(index: SearchIndex) -> None:
    text = "needle" + (" " + "x" * 99) * 400
    fill(index, *(story(f"{number:03}", text) for number in range(300)))
    tracemalloc.start()
    try:
        assert sum(1 for _ in index.search(Query("needle", limit=None))) == 300
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 9_000_000  # all of them are 12 MB
