"""The query language: text to tree."""

import pytest

from indexer.errors import QueryError
from indexer.search.language.query import MAX_LENGTH, MAX_TERMS, parse
from indexer.search.language.schema import Field, FieldType, Schema
from indexer.search.language.tree import (
    And,
    Between,
    Everything,
    Exists,
    Like,
    Not,
    OneOf,
    Or,
    Tree,
    Words,
)
from indexer.search.language.words import words
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row

TITLE, TEXT = "article_title", "text_content"
BOTH = (TITLE, TEXT)


def word(text: str, *, prefix: bool = False) -> Words:
    """A word in title or text."""
    return Words(BOTH, text, prefix)


A, B, C = word("a"), word("b"), word("c")


@each_row(
    ("text", "tree"),
    [
        ("a", A),
        (" a  b ", And((A, B))),
        ("a AND b", And((A, B))),
        ("a && b", And((A, B))),
        ("a OR b", Or((A, B))),
        ("a || b OR c", Or((A, B, C))),
        ("a b OR c", Or((And((A, B)), C))),
        ("a OR b c", Or((A, And((B, C))))),
        ("(a OR b) c", And((Or((A, B)), C))),
        ("((a) ((b)) c)", And((A, B, C))),
        ("(a OR (b OR c))", Or((A, B, C))),
        ("a NOT b", And((A, Not(B)))),
        ("a AND NOT b", And((A, Not(B)))),
        ("a -b", And((A, Not(B)))),
        ("a !b", And((A, Not(B)))),
        ("+a -b", And((A, Not(B)))),
        ("-(a b)", Not(And((A, B)))),
        ("NOT NOT a", A),
        ("--a", A),
        ("NOT -+-a", Not(A)),
        ("a - b", And((A, B))),
        ("a & — ... b", And((A, B))),
        ("a OR &", A),
        ("a -&", A),
        ("and or not", And((word("and"), word("or"), word("not")))),
        ("ANDROID ORB", And((word("ANDROID"), word("ORB")))),
        ('"a b"', word("a b")),
        ("“a b„", word("a b")),
        ('"a"b', And((A, B))),
        (r'"a \" b"', word('a " b')),
        (r"a\ b", word("a b")),
        (r"\(a\)", word("(a)")),
        (r"a\*", word("a*")),
        (r"a\**", word("a*", prefix=True)),
        (r"a\\*", word("a\\", prefix=True)),
        ("a*", word("a", prefix=True)),
        ("e-mail", word("e-mail")),
        ("10:30", word("10:30")),
        ("Re: a", And((word("Re:"), A))),
        ("what?", word("what?")),
        ("*", Everything()),
        ("*:*", Everything()),
        ("* a", A),
        ("-*", Not(Everything())),
        ("e\u0301", word("é")),
        ("title:a b", And((Words((TITLE,), "a"), B))),
        ("TITLE:a", Words((TITLE,), "a")),
        ("article_title:a*", Words((TITLE,), "a", prefix=True)),
        ('text:"a b"', Words((TEXT,), "a b")),
        ("text_content:(a OR title:b)", Or((Words((TEXT,), "a"), Words((TITLE,), "b")))),
        ("-title:a", Not(Words((TITLE,), "a"))),
        ("title:*", Exists(TITLE)),
        ("domain:BBC.co.uk", OneOf("canonical_domain", ("bbc.co.uk",))),
        ("domain:(a.b OR c.d)", OneOf("canonical_domain", ("a.b", "c.d"))),
        ("lang:en OR a OR language:fr", Or((A, OneOf("language", ("en", "fr"))))),
        ("domain:*.gov", Like("canonical_domain", ("", ".gov"))),
        ("url:https://a.b/C?d=(e)", OneOf("url", ("https://a.b/C?d=(e)",))),
        ("(url:https://a.b/c)", OneOf("url", ("https://a.b/c",))),
        ("url:https://a.b/*/c*", Like("url", ("https://a.b/", "/c", ""))),
        ('url:"https://a.b/*"', OneOf("url", ("https://a.b/*",))),
        ("date:2024-02-29", Between("publication_date", "2024-02-29", "2024-03-01")),
        ('date:"2024-02"', Between("publication_date", "2024-02-01", "2024-03-01")),
        ("publication_date:2024", Between("publication_date", "2024-01-01", "2025-01-01")),
        ("date:[2024 TO *]", Between("publication_date", "2024-01-01", None)),
        ("date:[* TO 2024}", Between("publication_date", None, "2024-01-01")),
        (
            "date:{ 2024-01-01 TO 2024-01-03 }",
            Between("publication_date", "2024-01-02", "2024-01-03"),
        ),
        (
            "indexed:2024-01-01T10:00:00",
            Between("indexed_date", "2024-01-01T10:00:00.000000", "2024-01-01T10:00:01.000000"),
        ),
        ("date:9999-12-31", Between("publication_date", "9999-12-31", None)),
    ],
)
def test_a_query_means_this(text: str, tree: Tree) -> None:
    assert parse(text, STORY_FIELDS) == tree


@each_row(
    ("text", "position", "why"),
    [
        ("", 0, "empty query"),
        (" \t", 0, "empty query"),
        ("& ...", 0, "no word to search for"),
        ('a "b', 2, "this quote is not closed"),
        ("a (b", 2, "this parenthesis is not closed"),
        ("a) b", 1, "this parenthesis was not opened"),
        ("a ()", 3, "a term is missing"),
        ("a AND", 5, "a term is missing"),
        ("a OR ", 5, "a term is missing"),
        ("NOT", 3, "a term is missing"),
        ("a -)", 3, "was not opened"),
        ("OR a", 0, "OR must stand between"),
        ("a AND OR b", 6, "OR must stand between"),
        ("te*st", 2, "only allowed at the end of a word"),
        ("a *b", 2, "only allowed at the end of a word"),
        ('"a b"*', 5, "not allowed after a phrase"),
        ('"a b"~5', 5, "not allowed after a phrase"),
        ("abc~2", 3, "~ and ^ are not supported"),
        ("abc^2.5", 3, "~ and ^ are not supported"),
        ("a foo:b", 2, "there is no field foo"),
        ("https://a.b/c", 0, 'write url:"…"'),
        ("title: a OR date:x", 17, "a date is written"),
        ("date:2024-02-30", 5, "a date is written"),
        ("date:2024-01-01T10:00:00", 5, "a date is written"),
        ("date:[2024 to 2025]", 5, "a range is written"),
        ("date:[x TO 2025]", 6, "a date is written"),
        ("date:[2024 TO x]", 14, "a date is written"),
        ("date:[2024 TO 2023]", 5, "nothing is within this range"),
        ("date:{2024-01-01 TO 2024-01-02}", 5, "nothing is within this range"),
        ("domain:[a TO b]", 7, "a range is written"),
        ("a \\", 2, "a character must follow this backslash"),
        ("a \x00", 2, "not allowed in a query"),
        ("a \ud800", 2, "not allowed in a query"),
        ("a " * MAX_TERMS + "a", 2 * MAX_TERMS, f"{MAX_TERMS} terms"),
        ("a" * (MAX_LENGTH + 1), MAX_LENGTH, f"{MAX_LENGTH} characters"),
        ("(" * 10_000, 50, "50 levels of parentheses"),
        ("(a OR b (" * 15 + "c" + "))" * 15, None, "levels of conditions"),
        ("url:" + "*a" * 20, 4, "at most 10 *"),
        ("url:" + "a" * 801 + "*", 4, "at most 800 characters"),
    ],
)
def test_a_mistake_is_an_error_with_its_position(text: str, position: int | None, why: str) -> None:
    with pytest.raises(QueryError) as error:
        parse(text, STORY_FIELDS)
    assert why in error.value.why
    if position is not None:
        assert error.value.position == position
        assert f"at character {position + 1}" in str(error.value)


PASTED = [
    # Word processors and chats: quotes of all kinds, no-break spaces, dashes, an ellipsis.
    ("“a b”", word("a b")),
    ("„a b“", word("a b")),
    ("«a» b", And((A, B))),
    ("a\u00a0b", And((A, B))),
    ("title:“a b”", Words((TITLE,), "a b")),
    ("domain:“BBC.co.uk”", OneOf("canonical_domain", ("bbc.co.uk",))),
    ("a – b…", And((A, B))),
    ("‘a’ 'b'", And((A, B))),
    # Spreadsheets and web pages: invisible marks before a text, and line ends.
    ("\ufefftitle:a", Words((TITLE,), "a")),
    ("\u200elang:he ", OneOf("language", ("he",))),
    ("a\r\n\u200bAND b\n", And((A, B))),
    # Addresses: with a scheme, in quotes, in a list, without a scheme, with a port.
    ('"https://a.b/c"', word("https://a.b/c")),
    ("url:HTTPS://a.b:80/C:d#e", OneOf("url", ("HTTPS://a.b:80/C:d#e",))),
    ("(url:https://a.b/(c) OR url:http://d.e/)", OneOf("url", ("https://a.b/(c)", "http://d.e/"))),
    ("www.a.b/c?d=e&f", word("www.a.b/c?d=e&f")),
    ("a.b:8080/c", word("a.b:8080/c")),
    # Other query languages: quoted bounds, lists of domains, a dash before a group.
    (
        'date:["2024-01-01" TO "2024-01-31"]',
        Between("publication_date", "2024-01-01", "2024-02-01"),
    ),
    (
        "canonical_domain:(a.b OR c.d) AND -(a)",
        And((OneOf("canonical_domain", ("a.b", "c.d")), Not(A))),
    ),
    ("F1:a b", And((word("F1:a"), B))),
    ("@a #b", And((A, B))),
]


@each_row(("text", "tree"), PASTED)
def test_what_people_paste_is_understood(text: str, tree: Tree) -> None:
    found = parse(text, STORY_FIELDS)
    assert meaning(found) == meaning(tree)


def meaning(tree: Tree) -> object:
    """Return a tree with its texts as the words that the indexes look for."""
    match tree:
        case Words(fields, text, prefix):
            return fields, words(text), prefix
        case And(nodes) | Or(nodes):
            return type(tree), [meaning(node) for node in nodes]
        case Not(node):
            return Not, meaning(node)
        case _:
            return tree


@each_row(
    ("text", "position", "why"),
    [
        ("river AND", 9, "a term is missing"),
        ("river &&", 8, "a term is missing"),
        ("river OR\u200b ", 10, "a term is missing"),
        ("(river OR)", 9, "a term is missing"),
        ("“river", 0, "this quote is not closed"),
        ("https://site.example/news:1", 0, 'write url:"…"'),
        ("(HTTP://site.example)", 1, 'write url:"…"'),
        ("site:bbc.co.uk flood", 0, "there is no field site"),
        ("flood media_id:12", 6, "there is no field media_id (to search for the word, put it in"),
        ("mailto:a@b.example", 0, "there is no field mailto"),
        ("date:>=2024", 5, "a date is written"),
        ("date:2020..2024", 5, "a date is written"),
        ("date:[2024-01-01 TO]", 5, "a range is written date:[2024-01-01 TO 2024-02-29]"),
        ("date:[2024-01-01, 2024-02-01]", 5, "a range is written"),
        ("indexed:1706745600", 8, "a date is written 2024, 2024-02, 2024-02-29 or 2024-02-29T"),
        ("date:{9999-12-31 TO *]", 5, "nothing is within this range"),
        ('title:"a b"~10', 11, "not allowed after a phrase"),
    ],
)
def test_what_other_programs_allow_is_explained(text: str, position: int, why: str) -> None:
    with pytest.raises(QueryError) as error:
        parse(text, STORY_FIELDS)
    assert why in error.value.why
    assert error.value.position == position


def test_a_schema_without_ranges_says_so() -> None:
    schema = Schema((Field("title", FieldType.TEXT),))
    with pytest.raises(QueryError, match="no field has ranges"):
        parse("title:[a TO b]", schema)
