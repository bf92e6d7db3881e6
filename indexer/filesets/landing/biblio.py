"""`html_biblio`: the bibliographic metadata in the head of a landing page, by one table (spec 3.5).

<meta name="citation_title" content="…">  →  {"title": "…", …}
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from indexer.filesets.landing.page_head import PageHead
from indexer.text.dates import parse_date

_TWINS = "b:"
_BEPRESS = "bepress_"

_NAMES: Final = {
    "title": "citation_title eprints.title prism.title bepress_citation_title og:title "
    "dcterms.title dc.title",
    "subtitle": "prism.subtitle",
    "doi": "citation_doi doi id=doi prism.doi bepress_citation_doi dc.identifier.doi "
    "scheme=doi:dc.identifier",
    "pmid": "citation_pmid",
    "abstract": "citation_abstract b: eprints.abstract dcterms.abstract prism.teaser "
    "dc.description og:description",
    "container_name": "citation_journal_title b: citation_conference_title b: "
    "prism.publicationname eprints.publication dc.relation.ispartof dc.source "
    "property=og:site_name",
    "container_abbrev": "citation_journal_abbrev",
    "release_date": "citation_publication_date b: prism.publicationdate citation_date b: "
    "citation_online_date b: itemprop=datepublished article:published "
    "property=article:published eprints.datestamp eprints.date dc.date.created dc.issued "
    "dcterms.date dc.date",
    "release_year": "itemprop=citation_year itemprop=prism:copyrightyear",
    "first_page": "citation_firstpage b: prism.startingpage dc.citation.spage",
    "last_page": "citation_lastpage b: prism.endingpage dc.citation.epage",
    "issue": "citation_issue b: prism.issueidentifier dc.citation.issue",
    "volume": "citation_volume b: prism.volume dc.citation.volume",
    "number": "citation_technical_report_number b: citation_number b: prism.number",
    "container_issn": "citation_issn b: prism.issn prism.eissn eprints.issn dc.source.issn",
    "isbn13": "citation_isbn b: prism.isbn",
    "publisher": "citation_publisher b: eprints.publisher "
    "citation_technical_report_institution dcterms.publisher dc.publisher",
    "release_type": "citation_article_type b: prism.contenttype eprints.type dc.type",
    "lang": "citation_language b: dcterms.language dc.language og:locale property=og:locale",
}
"""The names of <meta> elements of each field, in order, in lower case. `b:` is the name before it
with the prefix `bepress_`. `property=x` is an element with another attribute than `name`."""

_LISTS: Final = {
    "contrib_names": "citation_author b: eprints.creators_name dcterms.creator article:author "
    "property=article:author dc.creator dc.contributor",
    "raw_references": "citation_reference",
}
"""The same, for fields that have all values of the first name that is found."""

_DOI_IN = ("eprints.id_number", "dcterms.identifier", "dc.identifier")
_DOI = re.compile(r"(?:doi:)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_TYPES = {"research article": "article-journal", "text.serial.journal": "article-journal"}


def html_biblio(head: PageHead) -> dict[str, Any]:
    """The metadata of a page; {} if it has no title."""
    values = _values(head)
    found: dict[str, Any] = {}
    for field, names in _NAMES.items():
        value = next((texts[0] for name in _split(names) if (texts := values.get(name))), "")
        if value := _CLEANED.get(field, str)(value):
            found[field] = value
    for field, names in _LISTS.items():
        if several := next((values[name] for name in _split(names) if name in values), None):
            found[field] = several
    if "doi" not in found and (doi := _other_doi(values)):
        found["doi"] = doi
    if head.data_file:
        found["component_url"] = head.data_file
    return found if "title" in found else {}


def _values(head: PageHead) -> dict[str, list[str]]:
    """The contents that are not empty, by the key of the table."""
    found: dict[str, list[str]] = {}
    for meta in head.metas:
        content = meta.get("content", "").strip()
        for key in _keys(meta) if content else ():
            found.setdefault(key, []).append(content)
    return found


def _keys(meta: Mapping[str, str]) -> list[str]:
    name = meta.get("name", "").lower()
    keys = [
        f"{each}={meta[each].lower()}" for each in ("property", "itemprop", "id") if each in meta
    ]
    if "scheme" in meta:
        keys.append(f"scheme={meta['scheme'].lower()}:{name}")
    return [name, *keys] if name else keys


def _split(names: str) -> list[str]:
    found: list[str] = []
    for name in names.split():
        found.append(_BEPRESS + found[-1] if name == _TWINS else name)
    return found


def _other_doi(values: Mapping[str, list[str]]) -> str:
    texts = (text for name in _DOI_IN for text in values.get(name, ()))
    return next((found[1] for text in texts if (found := _DOI.fullmatch(text))), "")


def _without_prefix(doi: str) -> str:
    return re.sub(r"^doi:\s*", "", doi, flags=re.IGNORECASE)


def _date(text: str) -> str:
    found = parse_date(text) if text else None
    return found.date().isoformat() if found else ""


def _year(text: str) -> int:
    return int(text) if re.fullmatch(r"\d{4}", text) else 0


def _type(text: str) -> str:
    return _TYPES.get(text.lower(), "")


def _isbn13(text: str) -> str:
    digits = re.sub(r"[^0-9]", "", text)
    return digits if len(digits) == 13 else ""


_CLEANED: Final[Mapping[str, Callable[[str], Any]]] = {
    "doi": _without_prefix,
    "release_date": _date,
    "release_year": _year,
    "release_type": _type,
    "isbn13": _isbn13,
}
