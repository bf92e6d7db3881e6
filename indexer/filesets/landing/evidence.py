"""All that a request and its landing page say about the platform of a dataset.

request, hops, <link>, Link, JSON-LD → URLs and DOIs, those of the request first → Evidence
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urljoin

from indexer.filesets.landing.doi import doi_in, doi_of
from indexer.filesets.landing.page_head import PageHead, page_head
from indexer.filesets.landing.resource import Resource
from indexer.http.urls.parts import host_of
from indexer.http.urls.target import MAX_URL_LENGTH

_LINK = re.compile(r"""<([^<>]*)>((?:\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)""")
_PARAMETER = re.compile(r""";\s*([^\s=;,"]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]*))""")
_DATASET = "Dataset"


class TypedLink(NamedTuple):
    """A link with its relation (RFC 8288); `anchor` is what it is a link of, "" for the page."""

    href: str
    rel: str
    type: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a dataset before its platform is asked.

    `urls`: the last URL first, then the other hops backwards, then the request's. `dois` are those
    of the request and of the hops; `page_urls` and `page_dois` are those that the page names for
    itself. `generator`: the software that made the page, in its words. `datasets`: the objects of
    schema.org's type Dataset.
    """

    urls: list[str] = field(default_factory=list)
    dois: list[str] = field(default_factory=list)
    page_urls: list[str] = field(default_factory=list)
    page_dois: list[str] = field(default_factory=list)
    generator: str = ""
    links: list[TypedLink] = field(default_factory=list)
    datasets: list[dict[str, Any]] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The URL of the page, "" without one."""
        return next(iter(self.urls), "")

    def linked(self, rel: str) -> list[TypedLink]:
        """The links of the page with a relation."""
        return [link for link in self.links if rel in link.rel.lower().split()]


def evidence_of(
    base_url: str,
    ext_ids: Mapping[str, str],
    resource: Resource | None = None,
    biblio: Mapping[str, Any] | None = None,
) -> Evidence:
    """The evidence in a request, and in its landing page if there is one."""
    hops = resource.hops if resource else []
    urls = _once(url for url in [*reversed(hops), base_url] if len(url) <= MAX_URL_LENGTH)
    dois = [ext_ids.get("doi", ""), *(doi_of(url) or _doi_of_path(url) for url in reversed(urls))]
    head = page_head(resource.body) if resource and resource.body else PageHead()
    here = resource.terminal_url if resource else base_url
    links = [*_header_links(resource, here), *_page_links(head, here)]
    datasets = [each for each in head.json_ld if _is_dataset(each)]
    named = [*(link.href for link in links if link.rel in ("cite-as", "canonical"))]
    # Of several datasets on a page none is known to be the one that was asked for.
    for dataset in datasets if len(datasets) == 1 else ():
        named += [each for key in ("@id", "url", "identifier") for each in _texts(dataset.get(key))]
    named = [each for each in named if len(each) <= MAX_URL_LENGTH]
    page_doi = str((biblio or {}).get("doi", ""))
    return Evidence(
        urls=urls,
        dois=_once(doi_of(doi) for doi in dois),
        page_urls=_once(each for each in named if "://" in each),
        page_dois=_once(map(doi_of, [page_doi, *named])),
        generator=_generator(head),
        links=links,
        datasets=datasets,
    )


def typed_links(text: str, here: str) -> list[TypedLink]:
    """The links of a Link header, or of a document of the type application/linkset (RFC 9264)."""
    found: list[TypedLink] = []
    for target, rest in _LINK.findall(text):
        given = {name.lower(): quoted or bare for name, quoted, bare in _PARAMETER.findall(rest)}
        href = _joined(here, target)
        found.append(
            TypedLink(href, given.get("rel", ""), given.get("type", ""), given.get("anchor", ""))
        )
    return found


def _header_links(resource: Resource | None, here: str) -> list[TypedLink]:
    return typed_links(resource.headers.get("link", ""), here) if resource else []


def _page_links(head: PageHead, here: str) -> Iterator[TypedLink]:
    for link in head.links:
        if href := link.get("href", "").strip():
            yield TypedLink(_joined(here, href), link.get("rel", "").lower(), link.get("type", ""))


def _generator(head: PageHead) -> str:
    metas = (meta for meta in head.metas if meta.get("name", "").lower() == "generator")
    return next((meta.get("content", "") for meta in metas), "")


def _is_dataset(document: Mapping[str, Any]) -> bool:
    return _DATASET in (each.rpartition("/")[2] for each in _texts(document.get("@type")))


def _texts(value: Any) -> Iterator[str]:
    """The texts in a value of JSON-LD: itself, those of a list, or the value of a PropertyValue."""
    match value:
        case str():
            yield value
        case dict():
            inner = value.get("value") or value.get("@id")
            yield from [inner] if isinstance(inner, str) else ()
        case list():
            for each in value:
                yield from () if isinstance(each, list) else _texts(each)


def _doi_of_path(url: str) -> str:
    """The DOI that repositories have in their own paths: `/doi/10.…`, `/dataset/doi:10.…`."""
    return "" if host_of(url) is None else doi_in(url.partition("?")[0])


def _joined(here: str, href: str) -> str:
    try:
        return urljoin(here, href)
    except ValueError:
        return href


def _once(texts: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(text for text in texts if text)]
