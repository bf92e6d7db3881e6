"""The fallback for unknown repositories: files that pages declare for machines (spec 10.10, 12.12).

Signposting: links of the relation `item`, in the page's head, in its Link header (level 1) or in a
linkset (level 2). schema.org: the `distribution` of a Dataset, also as Croissant writes it.
"""

from collections.abc import Iterator
from urllib.parse import unquote, urljoin, urlsplit

from indexer.errors import FilesetError
from indexer.filesets.landing.evidence import Evidence, TypedLink, typed_links
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.platforms.answers import JSONValue, hash_of
from indexer.filesets.platforms.items import (
    item_metadata,
    item_name,
    manifest_file,
    restricted,
)
from indexer.filesets.platforms.platform import Platform
from indexer.filesets.platforms.references import Grammar, Reference, web_urls

_LINKSETS = "application/linkset+json, application/linkset;q=0.8, application/json;q=0.5"
_ITEM, _LINKSET = "item", "linkset"
_HASHES = ("md5", "sha1", "sha256", "sha512")


class Generic(Platform):
    """Datasets whose pages declare their files."""

    name = "generic"

    def rules(self) -> Grammar:
        """No URL and no DOI tells such a page."""
        return Grammar(self.name)

    def by_page(self, evidence: Evidence) -> Reference | None:
        """The page, if it declares files."""
        has_links = evidence.linked(_ITEM) or evidence.linked(_LINKSET)
        has_files = any(each.get("distribution") for each in evidence.datasets)
        here = next(iter(web_urls(evidence.urls)), None)
        if here is None or not (has_links or has_files):
            return None
        id = next(iter([*evidence.dois, *evidence.page_dois]), here.url)
        return Reference(self.name, here.origin, id, is_certain=False)

    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The declared files: those of schema.org, and linked items that it lacks."""
        evidence = reference.evidence
        datasets = [JSONValue(each, "JSON-LD") for each in evidence.datasets]
        if any(each["isAccessibleForFree"].is_false for each in datasets):
            raise restricted(self.name, "the page says that it is not accessible for free")
        datasets = [each for each in datasets if each["distribution"]]
        if len(datasets) > 1:
            names = [each["name"].text or each["@id"].text for each in datasets]
            raise self.out_of_scope(f"a page of {len(datasets)} datasets", filter(None, names))
        dataset = next(iter(datasets), JSONValue({}, "JSON-LD"))
        files: dict[str, FilesetManifestFile] = {}
        for each in _distribution(dataset, evidence.url):
            files.setdefault(each.platform_url or each.path, each)
        for link in self._items(evidence):
            name, type = _name(link.href), link.type
            linked = manifest_file(name, link.href, size=None, hashes={}, mimetype=type)
            files.setdefault(link.href, linked)
        version = dataset["version"].text
        doi = reference.id if reference.id.startswith("10.") else ""
        name = doi or reference.id.removeprefix(reference.base).strip("/")
        return self.made(
            reference,
            evidence.url,
            [*files.values()],
            platform_id=reference.id,
            platform_version=version or None,
            archiveorg_item_name=item_name(reference.host, name, version and f"v{version}"),
            archiveorg_item_meta=item_metadata(
                creator=[text for each in _people(dataset) if (text := each["name"].text)],
                doi=doi,
                title=dataset["name"].text,
                date=dataset["datePublished"].text[:10],
                source=evidence.url,
                description=dataset["description"].text,
                license=dataset["license"].text or dataset["license"]["url"].text,
                version=version,
            ),
        )

    def _items(self, evidence: Evidence) -> Iterator[TypedLink]:
        """The items that the page links to, and those of its linkset."""
        yield from evidence.linked(_ITEM)
        # One page has one linkset; its other links are the same in other forms.
        for link in evidence.linked(_LINKSET)[:1]:
            yield from self._linkset(link.href, evidence)

    def _linkset(self, url: str, evidence: Evidence) -> list[TypedLink]:
        response = self.api.ask(url, _LINKSETS)
        if (response.media_type or "").endswith("json"):
            links = [*_links(JSONValue.read(response.body, url), url)]
        else:
            links = typed_links(response.body.decode(errors="replace"), url)
        items = [each for each in links if _ITEM in each.rel.split()]
        ours = {*evidence.urls, *evidence.page_urls, ""}
        return [each for each in items if each.anchor in ours] or items


def _links(document: JSONValue, here: str) -> Iterator[TypedLink]:
    """The items of a linkset (RFC 9264, 4.2); some servers put its contexts in one more list."""
    for context in document["linkset"].items:
        for each in context.one_or_more:
            for item in each[_ITEM].items:
                href = _joined(here, item["href"].needed)
                yield TypedLink(href, _ITEM, item["type"].text, each["anchor"].text)


def _distribution(dataset: JSONValue, here: str) -> Iterator[FilesetManifestFile]:
    for each in dataset["distribution"].one_or_more:
        url = each["contentUrl"].text
        # Croissant describes the files in an archive, too: these can't be fetched.
        if not url or each["containedIn"]:
            continue
        hashes = {
            name: found for key in _HASHES for name, found in hash_of(each[key].text, key).items()
        }
        url = _joined(here, url)
        yield manifest_file(
            _name(each["name"].text) or _name(url),
            url,
            size=each["contentSize"].size,
            hashes=hashes,
            mimetype=next(
                (text for one in each["encodingFormat"].one_or_more if (text := one.text)), ""
            ),
        )


def _joined(here: str, url: str) -> str:
    try:
        return urljoin(here, url)
    except ValueError as error:
        raise FilesetError("platform-error", f"the URL of a file: {error}") from error


def _people(dataset: JSONValue) -> list[JSONValue]:
    return [*dataset["creator"].one_or_more, *dataset["author"].one_or_more]


def _name(text: str) -> str:
    """The name of a file: the last part of its URL, or the name itself."""
    try:
        path = urlsplit(text).path if "://" in text else text
    except ValueError:
        path = text
    return unquote(path).strip("/").rpartition("/")[2] or text
