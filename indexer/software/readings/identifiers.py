"""Identifiers: DOIs and SWHIDs in any spelling → IRIs; others stay texts."""

import re
from collections.abc import Iterator

from indexer.software.readings.links import is_iri, literal
from indexer.software.readings.texts import texts
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree

_DOI = re.compile(r"(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/)?(?:doi:\s*)?(10\.\d{4,9}/\S+)", re.I)


def doi_iri(text: str) -> str | None:
    """Return the IRI of a DOI in any spelling, or None if the text is none."""
    found = _DOI.fullmatch(text.strip())
    iri = f"https://doi.org/{found[1]}" if found else ""
    return iri if is_iri(iri) else None


def identifiers(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield the IRI of each identifier that has one, and the others as literals."""
    for text, where in texts(value, place, diagnostics):
        found = str(text)
        yield doi_iri(found) or (found if is_iri(found) else literal(found)), where
