"""The query language, the same for every index: text to tree. Pure; `docs/search.md` teaches it.

    query  = clause { "OR" clause }
    clause = [ "NOT" | "-" ] term { [ "AND" ] [ "NOT" | "-" ] term }
    term   = "(" query ")" | [ FIELD ":" ] ( WORD | WORD* | "PHRASE" | [ DATE "TO" DATE ] ) | *

A word in which there is more than one word for the indexes (e-mail, 北京) is a phrase; a word in
which there is none (&, —) is left out.
"""

import re
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
"""Characters before the first * of a domain or URL and after it: Lucene finds more too complex."""

MAX_PARENTHESES = 50
MAX_DEPTH = 20
"""Elasticsearch takes 30 levels; a level is an AND, OR or NOT within another one."""

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

_QUOTES = str.maketrans("“”„‟", '""""')
# U+202F is no space here: it is within French numbers, and within a word for both indexes.
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


def parse(text: str) -> Tree:
    """The tree of a query. Raises QueryError, with the position of what can't be read."""
    if len(text) > MAX_LENGTH:
        raise QueryError(f"a query may have {MAX_LENGTH} characters, not {len(text)}", MAX_LENGTH)
    if unreadable := re.search("[\x00\ud800-\udfff]", text):
        raise QueryError("a character that no text can have", unreadable.start())
    return _Parser(text.translate(_QUOTES)).query()


class _Parser:
    """Reads a query from left to right; `at` is how far it has come."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.parentheses = 0
        self.terms = 0

    def query(self) -> Tree:
        """The whole text."""
        if not self.text.strip():
            self.fail("an empty query: write * to find everything", 0)
        tree = self.alternatives(_WORD_FIELDS)
        if self.at < len(self.text):
            self.fail("nothing opens this parenthesis", self.at)
        return tree or self.fail("no word to look for", 0)

    def alternatives(self, fields: tuple[str, ...]) -> Tree | None:
        """Clauses with OR between them, up to a closing parenthesis or the end."""
        found = [self.clause(fields)]
        while self.operator() == "OR":
            self.take_operator()
            found.append(self.clause(fields))
        nodes = [node for node in found if node]
        return either(nodes) if nodes else None

    def clause(self, fields: tuple[str, ...]) -> Tree | None:
        """Terms that must all match, with or without AND between them."""
        nodes = [self.term(fields)]
        while not self.at_end() and self.operator() != "OR":
            if self.operator() == "AND":
                self.take_operator()
            nodes.append(self.term(fields))
        found = [node for node in nodes if node]
        return both(found) if found else None

    def term(self, fields: tuple[str, ...]) -> Tree | None:
        """One term; None if there is no word in it."""
        negative = self.negations()
        start = self.at
        if self.at_end():
            self.fail("something must follow here", start)
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
        """Step over NOT, - and +. Whether what follows is not wanted."""
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
        """The field that goes by that name."""
        if field := FIELDS.get(name.lower()):
            return field
        if self.text.startswith("//", start + len(name) + 1):
            self.fail('a page is found by its address with url:"…"', start)
        known = ", ".join(FIELDS)
        why = f'no field is called {name} (put "…" around it to look for the word); there are '
        return self.fail(why + known, start)

    def value(self, fields: tuple[str, ...]) -> Tree | None:
        """What is looked for in the fields."""
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
            self.fail("~ and ^ can't be used here", start + fuzzy.start(1))
        return self.word(fields, _pieces(raw), start)

    def word(self, fields: tuple[str, ...], pieces: list[str], start: int) -> Tree | None:
        """A word, cut where it has a *."""
        field = fields[0]
        if field in _DATE_FIELDS:
            return self.date(field, "*".join(pieces), start)
        if field not in _WORD_FIELDS:
            return self.keyword(field, pieces, start)
        if any(pieces[1:]):
            self.fail("a * can only end a word", start + self.text[start:].index("*"))
        return _words(fields, pieces[0], prefix=len(pieces) > 1)

    def keyword(self, field: str, pieces: list[str], start: int) -> Tree:
        """All of a field's value, cut where there may be anything."""
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
        """The characters up to a space, a quote or a parenthesis, with their backslashes."""
        match = (_RAW_URL if fields == ("url",) else _RAW_WORD).match(self.text, self.at)
        if not match:
            self.fail("nothing follows this backslash", self.at)
        raw = match[0]
        # In an address the parentheses that it opens itself are its own.
        while fields == ("url",) and raw.endswith(")") and raw.count(")") > raw.count("("):
            raw = raw[:-1]
        self.at += len(raw)
        return raw or self.fail("something must follow here", self.at)

    def group(self, fields: tuple[str, ...]) -> Tree | None:
        """What is between parentheses."""
        start = self.at
        self.parentheses += 1
        if self.parentheses > MAX_PARENTHESES:
            self.fail(f"more than {MAX_PARENTHESES} parentheses within one another", start)
        self.at += 1
        tree = self.alternatives(fields)
        if self.at >= len(self.text):
            self.fail("nothing closes this parenthesis", start)
        self.at += 1
        self.parentheses -= 1
        if tree and depth(tree) > MAX_DEPTH:
            self.fail(f"more than {MAX_DEPTH} conditions within one another", start)
        return tree

    def phrase(self, fields: tuple[str, ...]) -> Tree | None:
        """What is between quotes."""
        start = self.at
        match = _PHRASE.match(self.text, start)
        if not match:
            self.fail("nothing closes this quote", start)
        self.at = match.end()
        if self.text[self.at : self.at + 1] in ("~", "^", "*"):
            self.fail("no ~, ^ or * can follow a phrase", self.at)
        text = _plain(match[1])
        if fields[0] in _DATE_FIELDS:
            return self.date(fields[0], text, start)
        if fields[0] not in _WORD_FIELDS:
            return self.keyword(fields[0], [text], start)
        return _words(fields, text)

    def date(self, field: str, text: str, start: int) -> Tree:
        """A day, month or year."""
        found = self.period(field, text, start)
        return Between(field, written(field, found.start), written(field, found.end))

    def range(self, field: str) -> Tree:
        """[DATE TO DATE], or with braces, which leave that date out; a * is no bound."""
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
            self.fail("there is no day in this range", start)
        return Between(field, written(field, low), written(field, high))

    def period(self, field: str, text: str, start: int) -> Period:
        """What a date covers; only `indexed_date` has a time of day."""
        found = period(text) if field == INDEXED or "T" not in text else None
        return found or self.fail("a date is written 2024, 2024-02 or 2024-02-29", start)

    def operator(self) -> str:
        """The operator that comes next: AND, OR, NOT; or none."""
        self.skip_space()
        match = _OPERATOR.match(self.text, self.at)
        return _NAMES.get(match[1], match[1]) if match else ""

    def take_operator(self) -> None:
        """Step over the operator that comes next."""
        match = _OPERATOR.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def at_end(self) -> bool:
        """Whether the query, or the group that is read, ends here."""
        self.skip_space()
        return self.text[self.at : self.at + 1] in ("", ")")

    def skip_space(self) -> None:
        """Step over white space."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def fail(self, why: str, at: int) -> NoReturn:
        """Say what is wrong where."""
        raise QueryError(why, at)


def _plain(raw: str) -> str:
    return _ESCAPED.sub(r"\1", raw)


def _pieces(raw: str) -> list[str]:
    """A word cut at each * that has no backslash before it."""
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
