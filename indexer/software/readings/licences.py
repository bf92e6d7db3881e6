"""Licences of a project: texts, lists of alternatives, and objects with a name and a URL."""

from collections.abc import Iterator

from indexer.software.licences.recognition import Licence, licences_of
from indexer.software.readings.links import is_iri, literal
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree, below, kind

NAMES = ("type", "name", "spdx_id", "spdx", "id", "key", "text", "title", "url")
"""Keys of an object that name its licence, those that are clearest first."""

FILES = ("file", "path")
"""Keys of an object whose value is the name of a file with the text of the licence."""


def licences(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each licence: an IRI of SPDX, a URL, or a literal (spec 6, licence rule).

    A list gives a choice. An object, as in package.json and pom.xml, is one licence: its name if
    that stands for one without doubt, else its URL, else its name as it is.
    """
    if isinstance(value, dict):
        yield from _object(value, place, diagnostics)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from licences(item, below(place, number), diagnostics)
    elif isinstance(value, str):
        yield from _text(value, place, diagnostics)
    elif value is not None:
        diagnostics.add(place, f"{kind(value)}, where a licence belongs", value)


def _text(text: str, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    found = licences_of(text)
    if not found and text.strip():
        diagnostics.add(place, "names no licence", text)
    for each in found:
        if not each.is_known:
            diagnostics.add(place, "no SPDX licence: kept as a text", text)
        yield _value(each), place


def _value(found: Licence) -> Tree:
    return found.text if found.is_iri and is_iri(found.text) else literal(found.text)


def _object(
    value: dict[str, Tree], place: str, diagnostics: Diagnostics
) -> Iterator[tuple[Tree, str]]:
    given = {key: text for key in NAMES if (text := _text_of(value, key))}
    files = {key: text for key in FILES if (text := _text_of(value, key))}
    if given:
        clear = (key for key, text in given.items() if _is_known(text))
        chosen = next(clear, next(iter(given)))
        yield from _text(given[chosen], below(place, chosen), diagnostics)
        for key, text in given.items():
            if not _is_known(text) and key != chosen:
                diagnostics.add(below(place, key), "no SPDX licence: another key tells it", text)
    elif files:
        yield from ((literal(text), below(place, key)) for key, text in files.items())
    else:
        diagnostics.add(place, "an object without the name of a licence", value)


def _text_of(value: dict[str, Tree], key: str) -> str:
    found = value.get(key)
    return found.strip() if isinstance(found, str) else ""


def _is_known(text: str) -> bool:
    found = licences_of(text)
    return bool(found) and all(each.is_known for each in found)
