"""The results of a translation: properties with their sources, and diagnostics."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from indexer.software.syntax.tree import Tree

MAX_DIAGNOSTICS = 200
"""The most diagnostics that are kept of one file."""

MAX_RAW = 200
"""The most characters of a value that a diagnostic quotes."""


class Property(NamedTuple):
    """One value of a term of CodeMeta 3.0, such as `codeRepository`, and its source.

    `value`: in the compact form of CodeMeta: a text, an IRI as text, an object with its `type`; in
    a term of IRIs, a text that is none is `{"@value": text}`. `place`: a JSON pointer into the tree
    of the file. `rule`: the name of the rule, for `explain`.
    """

    term: str
    value: Tree
    place: str
    rule: str


class Diagnostic(NamedTuple):
    """A value that was not used as it is written: its place, the reason, and its text, cut."""

    place: str
    why: str
    raw: str = ""


@dataclass(slots=True)
class Diagnostics:
    """The diagnostics of one file, in the order of the rules; a bounded number is kept."""

    kept: list[Diagnostic] = field(default_factory=list)
    more: int = 0

    def add(self, place: str, why: str, raw: object = "") -> None:
        """Keep a diagnostic, or count it if there are too many."""
        if len(self.kept) >= MAX_DIAGNOSTICS:
            self.more += 1
            return
        self.kept.append(Diagnostic(place, why, _cut(raw)))

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.kept)


@dataclass(slots=True)
class Translation:
    """The properties that one file states, in the order of the rules, and the diagnostics."""

    format: str
    properties: list[Property] = field(default_factory=list)
    diagnostics: Diagnostics = field(default_factory=Diagnostics)


def _cut(raw: object) -> str:
    # `repr` of a large object would cost more than the translation: only texts are quoted whole.
    if isinstance(raw, str):
        return raw[:MAX_RAW]
    return repr(raw)[:MAX_RAW] if isinstance(raw, int | float) else type(raw).__name__
