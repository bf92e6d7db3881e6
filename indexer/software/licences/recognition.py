"""The licences that a text names: the one function that readers of values call."""

import re
from functools import lru_cache
from typing import NamedTuple

from indexer.software.licences.addresses import expression_of_url, is_web_address
from indexer.software.licences.identifiers import IRI, alternatives, expression, is_identifier
from indexer.software.licences.names import MAX_NAME, expression_of_name
from indexer.software.licences.whole_texts import identifier_of_text


class Licence(NamedTuple):
    """One licence: an IRI, or a text that has none.

    `is_known`: False for a text that is neither an SPDX expression nor a URL.
    """

    text: str
    is_iri: bool
    is_known: bool = True


NOTHING = frozenset({"", "license", "licence", "osi approved", "unknown"})
"""Texts that stand where a licence belongs and name none."""

_CLASSIFIER = re.compile(r"License ::", re.IGNORECASE)
_OR = re.compile(r"\s*[|/]+\s*|\s+or\s+", re.IGNORECASE)
_BESIDE_FILE = re.compile(r"\s*\+\s*file\s+\S+$", re.IGNORECASE)
_WITH_URL = re.compile(r"([^<>()]+)[<(]\s*(https?://[^\s<>()]+)\s*[>)]")
_CACHED = 2000
"""The most characters of a text whose licences are remembered."""


def licences_of(text: str) -> tuple[Licence, ...]:
    """Return the licences that a text gives the choice of; none if it names none.

    An identifier or a name that stands for one is an IRI of SPDX; alternatives are several
    licences. An expression with AND or WITH, an unknown URL and any other text stay as they are.
    """
    stripped = text.strip()
    if len(stripped) > _CACHED:
        return (_other(stripped),)
    return _licences(stripped)


@lru_cache(maxsize=10_000)
def _licences(text: str) -> tuple[Licence, ...]:
    if _CLASSIFIER.match(text):
        text = text.rpartition("::")[2].strip()
    if text.casefold() in NOTHING:
        return ()
    if known := _expressions(text):
        return tuple(_licence(each) for found in known for each in alternatives(found))
    return (_other(text),)


def _expressions(text: str) -> list[str]:
    """The expressions that a text gives the choice of; none if a part of it is unknown."""
    text = _BESIDE_FILE.sub("", text)  # R: `MIT + file LICENSE` names the holder in a file
    if found := _expression(text):
        return [found]
    if len(text) > MAX_NAME or is_web_address(text):
        return []
    pieces = [_expression(piece) for piece in _OR.split(text)]
    return [each for each in pieces if each] if all(pieces) and len(pieces) > 1 else []


def _expression(text: str) -> str | None:
    if is_web_address(text):
        return expression_of_url(text)
    if both := _WITH_URL.fullmatch(text):
        return _expression(both[1].strip()) or expression_of_url(both[2])
    return expression(text) or expression_of_name(text)


def _licence(found: str) -> Licence:
    if is_identifier(found):
        return Licence(IRI + found, is_iri=True)
    return Licence(found, is_iri=False)


def _other(text: str) -> Licence:
    """The licence of a text that is no name of one: a URL, the text of a licence, or unknown."""
    if is_web_address(text):
        return Licence(text, is_iri=True)
    identifier = identifier_of_text(text)
    return _licence(identifier) if identifier else Licence(text, is_iri=False, is_known=False)
