"""The fields of an index as data: a family declares one table, and both backends read it.

From the table come the tables of SQLite, the mapping of Elasticsearch, the checks of documents, the
names of the query language and their errors, the order of hits, and the columns of exports.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, TypeAlias

Json: TypeAlias = Mapping[str, "Json"] | Sequence["Json"] | str | float | bool | None

_NAME = re.compile("[a-z][a-z0-9_]*")

RESERVED = frozenset({"id", "number", "rank", "rowid", "score", "snippet"})
"""Columns of SQLite's tables and of exports: no field may have these names."""


class FieldType(StrEnum):
    """The types of values, and what a query finds them by. SQLite files store these names."""

    TEXT = "text"
    """A text, found by its words."""
    KEYWORD = "keyword"
    """A short text, found as a whole."""
    KEYWORDS = "keywords"
    """A list of keywords, found by any of them."""
    URL = "url"
    """A text of any length without spaces, found as a whole or by its parts."""
    DATE = "date"
    """A day, YYYY-MM-DD. Other texts are stored, and no range finds them."""
    TIMESTAMP = "timestamp"
    """A time in UTC from 1970 to 2261, with microseconds."""
    INTEGER = "integer"
    """A whole number of 64 bits."""
    FLOAT = "float"
    """A number of 64 bits."""
    BOOLEAN = "boolean"
    STORED = "stored"
    """Any JSON value; no query finds it."""


_RANGES = (FieldType.DATE, FieldType.TIMESTAMP, FieldType.INTEGER, FieldType.FLOAT)
_SORTABLE = (*_RANGES, FieldType.KEYWORD, FieldType.BOOLEAN)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an index. Its type says whether a query can search, sort and count by it.

    `aliases` are its other names in queries; queries ignore the case of names. `default`: words
    without a field are searched here. `weight`: how much a word counts in it. `lower`: its values
    are in lower case, so those of queries are lowercased. `selective`: few documents share a value,
    so SQLite keeps an index of them. `exported`: a column of tables, which have no long texts.
    `counted`: its values are often counted, so SQLite keeps them together, apart from the texts.
    """

    name: str
    type: FieldType
    aliases: tuple[str, ...] = ()
    required: bool = False
    default: bool = False
    weight: float = 1.0
    lower: bool = False
    selective: bool = False
    exported: bool = True
    counted: bool = False

    def __post_init__(self) -> None:
        for name in (self.name, *self.aliases):
            if not _NAME.fullmatch(name) or name in RESERVED:
                raise ValueError(f"not a name of a field: {name!r}")
        if self.default and self.type is not FieldType.TEXT:
            raise ValueError(f"{self.name} is not a text, so it has no words to search by default")
        if self.name == "words" and self.type is FieldType.TEXT:
            raise ValueError("SQLite's table of words can't have a column of that name")

    @property
    def short(self) -> str:
        """The name in queries that examples use."""
        return self.aliases[0] if self.aliases else self.name

    @property
    def searchable(self) -> bool:
        """Whether queries have the field."""
        return self.type is not FieldType.STORED

    @property
    def sortable(self) -> bool:
        """Whether hits can be sorted by the field."""
        return self.type in _SORTABLE

    @property
    def has_ranges(self) -> bool:
        """Whether queries have ranges of the field's values."""
        return self.type in _RANGES


class Sort(NamedTuple):
    """An order of hits. Documents without a value of the field come last."""

    field: str
    descending: bool = False


@dataclass(frozen=True)
class Schema:
    """The fields of one family's documents, in the order of exports.

    `order`: the order of hits that are not ranked by words. `identity`: two documents with the same
    id and the same values of these fields are the same version. `snippet`: the text that snippets
    are cut from.
    """

    fields: tuple[Field, ...]
    order: tuple[Sort, ...] = ()
    identity: tuple[str, ...] = ()
    snippet: str = ""

    def __post_init__(self) -> None:
        names = [name for field in self.fields for name in (field.name, *field.aliases)]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"two fields have the same name: {', '.join(sorted(twice))}")
        used = {*self.identity, *(sort.field for sort in self.order), self.snippet} - {""}
        if unknown := used - self.by_name.keys():
            raise ValueError(f"not a field: {', '.join(sorted(unknown))}")

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """The fields by name."""
        return {field.name: field for field in self.fields}

    @cached_property
    def queried(self) -> dict[str, Field]:
        """The searchable fields by their names in queries."""
        found = (field for field in self.fields if field.searchable)
        return {name: field for field in found for name in (field.name, *field.aliases)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all fields."""
        return tuple(self.by_name)

    @cached_property
    def texts(self) -> tuple[Field, ...]:
        """The fields that are found by their words."""
        return self.of(FieldType.TEXT)

    @cached_property
    def default(self) -> tuple[str, ...]:
        """The names of the fields in which words without a field are searched."""
        return tuple(field.name for field in self.fields if field.default)

    def of(self, type: FieldType) -> tuple[Field, ...]:
        """Return the fields of a type."""
        return tuple(field for field in self.fields if field.type is type)
