"""The resolver of DOIs with its handle API, and DataCite (spec 10.10)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from newsroom.repositories.catalogue import Catalogue
from newsroom.repositories.dataset import Dataset
from newsroom.repositories.exchange import HTML, Answer, Asked, answer, json_answer, redirect
from newsroom.repositories.platforms.platform import Platform, Route

DATACITE = "api.datacite.example"


class DOI(Platform):
    """doi.org: it knows where each platform has the pages of its datasets."""

    name = "doi"
    hosts = ("doi.example", DATACITE)
    options: ClassVar = {"DOI_URL": "http://doi.example", "DATACITE_URL": f"http://{DATACITE}"}

    def __init__(self, catalogue: Catalogue, platforms: Mapping[str, Platform]) -> None:
        super().__init__(catalogue)
        self._platforms = platforms

    def routes(self) -> Mapping[str, Route]:
        return {
            r"/api/handles/(10\..+)": self._handle,
            r"/doiRA/(10\.[^/]+).*": self._agency,
            rf"{DATACITE}/dois/(10\..+)": self._datacite,
            r"/(?:doi:)?(10\..+)": self._resolve,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://doi.example/{dataset.doi}"

    def missing(self, what: str = "") -> Answer:
        return answer(f"<h1>DOI Not Found</h1>\n<p>{what}</p>\n", HTML, 404)

    def _url(self, doi: str) -> str:
        """Where a DOI is registered; "" for an unknown one."""
        dataset = self.catalogue.by_doi(doi)
        if dataset is None:
            return ""
        return self._platforms[dataset.platform].registered(dataset, doi)

    def _resolve(self, _: Asked, doi: str) -> Answer:
        url = self._url(doi)
        return redirect(url) if url else self.missing(doi)

    def _handle(self, _: Asked, doi: str) -> Answer:
        url = self._url(doi)
        if not url:
            return json_answer({"responseCode": 100, "handle": doi}, 404)
        value = {
            "index": 1,
            "type": "URL",
            "data": {"format": "string", "value": url},
            "ttl": 86400,
            "timestamp": "2024-03-15T09:30:00Z",
        }
        return json_answer({"responseCode": 1, "handle": doi, "values": [value]})

    def _agency(self, _: Asked, prefix: str) -> Answer:
        return json_answer([{"DOI": prefix, "RA": "DataCite"}])

    def _datacite(self, _: Asked, doi: str) -> Answer:
        dataset = self.catalogue.by_doi(doi)
        if dataset is None:
            return json_answer({"errors": [{"status": "404", "title": "Not found"}]}, 404)
        attributes = {
            "doi": doi.lower(),
            "url": self._url(doi),
            "contentUrl": None,
            "formats": sorted({file.mimetype for file in dataset.files}),
            "sizes": [f"{file.size} bytes" for file in dataset.files[:50]],
            "titles": [{"title": dataset.title}],
            "creators": [{"name": name} for name in dataset.creators],
            "types": {"resourceTypeGeneral": dataset.kind.capitalize()},
            "rightsList": [{"rightsIdentifier": dataset.license}] if dataset.license else [],
            "version": dataset.version,
            "relatedIdentifiers": self._related(dataset, doi),
            "state": "findable",
        }
        return json_answer({"data": {"id": doi.lower(), "type": "dois", "attributes": attributes}})

    def _related(self, dataset: Dataset, doi: str) -> list[dict[str, Any]]:
        """The relations between a dataset and all its versions."""
        if not dataset.concept_doi:
            return []
        if doi.lower() != dataset.concept_doi.lower():
            return [_relation("IsVersionOf", dataset.concept_doi)]
        return [
            _relation("HasVersion", each.doi)
            for each in self.catalogue.versions(dataset.platform, dataset.concept or dataset.id)
        ]


def _relation(kind: str, doi: str) -> dict[str, Any]:
    return {
        "relationType": kind,
        "relatedIdentifier": doi,
        "relatedIdentifierType": "DOI",
    }
