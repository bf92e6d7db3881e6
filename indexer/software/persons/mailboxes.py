"""Texts such as `Jane Roe <jane@a.example> (https://a.example)`, alone or in lists.

Commas, semicolons and lines separate persons, and so does `and` between full names. Parentheses
that contain no address are a part of the name. Each expression here takes linear time.
"""

import re
from collections.abc import Iterator

from indexer.software.persons.addresses import email_address, web_address
from indexer.software.persons.orcid import orcid_iri
from indexer.software.syntax.tree import Tree

_USUAL = re.compile(
    r"([^<>()\",;@:/&]+)<([^\s<>()\[\]\",;:@]{1,64}@[^\s<>()\[\]\",;:@]{1,255})>"
    r"(?:\s*\((https?://[^\s<>()\"{}|\\^`/][^\s<>()\"{}|\\^`]*)\))?"
)
"""The form that npm documents, of one person; all else is read piece by piece."""

_PIECE = re.compile(r'(?:"[^"\n]*"|<[^<>\n]*>|\([^()\n]*\)|[^,;\n])++')
_AFTER_ADDRESS = re.compile(r"(?<=>)\s+(?=[^\s(<])")
_BRACKETS = re.compile(r"<([^<>]*)>|\(([^()]*)\)")
_WITHOUT_SCHEME = re.compile(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/\S*)?")
_AND = re.compile(r"\s(?:and|&)\s")
_FIRST_AND = re.compile(r"^(?:and|&)\s+", re.IGNORECASE)
_EDGES = " \t\r\n,;:-–—\"'"
_AROUND_ADDRESS = "<>()[]{},;\"'"

SUFFIXES = frozenset(
    {"jr", "sr", "ii", "iii", "iv", "phd", "ph.d", "md", "m.d", "esq", "msc", "bsc"}
    | {"inc", "ltd", "llc", "gmbh", "corp", "co", "ag", "s.a", "b.v", "plc", "limited"}
)
"""Words after a comma that belong to the name before it."""

PARTICLES = frozenset(
    {"van", "von", "de", "der", "den", "del", "della", "da", "di", "du", "dos", "la", "le"}
    | {"el", "al", "bin", "ibn", "ben", "ter", "ten", "zu", "y", "e", "af", "av"}
)
"""Words of names of persons that have small letters."""


def people_of(text: str, unused: list[str] | None = None) -> list[dict[str, Tree]]:
    """Return the persons that a text names, in its order.

    `unused`: takes the addresses without scheme that stand in brackets, as in `Jane (a.example)`.
    """
    if usual := _usual(text):
        return [usual]
    unused = [] if unused is None else unused
    return [found for piece in _pieces(text) if (found := person_of(piece, unused)) is not None]


def person_of(text: str, unused: list[str]) -> dict[str, Tree] | None:
    """Return the person that a text names, or None if it has neither name nor address."""
    found: dict[str, list[str]] = {"id": [], "name": [], "email": [], "url": []}

    def taken(bracket: re.Match[str]) -> str:
        inside = (bracket[1] if bracket[1] is not None else bracket[2]).strip()
        if not inside or _took(inside, found):
            return " "
        if _WITHOUT_SCHEME.fullmatch(inside) is None:
            return bracket[0]
        unused.append(inside)
        return " "

    words = _BRACKETS.sub(taken, text).split()
    rest = [word for word in words if not _took(word.strip(_AROUND_ADDRESS), found)]
    if name := " ".join(rest).strip(_EDGES):
        found["name"].append(name)
    if not any(found.values()):
        return None
    return {"type": "Person", **{key: _one_or_all(each) for key, each in found.items() if each}}


def _usual(text: str) -> dict[str, Tree] | None:
    """The person of a text in the usual form, or None; reading it piece by piece takes longer."""
    found = _USUAL.fullmatch(text)
    name = found[1].strip(_EDGES) if found else ""
    if not found or not name or _AND.search(name) or "orcid" in (found[3] or ""):
        return None
    person: dict[str, Tree] = {"type": "Person", "name": name, "email": found[2]}
    return {**person, "url": found[3]} if found[3] else person


def _took(text: str, found: dict[str, list[str]]) -> bool:
    """Whether a text is an address, which is put where it belongs."""
    if "@" in text and (email := email_address(text)):
        found["email"].append(email)
    elif orcid := orcid_iri(text):
        found["id"].append(orcid)
    elif url := web_address(text):
        found["url"].append(url)
    else:
        return False
    return True


def _one_or_all(values: list[str]) -> Tree:
    distinct = list(dict.fromkeys(values))
    return distinct[0] if len(distinct) == 1 else [*distinct]


def _pieces(text: str) -> Iterator[str]:
    """Yield the part of a text that belongs to each person."""
    if not any(mark in text for mark in (",", ";", "\n", "> ", " and ", " & ")):
        yield text
        return
    pieces = [piece.strip() for piece in _PIECE.findall(text)]
    for piece in _joined([piece for piece in pieces if piece]):
        for each in _AFTER_ADDRESS.split(piece):
            yield from _divided(_FIRST_AND.sub("", each))


def _joined(pieces: list[str]) -> list[str]:
    """The pieces with suffixes at the names that they belong to."""
    if len(pieces) == 2 and all(_is_one_word(piece) for piece in (pieces[0], _name(pieces[1]))):
        return [", ".join(pieces)]
    joined: list[str] = []
    for piece in pieces:
        if joined and _name(piece).rstrip(".").lower() in SUFFIXES:
            joined[-1] += f", {piece}"
        else:
            joined.append(piece)
    return joined


def _is_one_word(name: str) -> bool:
    """Whether a text is one capitalised word, as on both sides of the comma in `Roe, Jane`."""
    return name[:1].isupper() and not any(mark in name for mark in " <(@")


def _name(piece: str) -> str:
    return piece.partition("<")[0].partition("(")[0].strip()


def _divided(piece: str) -> list[str]:
    """The pieces around `and`, if each is the full name of a person."""
    sides = _AND.split(piece)
    if len(sides) > 1 and all(_is_full_name(_name(side)) for side in sides):
        return sides
    return [piece]


def _is_full_name(name: str) -> bool:
    words = name.split()
    return 2 <= len(words) <= 5 and all(
        not word[0].islower() or word in PARTICLES for word in words
    )
