"""Searches that read their filters first, where fewer documents pass them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.search import SearchIndex
from indexer.search.language.query import Query, plan
from indexer.search.sqlite import narrowing
from indexer.search.sqlite.migration import stored_texts
from indexer.search.sqlite.narrowing import filters_first
from indexer.search.sqlite.query import match, statement
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row
from tests.search.corpus import corpus, fill, story
from tests.search.test_queries import QUERIES


@pytest.fixture
def connection(path: Path, index: SearchIndex) -> Iterator[sqlite3.Connection]:
    """A connection to the index of the corpus and of 20 other stories."""
    others = (story(str(number), "common words", url=f"{number}") for number in range(20))
    fill(
        index, *corpus(), *others, story("rare", "common uncommon", canonical_domain="rare.example")
    )
    with closing(sqlite3.connect(path)) as connection:
        yield connection


@each_row(
    ("query", "first"),
    [
        ("common domain:rare.example", True),
        ("common words -uncommon domain:rare.example", True),
        ("common domain:rare.example language:en", True),
        ("common date:1999", True),
        ("common domain:(site.example OR rare.example)", False),
        ("uncommon domain:rare.example", False),
        ("absent domain:rare.example", False),
        ("common language:xx", False),
        ("common url:https://rare.example/", False),
        ("common domain:*.example", False),
        ("common -domain:rare.example", False),
        ("common (domain:rare.example OR language:en)", False),
        ("common", False),
        ("domain:rare.example", False),
    ],
)
def test_filters_come_first_if_an_index_says_that_fewer_documents_pass_them(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, query: str, first: bool
) -> None:
    monkeypatch.setattr(narrowing, "FEW", 0)
    tree = plan(Query(query), STORY_FIELDS)
    assert filters_first(connection, tree, STORY_FIELDS, stored_texts(connection)) is first


def test_both_orders_find_the_same_hits_with_the_same_scores(
    connection: sqlite3.Connection,
) -> None:
    texts = stored_texts(connection)
    for query in (
        *(query for query, _ in QUERIES),
        "common domain:rare.example",
        "common date:2024",
    ):
        tree = plan(Query(query), STORY_FIELDS)
        ways = [statement(tree, STORY_FIELDS, texts, filters_first=way) for way in (False, True)]
        hits = [connection.execute(way.limited(None), way.values).fetchall() for way in ways]
        assert hits[0] == hits[1], query
        counts = [connection.execute(way.counted, way.values).fetchone() for way in ways]
        assert counts == [(len(hits[0]),)] * 2, query


@each_row(
    ("query", "expression"),
    [
        ("common", '"common"'),
        ("common -uncommon", '(("common") NOT ("uncommon"))'),
        ("title:common", '{article_title} : "common"'),
    ],
)
def test_words_that_may_be_in_any_column_have_no_filter_of_columns(
    connection: sqlite3.Connection, query: str, expression: str
) -> None:
    tree = plan(Query(query), STORY_FIELDS)
    assert match(tree, stored_texts(connection)) == expression


def test_filters_that_come_first_are_found_in_their_index(connection: sqlite3.Connection) -> None:
    tree = plan(Query("common domain:rare.example"), STORY_FIELDS)
    search = narrowing.narrowed(connection, tree, STORY_FIELDS, stored_texts(connection))
    rows = connection.execute(f"EXPLAIN QUERY PLAN {search.limited(20)}", search.values)
    steps = [row[3] for row in rows]
    # With `words` outside, each of its rows is looked up once, and its rank is counted once.
    assert steps[0] == "SCAN words VIRTUAL TABLE INDEX 0:M2"
    assert any("COVERING INDEX by_canonical_domain" in step for step in steps)


def test_a_search_for_words_alone_reads_no_rows_of_documents(
    connection: sqlite3.Connection,
) -> None:
    tree = plan(Query("common"), STORY_FIELDS)
    search = narrowing.narrowed(connection, tree, STORY_FIELDS, stored_texts(connection))
    for sql in (search.limited(20), search.counted):
        rows = connection.execute(f"EXPLAIN QUERY PLAN {sql}", search.values).fetchall()
        assert not any("documents" in row[3] for row in rows)


def test_words_are_not_counted_if_few_documents_pass_the_filters(
    connection: sqlite3.Connection,
) -> None:
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    tree = plan(Query("uncommon domain:rare.example"), STORY_FIELDS)
    assert filters_first(connection, tree, STORY_FIELDS, stored_texts(connection))
    assert not any("FROM words" in statement for statement in statements)


def test_filters_stay_last_if_both_sides_are_beyond_what_is_counted(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(narrowing, "FEW", 0)
    monkeypatch.setattr(narrowing, "MANY", 1)
    tree = plan(Query("common domain:rare.example"), STORY_FIELDS)
    assert not filters_first(connection, tree, STORY_FIELDS, stored_texts(connection))
