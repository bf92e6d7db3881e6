"""Hostile and random queries."""

import random

import pytest

from indexer.errors import QueryError
from indexer.search import SearchIndex
from tests.paths import DATA
from tests.search.corpus import found
from tests.search.test_queries import filled

HOSTILE = [
    '"',
    '"a',
    'a"',
    "(" * 10_000,
    ")" * 10_000,
    "(" * 40 + "a" + ")" * 40,
    "(a OR " * 30 + "b" + ")" * 30,
    "(a (b OR -(c " * 9 + "d" + ")))" * 9,
    "-" * 9_000 + "a",
    "NOT " * 2_000 + "a",
    "a " * 5_000,
    "a OR " * 499 + "a",
    "x" * 9_999,
    "中" * 9_999,
    "*" * 9_999,
    "url:" + "*a" * 4_000,
    "url:" + "a*" * 9 + "b",
    "url:*" + "?" * 100,
    "url:" + ("*" + "ab" * 5) * 10,
    "url:" + ("*" + "a" * 10) * 9 + "*",
    "url:*" + "中" * 100 + "*",
    "url:" + "?" * 800 + "*" + "?" * 100,
    "url:" + "?" * 801 + "*",
    "url:" + "x" * 19_996,
    "url:*" + "中" * 9_000,
    "'; DROP TABLE documents; --",
    '" OR 1=1 --',
    'a" OR text_content : "b',
    "{article_title} : a",
    "NEAR(a b, 2)",
    "a^2",
    "^a",
    "a + b",
    "words MATCH 'a'",
    "documents:x",
    "a \x00 b",
    "\ud800",
    "\udfff*",
    "title:\udc00",
    "domain:%",
    "domain:[a-z]*",
    "domain:\\*",
    "url:\\",
    "\\",
    "\\\\*",
    "title:",
    "title: ",
    ":",
    "::",
    "date:2024-02-30",
    "date:[9999 TO 9999]",
    "date:0000",
    "date:[2024 TO 2023]",
    "indexed:2024-01-01T25:00",
    "indexed:1000",
    "indexed:9999-12-31",
    "\u202e\u200b\ufeff",
    "a\u0301\u0301\u0301\u0301*",
    "AND",
    "OR OR",
    "[* TO *]",
    "date:[* TO *]",
    "{",
    '{"query": {"match_all": {}}}',
    "_id:a",
    "*:*",
]


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("elasticsearch", marks=pytest.mark.external)]
)
def test_hostile_queries_are_errors_or_find_something_or_nothing(
    kind: str, request: pytest.FixtureRequest
) -> None:
    index = filled(kind, request)
    for query in HOSTILE:
        outcome(index, query)
    assert found(index, "bridge")


@pytest.mark.external
def test_both_indexes_agree_on_random_queries(
    request: pytest.FixtureRequest,
) -> None:
    """Random queries with a fixed seed, of pieces of the corpus and of the query language."""
    sqlite, elasticsearch = filled("sqlite", request), filled("elasticsearch", request)
    differing = {
        query: outcomes
        for query in [*random_queries(300), *HOSTILE]
        if len(set(outcomes := [outcome(sqlite, query), outcome(elasticsearch, query)])) > 1
    }
    assert differing == {}


def outcome(index: SearchIndex, query: str) -> str:
    """Return the ids that a query finds, or its error."""
    try:
        return " ".join(sorted(found(index, query)))
    except QueryError as error:
        return f"{error.why} at {error.position}"


def random_queries(number: int) -> list[str]:
    """Return random queries."""
    chance = random.Random(20240229)
    text = (DATA / "search" / "corpus.jsonl").read_text("utf-8")
    pieces = ["(", ")", '"', "-", " AND ", " OR ", " NOT ", "* ", " ", "title:", "domain:", "\\"]
    queries = []
    for _ in range(number):
        some = []
        for _ in range(chance.randint(1, 4)):
            start = chance.randrange(len(text))
            some += [chance.choice(pieces), text[start : start + chance.randint(1, 8)]]
        queries.append("".join(some))
    return queries
