"""CSL-JSON: the input of citation processors (Citation Style Language 1.0.2)."""

from collections.abc import Sequence
from typing import Any

from indexer.software.citing.citation import Citation, CitedAgent, with_keys


def csl(citations: Sequence[Citation]) -> list[dict[str, Any]]:
    """Return an item for each citation."""
    return [_item(each, key) for key, each in with_keys(citations)]


def _item(citation: Citation, key: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": key,
        "type": citation.type.csl,
        "title": citation.title,
        "author": [_name(each) for each in citation.authors],
        "container-title": citation.journal,
        "version": citation.version,
        "issued": _date(citation.date),
        "publisher": citation.publisher,
        "DOI": citation.doi,
        "URL": citation.url or citation.repository,
        "license": citation.licence,
        "keyword": ", ".join(citation.keywords),
        "abstract": citation.abstract,
    }
    return {name: value for name, value in fields.items() if value}


def _name(agent: CitedAgent) -> dict[str, str]:
    if agent.family and not agent.is_organisation:
        return {"family": agent.family, **({"given": agent.given} if agent.given else {})}
    return {"literal": agent.name}


def _date(date: str) -> dict[str, Any]:
    return {"date-parts": [[int(part) for part in date.split("-")]]} if date else {}
