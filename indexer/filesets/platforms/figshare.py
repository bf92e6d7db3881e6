"""Figshare with its portals, and 4TU.ResearchData, which has the same API (spec 4.3, 10.2).

A version is asked for by its number. An article without one stands for all its versions.
"""

from collections.abc import Iterator
from dataclasses import replace

from indexer.errors import FilesetError
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
from indexer.filesets.platforms.references import Grammar, Kind, Reference, WebURL, rules
from indexer.http.urls.parts import host_of

_VERSION = r"(?:/(?P<version>\d{1,4}))?/?"
_FIGSHARE_PATHS = rules(
    {
        rf"/articles/(?:[^/]+/)*?(?P<id>\d+){_VERSION}": Kind.DATASET,
        r"/v2/articles/(?P<id>\d+)(?:/versions/(?P<version>\d+))?/?": Kind.DATASET,
        rf"/(?:account/)?collections/(?:[^/]+/)*?(?P<id>\d+){_VERSION}": Kind.COLLECTION,
        r"/ndownloader/files/(?P<id>\d+)/?": Kind.FILE,
        r"/(?:files|v2/file/download)/(?P<id>\d+)/?": Kind.FILE,
        r"/s/(?P<id>[0-9a-f]{16,})/?": Kind.PRIVATE,
    }
)
_OWN_DOI = r"10\.(?:6084|5072)/m9\.figshare\."
# Institutions with a prefix of their own, and the text before the number of the article.
_PORTAL_DOI = r"10\.(?:25384/sage\.|1184/r1/|26180/|17028/rd\.lboro\.|25405/data\.ncl\.)"
_NUMBER = r"(?P<id>\d+)(?:\.v(?P<version>\d+))?"
_FIGSHARE_DOIS = rules(
    {
        rf"(?:{_OWN_DOI}|{_PORTAL_DOI}){_NUMBER}": Kind.DATASET,
        rf"(?:{_OWN_DOI}|{_PORTAL_DOI})c\.{_NUMBER}": Kind.COLLECTION,
    }
)

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_4TU_ID = rf"(?P<id>{_UUID}|\d+)"
_4TU_PATHS = rules(
    {
        rf"/(?:datasets|articles)/(?:[^/]+/)*?{_4TU_ID}{_VERSION}": Kind.DATASET,
        rf"/v2/articles/{_4TU_ID}(?:/versions/(?P<version>\d+))?/?": Kind.DATASET,
        rf"/collections/(?:[^/]+/)*?{_4TU_ID}{_VERSION}": Kind.COLLECTION,
        rf"/file/{_4TU_ID}(?:/[^/]+)?/?": Kind.FILE,
    }
)
_4TU_DOIS = rules({rf"10\.4121/(?:uuid:)?{_4TU_ID}(?:\.v(?P<version>\d+))?": Kind.DATASET})

_PAGE = 100
_NOT_LISTED = 10


class Figshare(Platform):
    """Articles of Figshare and of the portals that it hosts."""

    name = software = "figshare"

    def rules(self) -> Grammar:
        """Any word may stand between `/articles/` and the number: types, and slugs of titles."""
        return Grammar(
            self.name,
            self.api.options.figshare_url,
            paths=_FIGSHARE_PATHS,
            dois=_FIGSHARE_DOIS,
            portals=True,
            anywhere=True,
        )

    def of_url(self, url: WebURL) -> Reference | None:
        """What a URL refers to; URLs of the API and of downloads belong to the main site."""
        found = super().of_url(url)
        if found and any(each.startswith(found.base) for each in (self.service, self.downloads)):
            return replace(found, base=self.grammar.site)
        return found

    @property
    def service(self) -> str:
        """The URL of the API."""
        return self.api.options.figshare_api_url

    def probe(self, reference: Reference) -> bool:
        """Whether the article of this number belongs to the portal, by the API."""
        if reference.kind is not Kind.DATASET:
            return False
        found = self.api.found(f"{self.service}/articles/{reference.id}")
        urls = [found[name].text for name in ("figshare_url", "url_public_html")] if found else []
        return reference.host in [host_of(url) for url in urls]

    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The article in its version."""
        self._check_kind(reference)
        what = f"{self.service}/articles/{reference.id}"
        version = reference.version or self.one_version(
            f"article {reference.id}", self._versions(what)
        )
        # The API limits an answer 403 is no restriction: it sends 403 under load.
        article = self.api.get(f"{what}/versions/{version}", private=(401,))
        other = article["id"].text
        if other.isdecimal() and reference.id.isdecimal() and other != reference.id:
            raise FilesetError("platform-error", f"article {other} in place of {reference.id}")
        _check_access(self.name, article)
        files = self._files(article, f"{what}/versions/{version}/files")
        page = (
            article["url_public_html"].text
            or article["figshare_url"].text
            or reference.evidence.url
        )
        id = reference.id
        return self.made(
            reference,
            page,
            [self._file(each) for each in files],
            platform_id=id,
            platform_version=version,
            platform_concept_id=id,
            archiveorg_item_name=item_name(reference.host, id, f"v{version}"),
            archiveorg_item_meta=item_metadata(
                creator=[each["full_name"].text for each in article["authors"].items],
                doi=article["doi"].text,
                title=article["title"].text,
                date=article["published_date"].text[:10],
                source=page,
                description=article["description"].text,
                license=article["license"]["url"].text,
                version=version,
            ),
            web_bundle_url=self.downloads and f"{self.downloads}/articles/{id}/versions/{version}",
        )

    @property
    def downloads(self) -> str:
        """The URL of the site with zips of all files; "" if there are none."""
        return self.api.options.figshare_download_url

    def _check_kind(self, reference: Reference) -> None:
        match reference.kind:
            case Kind.PRIVATE:
                raise restricted(self.name, "a private link has no public record")
            case Kind.FILE:
                raise self.out_of_scope(f"file {reference.id}, not its article")
            case Kind.COLLECTION:
                url = f"{self.service}/collections/{reference.id}/articles"
                members = [
                    each["doi"].text or each["id"].text for each in self.api.pages(url, _PAGE)
                ]
                raise self.out_of_scope(
                    f"collection {reference.id} of {len(members)} articles", members
                )

    def _versions(self, article: str) -> list[str]:
        found = self.api.get(f"{article}/versions", private=(401,))
        return sorted((each["version"].needed for each in found.items), key=_number)

    def _files(self, article: JSONValue, url: str) -> Iterator[JSONValue]:
        """The files; a record lists only its first ones."""
        files = article["files"]
        if files.value is None:
            raise restricted(
                self.name, "the record lists no files", article["confidential_reason"].text
            )
        if len(files.items) < _NOT_LISTED:
            yield from files.items
        else:
            yield from self.api.pages(url, _PAGE)

    def _file(self, file: JSONValue) -> FilesetManifestFile:
        if file["is_link_only"].is_true:
            raise self.out_of_scope(f"{file['name'].text} is a link to another site")
        id = file["id"].text
        return manifest_file(
            file["name"].needed,
            file["download_url"].text,
            size=file["size"].size,
            hashes=hash_of(file["computed_md5"].text or file["supplied_md5"].text, "md5"),
            mimetype=file["mimetype"].text,
            # The web firewall of ndownloader refuses programs; the API redirects to the bytes.
            fallback_url=f"{self.service}/file/download/{id}" if id else "",
        )


class FourTU(Figshare):
    """Datasets of 4TU.ResearchData."""

    name = "4tu"
    software = ""

    def rules(self) -> Grammar:
        """New datasets have UUIDs, those of the time at Figshare have numbers."""
        return Grammar(
            self.name,
            self.api.options.fourtu_url,
            paths=_4TU_PATHS,
            dois=_4TU_DOIS,
        )

    @property
    def service(self) -> str:
        """The URL of the API."""
        return f"{self.api.options.fourtu_url}/v2"

    @property
    def downloads(self) -> str:
        """No zips: the API names none."""
        return ""


def _check_access(name: str, article: JSONValue) -> None:
    """Raise FilesetError (`platform-restricted`) unless the files are public."""
    if article["is_embargoed"].is_true:
        until = article["embargo_date"].text
        reasons = (article["embargo_title"].text, article["embargo_reason"].text)
        raise restricted(name, until and f"embargo until {until}", *reasons)
    if article["is_confidential"].is_true:
        raise restricted(name, "confidential", article["confidential_reason"].text)
    if article["is_public"].is_false or article["download_disabled"].is_true:
        raise restricted(name, "not public, or downloads are disabled")


def _number(version: str) -> int:
    if not version.isdecimal():
        raise FilesetError("platform-error", f"a version {version!r:.40}, not a number")
    return int(version)
