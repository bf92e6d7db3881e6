"""A platform: recognises its datasets, and asks its API for their files.

request, landing page → Evidence → reference: certain? → or a guess, which the API confirms
                                 → item: the manifest, the version, the metadata
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, ClassVar, Protocol

from indexer.errors import FilesetError
from indexer.filesets.landing.evidence import Evidence, evidence_of
from indexer.filesets.landing.resource import Resource
from indexer.filesets.manifest import RESTRICTED, FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.platforms.api import PlatformAPI
from indexer.filesets.platforms.items import distinct, restricted
from indexer.filesets.platforms.references import Grammar, Kind, Reference, WebURL, web_urls
from indexer.filesets.request import IngestRequest

Biblio = Mapping[str, Any]

_MAX_NAMED = 20


class Way(Enum):
    """The ways to recognise a platform, the most certain first."""

    IDENTIFIER = "a DOI"
    HOST = "a URL of a known host"
    PROBE = "an API that answers"
    PAGE = "what the page says of itself"


class FilesetPlatformHelper(Protocol):
    """What a platform does for the ingest of one dataset (filesets.md 4.1).

    `chose_strategy` of the design is the same for all platforms: `strategies.choosing`.
    """

    def match_request(
        self, request: IngestRequest, resource: Resource | None, html_biblio: Biblio
    ) -> bool:
        """Whether the request or its landing page lead to a dataset of the platform."""

    def process_request(
        self, request: IngestRequest, resource: Resource | None, html_biblio: Biblio
    ) -> FilesetPlatformItem:
        """The dataset with its manifest. Raises FilesetError with the status that says why not."""


class Platform:
    """The part that is the same for all platforms; a platform has a grammar, and makes items."""

    name: ClassVar[str]
    software: ClassVar[str] = ""
    """A word, in lower case, in the `generator` of the pages of all sites with the software."""

    reads_page: ClassVar[bool] = True
    """Whether the landing page may be fetched to find the dataset: not if the URL says it all."""

    def __init__(self, api: PlatformAPI) -> None:
        self.api = api
        self.grammar = self.rules()

    def rules(self) -> Grammar:
        """The URLs and DOIs of the platform."""
        raise NotImplementedError

    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The dataset of a reference. Raises FilesetError."""
        raise NotImplementedError

    def probe(self, reference: Reference) -> bool:
        """Whether a site that only looks like this platform is one, by its API."""
        return reference.is_certain

    def match_request(
        self, request: IngestRequest, resource: Resource | None, html_biblio: Biblio
    ) -> bool:
        """Whether the request or its landing page lead to a dataset of the platform."""
        return self.reference(_evidence(request, resource, html_biblio)) is not None

    def process_request(
        self, request: IngestRequest, resource: Resource | None, html_biblio: Biblio
    ) -> FilesetPlatformItem:
        """The dataset with its manifest. Raises FilesetError with the status that says why not."""
        evidence = _evidence(request, resource, html_biblio)
        reference = self.reference(evidence)
        if reference is None:
            raise FilesetError("no-platform-match", f"no URL or DOI of {self.name}")
        return self.item(reference)

    def reference(self, evidence: Evidence) -> Reference | None:
        """What the evidence refers to, on this platform."""
        found = (self.by_way(way, evidence) for way in Way)
        return next((each for each in found if each), None)

    def by_way(self, way: "Way", evidence: Evidence) -> Reference | None:
        """What the evidence refers to, recognised in one way."""
        match way:
            case Way.IDENTIFIER:
                found = self.by_identifier(evidence)
            case Way.HOST:
                found = self.by_host(evidence)
            case Way.PROBE:
                found = self.by_guess(evidence)
            case Way.PAGE:
                found = self.by_page(evidence)
        return found and replace(found, evidence=evidence)

    def by_identifier(self, evidence: Evidence) -> Reference | None:
        """What a DOI of the request refers to; a URL to which it led may tell the version."""
        named = self._of_dois(evidence.dois)
        return _best([*self._of_urls(evidence.urls), *named]) if named else None

    def by_host(self, evidence: Evidence) -> Reference | None:
        """What a URL of the request or of the way to the page refers to, if its host is known."""
        return _best(self._of_urls(evidence.urls))

    def by_page(self, evidence: Evidence) -> Reference | None:
        """What a URL or a DOI that the page names for itself refers to."""
        return _best([*self._of_urls(evidence.page_urls), *self._of_dois(evidence.page_dois)])

    def by_guess(self, evidence: Evidence) -> Reference | None:
        """What a URL of an unknown host refers to, if its page or its API is the platform's."""
        guesses = self._of_urls(evidence.urls, is_certain=False)
        named = bool(self.software) and self.software in evidence.generator.lower()
        return next((each for each in guesses if named or self.probe(each)), None)

    def of_url(self, url: WebURL) -> Reference | None:
        """What a URL refers to; None if it is no URL of the platform."""
        return self.grammar.of_url(url)

    def of_doi(self, doi: str) -> Reference | None:
        """What a DOI, in lower case, refers to; None if it is no DOI of the platform."""
        return self.grammar.of_doi(doi)

    def _of_urls(self, urls: Iterable[str], *, is_certain: bool = True) -> list[Reference]:
        found = (self.of_url(url) for url in web_urls(urls))
        return [each for each in found if each is not None and each.is_certain is is_certain]

    def _of_dois(self, dois: Iterable[str]) -> list[Reference]:
        return [found for doi in dois if (found := self.of_doi(doi)) is not None]

    def made(
        self,
        reference: Reference,
        page: str,
        manifest: Iterable[FilesetManifestFile],
        **fields: Any,
    ) -> FilesetPlatformItem:
        """The item of a dataset with a landing page; `fields` are the other ones of the item.

        Raises FilesetError if files are marked as `closed`, unless the others may be archived.
        """
        files = distinct([*manifest])
        closed = [file for file in files if file.status == RESTRICTED]
        if closed and not (self.api.options.partial and len(closed) < len(files)):
            raise self._restricted(closed, len(files))
        return FilesetPlatformItem(
            platform_name=self.name,
            platform_status="success",
            platform_domain=reference.host,
            platform_base_url=page,
            web_base_url=page,
            manifest=[file for file in files if file.status != RESTRICTED],
            restricted=closed,
            **fields,
        )

    def _restricted(self, files: list[FilesetManifestFile], count: int) -> FilesetError:
        named = ", ".join(file.path for file in files[:5])
        until = max((file.extra or {}).get("restricted_until", "") for file in files)
        told = f"{len(files)} of {count} files are restricted: {named}"
        return restricted(self.name, told, until and f"embargo until {until}")

    def out_of_scope(self, what: str, parts: Iterable[str] = ()) -> FilesetError:
        """The error for a reference to something else than one version of one dataset."""
        named = [*parts]
        more = f" and {len(named) - _MAX_NAMED} more" if len(named) > _MAX_NAMED else ""
        listed = f": {', '.join(named[:_MAX_NAMED])}{more}" if named else ""
        return FilesetError("platform-scope", f"{self.name}: {what}{listed}")

    def one_version(self, what: str, versions: list[str]) -> str:
        """The version to take if none was named, of some in order. Raises FilesetError."""
        if not versions:
            raise FilesetError("platform-404", f"{self.name}: {what} has no public version")
        if len(versions) > 1 and self.api.options.version_policy == "scope":
            raise self.out_of_scope(f"{what} stands for {len(versions)} versions", versions)
        return versions[-1]


def _evidence(request: IngestRequest, resource: Resource | None, biblio: Biblio) -> Evidence:
    return evidence_of(request.base_url, {"doi": request.doi}, resource, biblio)


def _best(found: list[Reference]) -> Reference | None:
    """The first reference to a dataset, or the first one; its version may be in a later one."""
    datasets = [each for each in found if each.kind is Kind.DATASET]
    best = next(iter(datasets or found), None)
    if best is None or best.version:
        return best
    same = (each for each in datasets if each.id == best.id and each.version)
    return next((best.with_version(each.version) for each in same), best)
