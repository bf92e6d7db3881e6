"""Figshare with its API, downloads behind a web firewall, and a portal; 4TU (spec 10.2, 10.10)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from newsroom.repositories.catalogue import file_id
from newsroom.repositories.dataset import Dataset, State
from newsroom.repositories.exchange import (
    HTML,
    Answer,
    Asked,
    answer,
    json_answer,
    redirect,
)
from newsroom.repositories.platforms.platform import Platform, Route
from newsroom.repositories.storage import signed_url

HOST = "figshare.example"
API = "api.figshare.example"
DOWNLOADS = "ndownloader.figshare.example"
PORTAL = "data.portal.example"
SITES = f"(?:{HOST}|{PORTAL})"

_KINDS = {"figure": 1, "media": 2, "dataset": 3, "poster": 5, "thesis": 8, "software": 9}
_HIDDEN = (State.CONFIDENTIAL, State.EMBARGOED)


class Figshare(Platform):
    """Articles in versions; `/ndownloader` sends programs a challenge, the API redirects them."""

    name = "figshare"
    hosts: ClassVar[tuple[str, ...]] = (HOST, API, DOWNLOADS, PORTAL)
    options: ClassVar = {
        "FIGSHARE_URL": f"http://{HOST}",
        "FIGSHARE_API_URL": f"http://{API}/v2",
        "FIGSHARE_DOWNLOAD_URL": f"http://{DOWNLOADS}",
    }
    api: ClassVar = f"{API}/v2"
    robots = "User-agent: *\nDisallow: /search\nDisallow: /account\nDisallow: /ndownloader\n"

    def routes(self) -> Mapping[str, Route]:
        article = rf"{self.api}/articles/([^/]+)"
        version = rf"{article}/versions/(\d+)"
        return {
            rf"{SITES}/articles/(?:[^/]+/)+?(\d+)(?:/(\d+))?/?": self._page,
            rf"{SITES}/collections/(?:[^/]+/)?(\d+)(?:/\d+)?": self._page,
            rf"{HOST}/ndownloader/files/(\d+)": self._challenge,
            rf"{DOWNLOADS}/files/(\d+)": self._download,
            rf"{DOWNLOADS}/articles/(\d+)/versions/(\d+)": self._bundle,
            rf"{self.api}/file/download/(\d+)": self._download,
            rf"{API}/objects/(\d+)": self._object,
            rf"{self.api}/articles": self._search,
            article: self._article,
            version: self._article,
            rf"{article}/versions": self._versions,
            rf"{article}/files": self._files,
            rf"{version}/files": self._files,
            rf"{self.api}/collections/(\d+)/articles": self._members,
        }

    def landing(self, dataset: Dataset) -> str:
        host = dataset.host or HOST
        if dataset.kind == "collection":
            return f"http://{host}/collections/Made-up_rivers/{dataset.id}"
        return f"http://{host}/articles/{dataset.kind}/Made-up_river/{dataset.id}/{dataset.version}"

    def registered(self, dataset: Dataset, doi: str) -> str:
        # The DOI without a version leads to the page without one.
        url = self.landing(dataset)
        return url if doi == dataset.doi else url.rpartition("/")[0]

    def missing(self, what: str = "article") -> Answer:
        code = {"message": f"Entity not found: {what}", "code": "EntityNotFound"}
        return json_answer(code, 404)

    def link(self, dataset: Dataset, at: int) -> str:
        """The URL at which the API says that a file is."""
        return f"http://{DOWNLOADS}/files/{file_id(dataset, at)}"

    def _page(self, _: Asked, id: str, version: str = "") -> Answer:
        return self.page_of(self.catalogue.find(self.name, id, version), "figshare")

    def _challenge(self, *_: object) -> Answer:
        """The web firewall's answer to programs."""
        return answer(b"", HTML, 202, {"x-amzn-waf-action": "challenge"})

    def _download(self, asked: Asked, number: str) -> Answer:
        found = self.catalogue.by_file_id(self.name, number)
        if found is None or found[0].state in _HIDDEN:
            return self.missing("file")
        target = f"/objects/{number}"
        return redirect(signed_url(Asked(asked.method, API, target)))

    def _object(self, _: Asked, number: str) -> Answer:
        return self.bytes_by_id(number)

    def _bundle(self, _: Asked, id: str, version: str) -> Answer:
        found = self.found(id, version)
        if found.state in _HIDDEN:
            return self.missing()
        return self.bundle_of(found.files)

    def _search(self, asked: Asked) -> Answer:
        found = self.catalogue.by_doi(asked.query.get("doi", ""))
        is_ours = found is not None and found.platform == self.name
        return json_answer([_summary(found)] if found and is_ours else [])

    def _article(self, _: Asked, id: str, version: str = "") -> Answer:
        found = self.found(id, version)
        if found.kind == "collection":
            return self.missing()
        return json_answer(self._described(found))

    def _versions(self, _: Asked, id: str) -> Answer:
        found = self.catalogue.versions(self.name, id)
        url = f"http://{self.api}/articles/{id}/versions"
        versions = [
            {"version": int(each.version), "url": f"{url}/{each.version}"}
            for each in found
            if each.state is not State.HIDDEN
        ]
        return json_answer(versions) if versions else self.missing()

    def _files(self, asked: Asked, id: str, version: str = "") -> Answer:
        found = self.found(id, version)
        size = min(asked.number("page_size", 10), 1000)
        start = (asked.number("page", 1) - 1) * size
        files = [] if found.state in _HIDDEN else self._listed(found)
        return json_answer(files[start : start + size])

    def _members(self, asked: Asked, id: str) -> Answer:
        found = self.found(id)
        if found.kind != "collection":
            return self.missing("collection")
        ids = found.reason.split() if asked.number("page", 1) == 1 else []
        return json_answer([_summary(self.found(id)) for id in ids])

    def _listed(self, dataset: Dataset) -> list[dict[str, Any]]:
        return [
            {
                "id": file_id(dataset, at),
                "name": file.path,
                "size": file.size,
                "is_link_only": file.is_link,
                "download_url": self.link(dataset, at),
                "supplied_md5": "",
                "computed_md5": file.told_hash,
                "mimetype": file.mimetype,
            }
            for at, file in enumerate(dataset.files)
        ]

    def _described(self, dataset: Dataset) -> dict[str, Any]:
        """The article; its record lists ten files at most, and none of a closed one."""
        state = dataset.state
        found = {
            **_summary(dataset),
            "handle": "",
            "url": f"http://{self.api}/articles/{dataset.id}",
            "url_public_html": self.landing(dataset),
            "url_public_api": f"http://{self.api}/articles/{dataset.id}",
            "modified_date": f"{dataset.date}T09:30:01Z",
            "created_date": f"{dataset.date}T09:30:00Z",
            "is_public": state is not State.DRAFT,
            "is_confidential": state is State.CONFIDENTIAL,
            "confidential_reason": dataset.reason if state is State.CONFIDENTIAL else "",
            "is_embargoed": state is State.EMBARGOED,
            "embargo_type": "file" if state is State.EMBARGOED else None,
            "embargo_date": dataset.until or None,
            "embargo_title": dataset.reason if state is State.EMBARGOED else "",
            "embargo_reason": "",
            "embargo_options": [],
            "is_metadata_record": state is State.METADATA_ONLY,
            "metadata_reason": "",
            "has_linked_file": any(file.is_link for file in dataset.files),
            "download_disabled": False,
            "version": int(dataset.version),
            "size": dataset.size,
            "description": dataset.description,
            "license": {"value": 1, "name": dataset.license, "url": "https://license.example/by"},
            "authors": [
                {"id": at, "full_name": name, "is_active": True, "url_name": "_", "orcid_id": ""}
                for at, name in enumerate(dataset.creators)
            ],
            "timeline": {"firstOnline": f"{dataset.date}T09:30:00", "posted": dataset.date},
            "tags": ["rivers"],
            "figshare_url": self.landing(dataset),
            "resource_doi": None,
        }
        if state not in _HIDDEN:
            found["files"] = self._listed(dataset)[:10]
        return found


class FourTU(Figshare):
    """4TU.ResearchData: the same API on one host; files are on that host, too."""

    name = "4tu"
    hosts = ("data.4tu.example",)
    options: ClassVar = {"FOURTU_URL": "http://data.4tu.example"}
    api = "data.4tu.example/v2"

    def routes(self) -> Mapping[str, Route]:
        return {
            r"/(?:datasets|articles/_)/([0-9a-f-]{36})(?:/(\d+))?": self._page,
            r"/file/[0-9a-f-]{36}/(\d+)": self._object,
            **{key: route for key, route in super().routes().items() if key.startswith(self.api)},
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://{self.hosts[0]}/datasets/{dataset.id}/{dataset.version}"

    def link(self, dataset: Dataset, at: int) -> str:
        return f"http://{self.hosts[0]}/file/{dataset.id}/{file_id(dataset, at)}"


def _summary(dataset: Dataset) -> dict[str, Any]:
    return {
        "id": int(dataset.id) if dataset.id.isdecimal() else dataset.id,
        "title": dataset.title,
        "doi": dataset.doi,
        "published_date": f"{dataset.date}T09:30:00Z",
        "defined_type": _KINDS.get(dataset.kind, 3),
        "defined_type_name": dataset.kind,
    }
