"""GitHub: releases with assets (spec 10.9)."""

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import quote

from newsroom.repositories.catalogue import file_id
from newsroom.repositories.dataset import Dataset, State
from newsroom.repositories.exchange import Answer, Asked, json_answer, redirect
from newsroom.repositories.pages import missing_page
from newsroom.repositories.platforms.platform import Platform, Route
from newsroom.repositories.storage import signed_url

HOST, API = "github.example", "api.github.example"


class GitHub(Platform):
    """Releases: the id of a dataset is OWNER/REPOSITORY, its version the tag."""

    name = "github"
    hosts = (HOST, API)
    options: ClassVar = {"GITHUB_URL": f"http://{HOST}", "GITHUB_API_URL": f"http://{API}"}

    def routes(self) -> Mapping[str, Route]:
        repository = rf"{API}/repos/([^/]+/[^/]+)"
        return {
            rf"{HOST}/([^/]+/[^/]+)/releases/tag/([^/]+)": self._page,
            rf"{HOST}/([^/]+/[^/]+)/releases/download/([^/]+)/(.+)": self._download,
            rf"{HOST}/([^/]+/[^/]+?)(?:/releases)?/?": self._page,
            rf"{repository}/releases": self._releases,
            rf"{repository}/releases/tags/(.+)": self._release,
            rf"{repository}/releases/latest": self._release,
            rf"{repository}/releases/(\d+)/assets": self._assets,
            rf"{API}/objects/(\d+)": self._bytes,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://{HOST}/{dataset.id}/releases/tag/{quote(dataset.version, safe='')}"

    def missing(self, what: str = "Not Found") -> Answer:
        return json_answer({"message": what, "status": "404"}, 404)

    def _page(self, _: Asked, id: str, tag: str = "") -> Answer:
        return self.page_of(self.catalogue.find(self.name, id, tag), "GitHub")

    def _releases(self, _: Asked, id: str) -> Answer:
        found = self.catalogue.versions(self.name, id)
        return json_answer([_described(each) for each in reversed(found)])

    def _release(self, _: Asked, id: str, tag: str = "") -> Answer:
        return json_answer(_described(self.found(id, tag)))

    def _assets(self, asked: Asked, id: str, serial: str) -> Answer:
        versions = self.catalogue.versions(self.name, id)
        found = next((each for each in versions if str(each.serial) == serial), None)
        if found is None:
            return self.missing()
        size, page = asked.number("per_page", 30), asked.number("page", 1)
        return json_answer(_listed(found)[(page - 1) * size : page * size])

    def _download(self, _: Asked, id: str, tag: str, name: str) -> Answer:
        found = self.found(id, tag)
        for at, file in enumerate(found.files):
            if file.path == name:
                return redirect(signed_url(Asked("GET", API, f"/objects/{file_id(found, at)}")))
        return missing_page(HOST)

    def _bytes(self, _: Asked, number: str) -> Answer:
        return self.bytes_by_id(number)


def _described(dataset: Dataset) -> dict[str, Any]:
    api = f"http://{API}/repos/{dataset.id}"
    return {
        "id": dataset.serial,
        "url": f"{api}/releases/{dataset.serial}",
        "html_url": f"http://{HOST}/{dataset.id}/releases/tag/{dataset.version}",
        "tag_name": dataset.version,
        "target_commitish": "main",
        "name": dataset.title,
        "body": dataset.description,
        "draft": dataset.state is State.DRAFT,
        "prerelease": False,
        "immutable": False,
        "published_at": f"{dataset.date}T09:30:00Z",
        "tarball_url": f"{api}/tarball/{dataset.version}",
        "zipball_url": f"{api}/zipball/{dataset.version}",
        "assets": _listed(dataset),
    }


def _listed(dataset: Dataset) -> list[dict[str, Any]]:
    url = f"http://{HOST}/{dataset.id}/releases/download/{quote(dataset.version, safe='')}"
    return [
        {
            "id": file_id(dataset, at),
            "url": f"http://{API}/repos/{dataset.id}/releases/assets/{file_id(dataset, at)}",
            "browser_download_url": f"{url}/{quote(file.path)}",
            "name": file.path,
            "label": "",
            "state": "uploaded",
            "content_type": file.mimetype,
            "size": file.size,
            "digest": f"sha256:{file.told_hash}" if file.checksum == "sha256" else None,
            "download_count": 1,
            "created_at": f"{dataset.date}T09:30:00Z",
            "updated_at": f"{dataset.date}T09:30:00Z",
        }
        for at, file in enumerate(dataset.files)
    ]
