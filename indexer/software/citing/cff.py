"""CITATION.cff: the Citation File Format 1.2.0."""

import re
from collections.abc import Sequence
from typing import Any

import yaml

from indexer.software.citing.citation import ARTICLE, Citation, CitedAgent

MESSAGE = "If you use this software, please cite it as below."
"""The message that the format requires."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_EMAIL = re.compile(r"\S+@\S+\.\S{2,}")


def cff(
    citation: Citation, publications: Sequence[Citation] = (), references: Sequence[Citation] = ()
) -> str:
    """Return the text of a CITATION.cff; the first publication is the preferred citation.

    Values that the format's schema refuses are left out. `gaps` names what it requires.
    """
    preferred = [_reference(each) for each in publications if not gaps(each)]
    others = [*preferred[1:], *(_reference(each) for each in references if not gaps(each))]
    found = {
        "cff-version": "1.2.0",
        "message": MESSAGE,
        "type": "software",
        **_fields(citation),
        **({"preferred-citation": preferred[0]} if preferred else {}),
        **({"references": others} if others else {}),
    }
    text: str = yaml.safe_dump(found, allow_unicode=True, sort_keys=False, width=100)
    return text


def gaps(citation: Citation) -> list[str]:
    """Return what a CITATION.cff requires and the citation lacks."""
    return [
        name
        for name, value in (("title", citation.title), ("authors", citation.authors))
        if not value
    ]


def _reference(citation: Citation) -> dict[str, Any]:
    fields = {"type": citation.type.cff, **_fields(citation)}
    if citation.journal:
        key = "journal" if citation.type is ARTICLE else "collection-title"
        fields[key] = citation.journal
    if "date-released" in fields:
        fields["date-published"] = fields.pop("date-released")
    if citation.date:
        fields["year"] = int(citation.date[:4])
    return fields


def _fields(citation: Citation) -> dict[str, Any]:
    licences = [*citation.licences]
    fields = {
        "title": citation.title,
        "authors": [_agent(each) for each in citation.authors],
        "abstract": citation.abstract,
        "version": citation.version,
        "date-released": citation.date if _DAY.fullmatch(citation.date) else "",
        "doi": citation.doi,
        "url": citation.url,
        "repository-code": citation.repository,
        "repository-artifact": citation.download,
        "license": licences[0] if len(licences) == 1 else licences,
        "keywords": [*citation.keywords],
    }
    return {name: value for name, value in fields.items() if value}


def _agent(agent: CitedAgent) -> dict[str, str]:
    if agent.family and not agent.is_organisation:
        names = {"family-names": agent.family, "given-names": agent.given}
    else:
        names = {"name": agent.name}
    fields = {
        **names,
        "email": agent.email if _EMAIL.fullmatch(agent.email) else "",
        "orcid": f"https://orcid.org/{agent.orcid}" if agent.orcid else "",
        "affiliation": agent.affiliation if "family-names" in names else "",
        "website": agent.url,
    }
    return {name: value for name, value in fields.items() if value}
