"""Trove classifiers, such as `License :: OSI Approved :: MIT License` → terms of CodeMeta."""

from collections.abc import Iterator
from types import MappingProxyType

from indexer.software.readings.licences import licences
from indexer.software.readings.links import literal
from indexer.software.readings.texts import texts
from indexer.software.rules.key_rule import ValueReader
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree

CLASSIFIER_TERMS = MappingProxyType(
    {
        "license": "License",
        "programmingLanguage": "Programming Language",
        "operatingSystem": "Operating System",
        "developmentStatus": "Development Status",
        "applicationCategory": "Topic",
    }
)
"""The first word of the classifiers of each term; the others have no term."""

SEPARATOR = " :: "


def classified(term: str) -> ValueReader:
    """Return the reader of the classifiers of a term, in a list or in lines."""
    start = CLASSIFIER_TERMS[term] + SEPARATOR

    def read(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
        for text, where in texts(value, place, diagnostics):
            for line in (each.strip() for each in str(text).splitlines()):
                if line.startswith(start):
                    yield from _read(term, line, where, diagnostics)

    return read


def _read(term: str, line: str, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    rest = line.split(SEPARATOR)[1:]
    match term:
        case "license":
            yield from licences(line, place, diagnostics)
        case "applicationCategory":
            yield literal(SEPARATOR.join(rest)), place
        case "programmingLanguage":
            # `Python :: 3 :: Only` says more of versions than of the language.
            yield rest[0], place
        case "operatingSystem":
            yield rest[-1], place
        case _:
            yield rest[0], place
