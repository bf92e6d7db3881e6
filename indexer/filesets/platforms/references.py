"""The grammar of URLs and DOIs: tables of rules, and the datasets that they refer to.

URL → WebURL → Rule, the first that matches → Reference(platform, base, id, version, kind)
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from urllib.parse import parse_qsl, unquote

from indexer.errors import BadURL
from indexer.filesets.landing.evidence import Evidence
from indexer.http.urls.parts import Parts, is_within, server, split, without_www


class Kind(StrEnum):
    """What a URL of a platform leads to; only a dataset has a manifest of its own."""

    DATASET = "dataset"
    FILE = "file"
    COLLECTION = "collection"
    ARTICLE = "article"
    PRIVATE = "private link"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class Reference:
    """A dataset, or something near it, as a URL or a DOI names it.

    `base`: scheme, host and port of the platform's site. `version` is "" for no certain version.
    `is_certain`: the host or the DOI belongs to the platform; otherwise only the URL looks like it.
    `evidence` is all that was known when the reference was found.
    """

    platform: str
    base: str
    id: str
    version: str = ""
    kind: Kind = Kind.DATASET
    is_certain: bool = True
    evidence: Evidence = field(default_factory=Evidence, compare=False, repr=False)

    @property
    def host(self) -> str:
        """The host of the site, without a port."""
        return self.base.partition("://")[2].partition(":")[0]

    def with_version(self, version: str) -> "Reference":
        """The same dataset in a version."""
        return replace(self, version=version)


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern with the groups `id` and, if it has one, `version`; `kind`: what it leads to."""

    pattern: re.Pattern[str]
    kind: Kind = Kind.DATASET


def rules(table: Mapping[str, Kind]) -> tuple[Rule, ...]:
    """Rules of patterns, which match a whole path or DOI, in any case."""
    return tuple(Rule(re.compile(text, re.IGNORECASE), kind) for text, kind in table.items())


class WebURL:
    """A URL of the web in parts: `host` and `origin` are normal, `path` is decoded."""

    def __init__(self, url: str) -> None:
        """Raises BadURL."""
        parts = split(url)
        if parts is None or not parts.is_web:
            raise BadURL("not a URL of the web", "bad-url")
        self.url = url
        self._parts: Parts = parts
        found = server(parts.scheme, parts.authority)
        self.host = found.name
        self.port = found.port
        port = f":{found.port}" if found.port else ""
        self.origin = f"{parts.scheme}://{found.name}{port}"
        self.path = unquote(parts.path) or "/"

    @cached_property
    def query(self) -> Mapping[str, str]:
        """The parameters of the query; names in lower case, of two with one name the first."""
        pairs = parse_qsl(self._parts.query, keep_blank_values=True)
        return {name.lower(): value for name, value in reversed(pairs)}


def web_urls(urls: Iterable[str]) -> list[WebURL]:
    """The URLs of the web among some, each once."""
    found: dict[str, WebURL] = {}
    for url in urls:
        try:
            found.setdefault(url, WebURL(url))
        except BadURL:
            continue
    return [*found.values()]


@dataclass(frozen=True, slots=True)
class Grammar:
    """The URLs and DOIs of one platform, as tables.

    `site` is the URL of the platform, an option; hosts below its host are known, too, and sites of
    their own if the platform has `portals`. On all other hosts `anywhere` decides whether the rules
    of `paths` apply: what they find is not certain.
    """

    platform: str
    site: str = ""
    paths: tuple[Rule, ...] = ()
    dois: tuple[Rule, ...] = ()
    portals: bool = False
    anywhere: bool = False

    def of_url(self, url: WebURL) -> Reference | None:
        """What a URL refers to; None if it is no URL of the platform."""
        base, certain = self.place(url)
        if not base:
            return None
        return self._first(self.paths, url.path, base, is_certain=certain)

    def of_doi(self, doi: str) -> Reference | None:
        """What a DOI, in lower case, refers to."""
        return self._first(self.dois, doi, self.site, is_certain=True)

    def place(self, url: WebURL) -> tuple[str, bool]:
        """The base of the site of a URL, and whether the site is known; "" for a foreign one."""
        site = WebURL(self.site) if self.site else None
        if site and url.port == site.port and is_within(url.host, [site.host]):
            is_portal = self.portals and without_www(url.host) != without_www(site.host)
            return (url.origin if is_portal else self.site), True
        return (url.origin if self.anywhere else ""), False

    def _first(
        self, table: tuple[Rule, ...], text: str, base: str, *, is_certain: bool
    ) -> Reference | None:
        for rule in table:
            if found := rule.pattern.fullmatch(text):
                groups = {name: value or "" for name, value in found.groupdict().items()}
                id, version = groups.get("id", ""), groups.get("version", "")
                return Reference(self.platform, base, id, version, rule.kind, is_certain)
        return None
