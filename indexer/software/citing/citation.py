"""Citations: those values of a CodeMeta document that a citation needs, in plain forms."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import NamedTuple

from indexer.software.syntax.tree import Tree


class CitedAgent(NamedTuple):
    """A person, with `family` or only with a `name`; or an organisation."""

    name: str
    family: str = ""
    given: str = ""
    email: str = ""
    orcid: str = ""
    affiliation: str = ""
    url: str = ""
    is_organisation: bool = False


class WorkType(NamedTuple):
    """The name of a kind of work in BibTeX (of BibLaTeX), in CSL and in CFF."""

    bibtex: str
    csl: str
    cff: str


SOFTWARE = WorkType("software", "software", "software")
OTHER = WorkType("misc", "document", "generic")
ARTICLE = WorkType("article", "article-journal", "article")

WORK_TYPES: Mapping[str, WorkType] = {
    "SoftwareSourceCode": SOFTWARE,
    "SoftwareApplication": SOFTWARE,
    "ScholarlyArticle": ARTICLE,
    "Article": ARTICLE,
    "Book": WorkType("book", "book", "book"),
    "Chapter": WorkType("incollection", "chapter", "generic"),
    "ConferencePaper": WorkType("inproceedings", "paper-conference", "conference-paper"),
    "Dataset": WorkType("dataset", "dataset", "data"),
    "Report": WorkType("techreport", "report", "report"),
    "Thesis": WorkType("phdthesis", "thesis", "thesis"),
    "WebPage": WorkType("online", "webpage", "website"),
    "WebSite": WorkType("online", "webpage", "website"),
}
"""Kinds of works by type of schema.org; all others are `OTHER`."""


@dataclass(frozen=True, slots=True)
class Citation:
    """What a citation says of a work; a missing text is empty.

    `date` is YYYY-MM-DD, YYYY-MM or YYYY; `doi` begins with `10.`; `licences` are SPDX identifiers,
    `licence` is a text; `journal` is the work that an article is a part of.
    """

    type: WorkType
    title: str
    authors: tuple[CitedAgent, ...]
    version: str
    date: str
    doi: str
    url: str
    repository: str
    download: str
    licences: tuple[str, ...]
    licence: str
    abstract: str
    keywords: tuple[str, ...]
    publisher: str
    journal: str

    @property
    def key(self) -> str:
        """The name of the citation: author, first word of the title, year; only ASCII."""
        author = self.authors[0].family or self.authors[0].name if self.authors else ""
        parts = (_ascii(author), _ascii(self.title).partition("_")[0], self.date[:4])
        return "_".join(filter(None, parts)) or "software"


_JOINERS = "\u200c\u200d"
"""Hidden characters that the spelling of some languages needs."""

_DOI = re.compile(
    r"(?:https?://(?:dx\.|www\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}(?:\.\d+)*/\S+)", re.I
)
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?(?=$|[T ])")
_ORCID = re.compile(r"https?://orcid\.org/(\d{4}-\d{4}-\d{4}-\d{3}[\dX])/?", re.I)
_SPDX = re.compile(r"https?://spdx\.org/licenses/([A-Za-z0-9.-]+?)(?:\.html)?/?")
_WEB = re.compile(r"https?://[^\s<>\"{}|\\^`]+")


def citation_of(document: Mapping[str, Tree]) -> Citation:
    """Return the citation of a CodeMeta document, or of an object in it."""
    licences = [
        found[1] for text in _texts(document, "license") if (found := _SPDX.fullmatch(text))
    ]
    urls = [text for text in _texts(document, "url", "id", "@id") if _WEB.fullmatch(text)]
    return Citation(
        WORK_TYPES.get(_first(document, "type", "@type"), OTHER),
        title=_first(document, "name", "headline"),
        authors=tuple(_agents(document, "author") or _agents(document, "creator")),
        version=_first(document, "version", "softwareVersion"),
        date=_matching(_DATE, document, "datePublished", "dateModified", "dateCreated"),
        doi=_found(_DOI, document, "identifier", "id", "@id", "sameAs", "url"),
        url=next((url for url in urls if not _DOI.fullmatch(url)), ""),
        repository=_web(document, "codeRepository"),
        download=_web(document, "downloadUrl"),
        licences=tuple(licences),
        licence=" OR ".join(licences) or _first(document, "license"),
        abstract=_first(document, "description", "abstract"),
        keywords=tuple(dict.fromkeys(_texts(document, "keywords"))),
        publisher=_first(document, "publisher"),
        journal=_first(document, "isPartOf"),
    )


def citations_of(document: Mapping[str, Tree], term: str) -> list[Citation]:
    """Return the citations of the works that are values of a term, of those with a title."""
    works = (each for each in _values(document, term) if isinstance(each, dict))
    return [each for each in map(citation_of, works) if each.title]


def with_keys(citations: Sequence[Citation]) -> Iterator[tuple[str, Citation]]:
    """Yield each citation with a key that no other one has."""
    seen: set[str] = set()
    for each in citations:
        numbered = (f"{each.key}_{number}" for number in count(2))
        key = next(key for key in chain([each.key], numbered) if key not in seen)
        seen.add(key)
        yield key, each


def _agents(document: Mapping[str, Tree], term: str) -> list[CitedAgent]:
    return [agent for value in _values(document, term) if (agent := _agent(value)).name]


def _agent(value: Tree) -> CitedAgent:
    if not isinstance(value, dict):
        return CitedAgent(_plain(value))
    # A role has its person under the term of which it is a value.
    if isinstance(inner := value.get("author", value.get("schema:author")), dict):
        return _agent(inner)
    family, given = _first(value, "familyName"), _first(value, "givenName")
    return CitedAgent(
        _first(value, "name") or " ".join(filter(None, (given, family))),
        family,
        given,
        _first(value, "email"),
        _found(_ORCID, value, "id", "@id"),
        _first(value, "affiliation"),
        _web(value, "url"),
        is_organisation=_first(value, "type", "@type") in ("Organization", "Project"),
    )


def _values(document: Mapping[str, Tree], term: str) -> Iterator[Tree]:
    """Yield the values of a term, literals too."""
    for name in (term, f"schema:{term}", f"codemeta:{term}"):
        value = document.get(name)
        yield from value if isinstance(value, list) else () if value is None else (value,)


def _texts(document: Mapping[str, Tree], *terms: str) -> Iterator[str]:
    for term in terms:
        yield from filter(None, map(_plain, _values(document, term)))


def _plain(value: Tree) -> str:
    """Return a text in one line, without hidden characters; of an object its name, else its id."""
    if isinstance(value, dict):
        names = (value.get(key) for key in ("@value", "name", "id", "@id", "url"))
        value = next((name for name in names if isinstance(name, str)), "")
    if isinstance(value, bool | list | None):
        return ""
    shown = "".join(c for c in str(value) if c.isprintable() or c.isspace() or c in _JOINERS)
    return " ".join(shown.split())


def _first(document: Mapping[str, Tree], *terms: str) -> str:
    return next(_texts(document, *terms), "")


def _web(document: Mapping[str, Tree], term: str) -> str:
    texts = (text.removeprefix("git+") for text in _texts(document, term))
    return next((text for text in texts if _WEB.fullmatch(text)), "")


def _matching(pattern: re.Pattern[str], document: Mapping[str, Tree], *terms: str) -> str:
    """Return what the pattern matches at the beginning of the first text that it fits."""
    found = (pattern.match(text) for text in _texts(document, *terms))
    return next((match[0] for match in found if match), "")


def _found(pattern: re.Pattern[str], document: Mapping[str, Tree], *terms: str) -> str:
    """Return the group of the first text that is the pattern as a whole."""
    found = (pattern.fullmatch(text) for text in _texts(document, *terms))
    return next((match[1] for match in found if match), "")


def _ascii(text: str) -> str:
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "_".join(re.findall(r"[a-z0-9]+", bare.lower()))
