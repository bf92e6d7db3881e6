"""Queries, and the parser of their language, which is the same for every backend (docs/search.md).

    query  = clause { "OR" clause }
    clause = [ "NOT" | "-" ] term { [ "AND" ] [ "NOT" | "-" ] term }
    term   = "(" query ")" | [ FIELD ":" ] ( WORD | WORD* | "PHRASE" | [ DATE "TO" DATE ] ) | *

A WORD that the indexes split into several words (e-mail, 北京) is a phrase; a WORD without any
(&, —) is ignored.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NoReturn

from indexer.errors import QueryError
from indexer.search.language.dates import INDEXED, PUBLISHED, Period, period, written
from indexer.search.language.tree import (
    TEXT,
    TITLE,
    Between,
    Everything,
    Exists,
    Like,
    OneOf,
    Tree,
    Words,
    both,
    depth,
    either,
    negation,
)
from indexer.search.language.words import normal, words

MAX_LENGTH = 20_000
MAX_TERMS = 500
MAX_BEFORE_STAR, MAX_AFTER_STAR, MAX_STARS = 800, 100, 10
"""Characters before and after the first * of a domain or URL: Lucene refuses longer ones as too
complex."""

# The parser recurses at each parenthesis: this keeps far below Python's recursion limit.
MAX_PARENTHESES = 50
MAX_DEPTH = 20
"""Levels of AND, OR and NOT within each other. Elasticsearch's limit is 30."""

FIELDS = {
    "article_title": TITLE,
    "title": TITLE,
    "text_content": TEXT,
    "text": TEXT,
    "canonical_domain": "canonical_domain",
    "domain": "canonical_domain",
    "language": "language",
    "lang": "language",
    "url": "url",
    PUBLISHED: PUBLISHED,
    "date": PUBLISHED,
    INDEXED: INDEXED,
    "indexed": INDEXED,
}
"""The fields' names and their aliases."""

_WORD_FIELDS = (TITLE, TEXT)
_DATE_FIELDS = (PUBLISHED, INDEXED)
_LOWER_CASE = ("canonical_domain", "language")

# Word processors replace quotation marks by these.
_QUOTES = str.maketrans("“”„‟", '""""')
# U+202F is not a space here: French numbers contain it, and both backends treat it as a letter.
_SPACE = re.compile(r"[^\S\u202F]*")
_RAW_WORD = re.compile(r'(?:\\.|[^\s()"\\]|\u202F)+', re.DOTALL)
_RAW_URL = re.compile(r'[^\s"]+')
_PHRASE = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
_RANGE = re.compile(r"([\[{])\s*(\S+)\s+TO\s+(\S+?)\s*([\]}])")
_FIELD = re.compile(r"([A-Za-z_]+):(?=[^\s)])")
_OPERATOR = re.compile(r'(AND|OR|NOT|&&|\|\|)(?=[\s()"]|$)')
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_FUZZY = re.compile(r".*[^\s\\]([~^][\d.]*)$", re.DOTALL)
_NAMES = {"&&": "AND", "||": "OR"}


@dataclass(frozen=True, slots=True)
class Query:
    """A search. `text` is in the query language.

    `start` and `end` are the first and last publication date. Without `limit` all hits are found.
    """

    text: str = "*"
    start: date | None = None
    end: date | None = None
    languages: Sequence[str] = ()
    domains: Sequence[str] = ()
    limit: int | None = 20


def plan(query: Query) -> Tree:
    """Return the tree of a query's text and filters. Raises QueryError."""
    return both([parse(query.text), *_filters(query)])


def _filters(query: Query) -> list[Tree]:
    filters: list[Tree] = []
    if query.start or query.end:
        start = query.start.isoformat() if query.start else None
        # Between excludes its end, and the calendar's last day has none after it.
        bounded = query.end and query.end < date.max
        end = (query.end + timedelta(days=1)).isoformat() if query.end and bounded else None
        filters.append(Between(PUBLISHED, start, end))
    named = {"language": query.languages, "canonical_domain": query.domains}
    filters += [OneOf(name, tuple(map(str.lower, some))) for name, some in named.items() if some]
    return filters


def parse(text: str) -> Tree:
    """Return the tree of a query. Raises QueryError with the position of the error."""
    if len(text) > MAX_LENGTH:
        raise QueryError(f"a query may have {MAX_LENGTH} characters, not {len(text)}", MAX_LENGTH)
    if unreadable := re.search("[\x00\ud800-\udfff]", text):
        raise QueryError("this character is not allowed in a query", unreadable.start())
    return _Parser(text.translate(_QUOTES)).query()


class _Parser:
    """A recursive descent parser; `at` is the position of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.parentheses = 0
        self.terms = 0

    def query(self) -> Tree:
        """Parse the whole text."""
        if not self.text.strip():
            self.fail("an empty query: write * to find everything", 0)
        tree = self.alternatives(_WORD_FIELDS)
        if self.at < len(self.text):
            self.fail("this parenthesis was not opened", self.at)
        return tree or self.fail("the query has no word to search for", 0)

    def alternatives(self, fields: tuple[str, ...]) -> Tree | None:
        """Parse clauses with OR between them, up to a closing parenthesis or the end."""
        found = [self.clause(fields)]
        while self.operator() == "OR":
            self.take_operator()
            found.append(self.clause(fields))
        nodes = [node for node in found if node]
        return either(nodes) if nodes else None

    def clause(self, fields: tuple[str, ...]) -> Tree | None:
        """Parse terms that must all match, with or without AND between them."""
        nodes = [self.term(fields)]
        while not self.at_end() and self.operator() != "OR":
            if self.operator() == "AND":
                self.take_operator()
            nodes.append(self.term(fields))
        found = [node for node in nodes if node]
        return both(found) if found else None

    def term(self, fields: tuple[str, ...]) -> Tree | None:
        """Parse one term; None if it has no word."""
        negative = self.negations()
        start = self.at
        if self.at_end():
            self.fail("a term is missing here", start)
        if operator := self.operator():
            self.fail(f"{operator} must stand between two terms", start)
        self.terms += 1
        if self.terms > MAX_TERMS:
            self.fail(f"a query may have {MAX_TERMS} terms", start)
        if field := _FIELD.match(self.text, self.at):
            fields = (self.field(field[1], start),)
            self.at = field.end()
        node = self.value(fields)
        return negation(node) if node and negative else node

    def negations(self) -> bool:
        """Skip NOT, - and +; return whether the next term is negated."""
        negative = False
        while True:
            self.skip_space()
            sign = self.text[self.at : self.at + 2]
            if self.operator() == "NOT":
                self.take_operator()
                negative = not negative
            elif len(sign) == 2 and sign[0] in "-+!" and not sign[1].isspace() and sign[1] != ")":
                self.at += 1
                negative ^= sign[0] != "+"
            else:
                return negative

    def field(self, name: str, start: int) -> str:
        """Return the field of a name or alias."""
        if field := FIELDS.get(name.lower()):
            return field
        # Pasted addresses look like a field called http or https.
        if self.text.startswith("//", start + len(name) + 1):
            self.fail('to find a page by its address, write url:"…"', start)
        known = ", ".join(FIELDS)
        why = f'there is no field {name} (to search for the word, put it in "…"); the fields are '
        return self.fail(why + known, start)

    def value(self, fields: tuple[str, ...]) -> Tree | None:
        """Parse the words, phrase, range or group to find in the fields."""
        start = self.at
        if self.text[start] == "(":
            return self.group(fields)
        if self.text[start] == '"':
            return self.phrase(fields)
        if self.text[start] in "[{" and len(fields) == 1:
            return self.range(fields[0])
        raw = self.raw_word(fields)
        if raw in ("*", "*:*"):
            return Everything() if len(fields) > 1 else Exists(fields[0])
        if fields == ("url",):
            return self.keyword("url", raw.split("*"), start)
        if fuzzy := _FUZZY.match(raw):
            self.fail("~ and ^ are not supported", start + fuzzy.start(1))
        return self.word(fields, _pieces(raw), start)

    def word(self, fields: tuple[str, ...], pieces: list[str], start: int) -> Tree | None:
        """Return the node of a word that was split at each *."""
        field = fields[0]
        if field in _DATE_FIELDS:
            return self.date(field, "*".join(pieces), start)
        if field not in _WORD_FIELDS:
            return self.keyword(field, pieces, start)
        if any(pieces[1:]):
            self.fail("a * is only allowed at the end of a word", self.text.index("*", start))
        return _words(fields, pieces[0], prefix=len(pieces) > 1)

    def keyword(self, field: str, pieces: list[str], start: int) -> Tree:
        """Return the node of a whole field value that was split at each *."""
        if field in _LOWER_CASE:
            pieces = [piece.lower() for piece in pieces]
        if len(pieces) == 1:
            return OneOf(field, (pieces[0],))
        if len(pieces[0]) > MAX_BEFORE_STAR:
            self.fail(f"at most {MAX_BEFORE_STAR} characters before a *", start)
        if len(pieces) > MAX_STARS + 1 or sum(map(len, pieces[1:])) > MAX_AFTER_STAR:
            self.fail(f"at most {MAX_STARS} *, and {MAX_AFTER_STAR} characters after them", start)
        return Like(field, tuple(pieces))

    def raw_word(self, fields: tuple[str, ...]) -> str:
        """Return the characters up to a space, a quote or a parenthesis, backslashes included."""
        match = (_RAW_URL if fields == ("url",) else _RAW_WORD).match(self.text, self.at)
        if not match:
            self.fail("a character must follow this backslash", self.at)
        raw = match[0]
        # A URL may contain parentheses; one that it does not open itself closes a group.
        while fields == ("url",) and raw.endswith(")") and raw.count(")") > raw.count("("):
            raw = raw[:-1]
        self.at += len(raw)
        return raw or self.fail("a term is missing here", self.at)

    def group(self, fields: tuple[str, ...]) -> Tree | None:
        """Parse a group in parentheses."""
        start = self.at
        self.parentheses += 1
        if self.parentheses > MAX_PARENTHESES:
            self.fail(f"more than {MAX_PARENTHESES} levels of parentheses", start)
        self.at += 1
        tree = self.alternatives(fields)
        if self.at >= len(self.text):
            self.fail("this parenthesis is not closed", start)
        self.at += 1
        self.parentheses -= 1
        if tree and depth(tree) > MAX_DEPTH:
            self.fail(f"more than {MAX_DEPTH} levels of conditions", start)
        return tree

    def phrase(self, fields: tuple[str, ...]) -> Tree | None:
        """Parse a phrase in quotes."""
        start = self.at
        match = _PHRASE.match(self.text, start)
        if not match:
            self.fail("this quote is not closed", start)
        self.at = match.end()
        if self.text[self.at : self.at + 1] in ("~", "^", "*"):
            self.fail("~, ^ and * are not allowed after a phrase", self.at)
        return self.word(fields, [_ESCAPED.sub(r"\1", match[1])], start)

    def date(self, field: str, text: str, start: int) -> Tree:
        """Return the node of a day, month or year."""
        found = self.period(field, text, start)
        return Between(field, written(field, found.start), written(field, found.end))

    def range(self, field: str) -> Tree:
        """Parse [DATE TO DATE]; a brace excludes its date, and a * means no bound."""
        start = self.at
        match = _RANGE.match(self.text, start)
        if not match or field not in _DATE_FIELDS:
            self.fail("a range is written date:[2024-01-01 TO 2024-02-29]", start)
        self.at = match.end()
        low = high = None
        if match[2] != "*":
            first = self.period(field, match[2], match.start(2))
            low = first.start if match[1] == "[" else first.end
        if match[3] != "*":
            last = self.period(field, match[3], match.start(3))
            high = last.end if match[4] == "]" else last.start
        if low and high and low >= high:
            self.fail("no date is within this range", start)
        return Between(field, written(field, low), written(field, high))

    def period(self, field: str, text: str, start: int) -> Period:
        """Return the period of a date; only `indexed_date` may have a time of day."""
        found = period(text) if field == INDEXED or "T" not in text else None
        return found or self.fail("a date is written 2024, 2024-02 or 2024-02-29", start)

    def operator(self) -> str:
        """Return the next operator (AND, OR, NOT); empty if a term comes next."""
        self.skip_space()
        match = _OPERATOR.match(self.text, self.at)
        return _NAMES.get(match[1], match[1]) if match else ""

    def take_operator(self) -> None:
        """Skip the next operator."""
        match = _OPERATOR.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def at_end(self) -> bool:
        """Return whether the query or the current group ends here."""
        self.skip_space()
        return self.text[self.at : self.at + 1] in ("", ")")

    def skip_space(self) -> None:
        """Skip white space."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def fail(self, why: str, at: int) -> NoReturn:
        """Raise an error at a position."""
        raise QueryError(why, at)


def _pieces(raw: str) -> list[str]:
    """Split a word at each * without a backslash before it."""
    pieces = [""]
    for character in re.findall(r"\\.|.", raw, re.DOTALL):
        if character == "*":
            pieces.append("")
        else:
            pieces[-1] += character[-1]
    return pieces


def _words(fields: tuple[str, ...], text: str, *, prefix: bool = False) -> Tree | None:
    text = normal(text)
    return Words(fields, text, prefix) if words(text) else None
