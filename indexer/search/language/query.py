"""Queries, and the parser of their language, which is the same for every backend (docs/search.md).

    query  = clause { "OR" clause }
    clause = [ "NOT" | "-" ] term { [ "AND" ] [ "NOT" | "-" ] term }
    term   = "(" query ")" | [ FIELD ":" ] ( WORD | WORD* | "PHRASE" | [ VALUE "TO" VALUE ] ) | *

The fields, their names and the types of their values are those of a schema. A WORD that the indexes
split into several words (e-mail, 北京) is a phrase; a WORD without any (&, —) is ignored.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from indexer.errors import QueryError
from indexer.search.language.schema import Field, FieldType, Schema, Sort
from indexer.search.language.tree import (
    Between,
    Everything,
    Exists,
    Like,
    OneOf,
    Scalar,
    Tree,
    Words,
    both,
    depth,
    either,
    negation,
)
from indexer.search.language.values import EXAMPLES, RANGES, Span, span, truth
from indexer.search.language.words import normal, words

MAX_LENGTH = 20_000
MAX_TERMS = 500
MAX_BEFORE_STAR, MAX_AFTER_STAR, MAX_STARS = 800, 100, 10
"""Characters before and after the first * of a keyword or URL: Lucene refuses longer ones as too
complex."""

# The parser recurses at each parenthesis: this keeps far below Python's recursion limit.
MAX_PARENTHESES = 50
MAX_DEPTH = 20
"""Levels of AND, OR and NOT within each other. Elasticsearch's limit is 30."""

# Word processors replace quotation marks; web pages and spreadsheets bring invisible spaces.
_PASTED = str.maketrans("“”„‟\u200b\ufeff", '""""  ')
# U+202F is not a space here: French numbers contain it, and both backends treat it as a letter. The
# marks of direction before a word are not part of it.
_SPACE = re.compile(r"(?:[^\S\u202F]|[\u200E\u200F])*")
_RAW_WORD = re.compile(r'(?:\\.|[^\s()"\\]|\u202F)+', re.DOTALL)
_RAW_URL = re.compile(r'[^\s"]+')
_PHRASE = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
_RANGE = re.compile(r"([\[{])\s*(\S+)\s+TO\s+(\S+?)\s*([\]}])")
_FIELD = re.compile(r"([A-Za-z_]\w*):(?=[^\s)])", re.ASCII)
_OPERATOR = re.compile(r'(AND|OR|NOT|&&|\|\|)(?=[\s()"]|$)')
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_FUZZY = re.compile(r".*[^\s\\]([~^][\d.]*)$", re.DOTALL)
_NAMES = {"&&": "AND", "||": "OR"}


@dataclass(frozen=True, slots=True)
class Query:
    """A search. `text` is in the query language; hits match all `filters`, too.

    Without `sort` hits come in the order of their words' rank, or else of the schema. Without
    `limit` all hits are found.
    """

    text: str = "*"
    filters: Sequence[Tree] = ()
    sort: Sequence[Sort] = ()
    limit: int | None = 20


def plan(query: Query, schema: Schema) -> Tree:
    """Return the tree of a query's text and filters. Raises QueryError."""
    for name in (sort.field for sort in query.sort):
        field = schema.by_name.get(name)
        if not field or not field.sortable:
            sortable = ", ".join(field.name for field in schema.fields if field.sortable)
            raise QueryError(f"hits can't be sorted by {name}, but by {sortable or 'nothing'}")
    return both([parse(query.text, schema), *query.filters])


def check_facets(fields: Iterable[str], schema: Schema) -> None:
    """Raise QueryError unless all fields are keywords, whose values can be counted."""
    keywords = (*schema.of(FieldType.KEYWORD), *schema.of(FieldType.KEYWORDS))
    countable = {field.name for field in keywords}
    for name in fields:
        if name not in countable:
            known = ", ".join(sorted(countable)) or "no field"
            raise QueryError(f"values of {name} can't be counted, but those of {known}")


def parse(text: str, schema: Schema) -> Tree:
    """Return the tree of a query. Raises QueryError with the position of the error."""
    if len(text) > MAX_LENGTH:
        raise QueryError(f"a query may have {MAX_LENGTH} characters, not {len(text)}", MAX_LENGTH)
    if unreadable := re.search("[\x00\ud800-\udfff]", text):
        raise QueryError("this character is not allowed in a query", unreadable.start())
    return _Parser(text.translate(_PASTED), schema).query()


class _Parser:
    """A recursive descent parser; `at` is the position of the next character.

    The `field` of its methods is the one that the query has named, or None.
    """

    def __init__(self, text: str, schema: Schema) -> None:
        self.text = text
        self.schema = schema
        self.at = 0
        self.parentheses = 0
        self.terms = 0

    def query(self) -> Tree:
        """Parse the whole text."""
        if not self.text.strip():
            self.fail("an empty query: write * to find everything", 0)
        tree = self.alternatives(None)
        if self.at < len(self.text):
            self.fail("this parenthesis was not opened", self.at)
        return tree or self.fail("the query has no word to search for", 0)

    def alternatives(self, field: Field | None) -> Tree | None:
        """Parse clauses with OR between them, up to a closing parenthesis or the end."""
        found = [self.clause(field)]
        while self.operator() == "OR":
            self.take_operator()
            found.append(self.clause(field))
        nodes = [node for node in found if node]
        return either(nodes) if nodes else None

    def clause(self, field: Field | None) -> Tree | None:
        """Parse terms that must all match, with or without AND between them."""
        nodes = [self.term(field)]
        while not self.at_end() and self.operator() != "OR":
            if self.operator() == "AND":
                self.take_operator()
            nodes.append(self.term(field))
        found = [node for node in nodes if node]
        return both(found) if found else None

    def term(self, field: Field | None) -> Tree | None:
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
        node = self.value(self.named_field() or field)
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

    def named_field(self) -> Field | None:
        """Skip the name of a field, and return the field; None if a word comes next."""
        match, start = _FIELD.match(self.text, self.at), self.at
        if not match:
            return None
        if field := self.schema.queried.get(match[1].lower()):
            self.at = match.end()
            return field
        # Pasted addresses look like a field called http or https.
        if self.text.startswith("//", match.end()) and (urls := self.schema.of(FieldType.URL)):
            self.fail(f'to find a page by its address, write {urls[0].short}:"…"', start)
        # Scores and times of day look like a field, too: F1:qualifying.
        if any(map(str.isdigit, match[1])):
            return None
        why = f'there is no field {match[1]} (to search for the word, put it in "…")'
        return self.fail(f"{why}; the fields are {self.known()}", start)

    def known(self) -> str:
        """Return the names of all fields."""
        return ", ".join(self.schema.queried)

    def value(self, field: Field | None) -> Tree | None:
        """Parse the words, phrase, range or group to find in a field."""
        start = self.at
        if self.text[start] == "(":
            return self.group(field)
        if self.text[start] == '"':
            return self.phrase(field)
        if self.text[start] in "[{" and field:
            return self.range(field)
        raw = self.raw_word(field)
        if raw in ("*", "*:*"):
            return Exists(field.name) if field else Everything()
        if field and field.type is FieldType.URL:
            return self.keyword(field, raw.split("*"), start)
        if fuzzy := _FUZZY.match(raw):
            self.fail("~ and ^ are not supported", start + fuzzy.start(1))
        return self.word(field, _pieces(raw), start)

    def word(self, field: Field | None, pieces: list[str], start: int) -> Tree | None:
        """Return the node of a word that was split at each *."""
        if field and field.has_ranges:
            found = self.span(field, "*".join(pieces), start)
            return Between(field.name, found.start, found.end)
        if field and field.type is FieldType.BOOLEAN:
            return self.truth(field, "*".join(pieces), start)
        if field and field.type is not FieldType.TEXT:
            return self.keyword(field, pieces, start)
        if any(pieces[1:]):
            self.fail("a * is only allowed at the end of a word", self.text.index("*", start))
        names = (field.name,) if field else self.schema.default
        if not names:
            self.fail(f"write FIELD:VALUE; the fields are {self.known()}", start)
        return _words(names, pieces[0], prefix=len(pieces) > 1)

    def keyword(self, field: Field, pieces: list[str], start: int) -> Tree:
        """Return the node of a whole field value that was split at each *."""
        if field.lower:
            pieces = [piece.lower() for piece in pieces]
        if len(pieces) == 1:
            return OneOf(field.name, (pieces[0],))
        if len(pieces[0]) > MAX_BEFORE_STAR:
            self.fail(f"at most {MAX_BEFORE_STAR} characters before a *", start)
        if len(pieces) > MAX_STARS + 1 or sum(map(len, pieces[1:])) > MAX_AFTER_STAR:
            self.fail(f"at most {MAX_STARS} *, and {MAX_AFTER_STAR} characters after them", start)
        return Like(field.name, tuple(pieces))

    def raw_word(self, field: Field | None) -> str:
        """Return the characters up to a space, a quote or a parenthesis, backslashes included."""
        is_url = field is not None and field.type is FieldType.URL
        match = (_RAW_URL if is_url else _RAW_WORD).match(self.text, self.at)
        if not match:
            self.fail("a character must follow this backslash", self.at)
        raw = match[0]
        # A URL may contain parentheses; one that it does not open itself closes a group.
        while is_url and raw.endswith(")") and raw.count(")") > raw.count("("):
            raw = raw[:-1]
        self.at += len(raw)
        return raw or self.fail("a term is missing here", self.at)

    def group(self, field: Field | None) -> Tree | None:
        """Parse a group in parentheses."""
        start = self.at
        self.parentheses += 1
        if self.parentheses > MAX_PARENTHESES:
            self.fail(f"more than {MAX_PARENTHESES} levels of parentheses", start)
        self.at += 1
        tree = self.alternatives(field)
        if self.at >= len(self.text):
            self.fail("this parenthesis is not closed", start)
        self.at += 1
        self.parentheses -= 1
        if tree and depth(tree) > MAX_DEPTH:
            self.fail(f"more than {MAX_DEPTH} levels of conditions", start)
        return tree

    def phrase(self, field: Field | None) -> Tree | None:
        """Parse a phrase in quotes."""
        start = self.at
        match = _PHRASE.match(self.text, start)
        if not match:
            self.fail("this quote is not closed", start)
        self.at = match.end()
        if self.text[self.at : self.at + 1] in ("~", "^", "*"):
            self.fail("~, ^ and * are not allowed after a phrase", self.at)
        return self.word(field, [_ESCAPED.sub(r"\1", match[1])], start)

    def truth(self, field: Field, text: str, start: int) -> Tree:
        """Return the node of true or false."""
        value = truth(text)
        if value is None:
            self.fail(EXAMPLES[field.type], start)
        return OneOf(field.name, (value,))

    def range(self, field: Field) -> Tree:
        """Parse [VALUE TO VALUE]; a brace excludes its value, and a * means no bound."""
        start = self.at
        match = _RANGE.match(self.text, start)
        if not match or not field.has_ranges:
            self.fail(self.range_example(field), start)
        self.at = match.end()
        first = None if match[2] == "*" else self.span(field, match[2], match.start(2))
        last = None if match[3] == "*" else self.span(field, match[3], match.start(3))
        low = first and (first.start if match[1] == "[" else first.end)
        high = last and (last.end if match[4] == "]" else last.start)
        # Nothing is after the last value of a type.
        if (first and low is None) or _is_empty(low, high):
            self.fail("nothing is within this range", start)
        return Between(field.name, low, high)

    def range_example(self, field: Field) -> str:
        """Return how a range is written, of this field if it has ranges."""
        for each in (field, *self.schema.queried.values()):
            if each.has_ranges:
                return f"a range is written {each.short}:{RANGES[each.type]}"
        return "no field has ranges"

    def span(self, field: Field, text: str, start: int) -> Span:
        """Return the values that a text stands for."""
        # Other query languages have quotes around bounds.
        return span(text.strip('"'), field.type) or self.fail(EXAMPLES[field.type], start)

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


def _is_empty(low: Scalar | None, high: Scalar | None) -> bool:
    # Both are values of one field: texts, or numbers.
    return low is not None and high is not None and low >= high  # type: ignore[operator]


def _words(fields: tuple[str, ...], text: str, *, prefix: bool = False) -> Tree | None:
    text = normal(text)
    return Words(fields, text, prefix) if words(text) else None
