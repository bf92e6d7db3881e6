"""Dryad: one DOI for all versions, downloads for users of the API (spec 10.6)."""

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qs, quote

from newsroom.repositories.catalogue import file_id
from newsroom.repositories.dataset import Dataset, State
from newsroom.repositories.exchange import Answer, Asked, answer, file_answer, json_answer
from newsroom.repositories.platforms.platform import Platform, Route

HOST = "dryad.example"
CLIENT, SECRET, TOKEN = "imitation-client", "imitation-secret", "imitation-token"

_KINDS = {"md5": "md5", "sha256": "sha-256"}


class Dryad(Platform):
    """Datasets by DOI; `shape` is `users` for those whose files only users can have."""

    name = "dryad"
    hosts = (HOST,)
    options: ClassVar = {"DRYAD_URL": f"http://{HOST}"}

    def routes(self) -> Mapping[str, Route]:
        return {
            r"/(?:stash/)?(?:dataset|resource)/doi:(10\..+?)": self._page,
            # First, as a DOI may have several slashes.
            r"/api/v2/datasets/doi(?::|%3A)(10\.[^/]+(?:/|%2F)[^/]+)/download": self._bundle,
            r"/api/v2/datasets/doi(?::|%3A)(10\.[^/]+(?:/|%2F)[^/]+)": self._dataset,
            r"/api/v2/versions/(\d+)/files": self._files,
            r"/api/v2/files/(\d+)/download": self._bytes,
            r"POST /oauth/token": self._token,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://{HOST}/dataset/doi:{dataset.id}"

    def missing(self, what: str = "not-found") -> Answer:
        return json_answer({"error": what}, 404)

    def _page(self, _: Asked, doi: str) -> Answer:
        return self.page_of(self.catalogue.find(self.name, doi), "Dryad")

    def _dataset(self, asked: Asked, doi: str) -> Answer:
        found = self.found(doi)
        here = f"/api/v2/datasets/{quote(f'doi:{found.id}', safe='')}"
        links = {
            "self": {"href": here},
            "stash:versions": {"href": f"{here}/versions"},
            "stash:version": {"href": f"/api/v2/versions/{found.serial}"},
            "curies": [],
        }
        if _may_download(found, asked):
            links["stash:download"] = {"href": f"{here}/download"}
        is_open = found.state is State.OPEN
        names = [name.partition(", ") for name in found.creators]
        return json_answer(
            {
                "_links": links,
                "identifier": f"doi:{found.id}",
                "id": found.serial,
                "storageSize": found.size,
                "title": found.title,
                "authors": [{"firstName": first, "lastName": last} for last, _, first in names],
                "abstract": found.description,
                "versionNumber": int(found.version),
                "versionStatus": "submitted",
                "curationStatus": "Published" if is_open else "Embargoed",
                "publicationDate": found.date,
                "lastModificationDate": found.date,
                "visibility": "public" if is_open else "restricted",
                "license": "https://license.example/cc0",
            }
        )

    def _files(self, asked: Asked, serial: str) -> Answer:
        found = next((each for each in self.catalogue if str(each.serial) == serial), None)
        if found is None or found.platform != self.name:
            return self.missing()
        size, page = asked.number("per_page", 20), asked.number("page", 1)
        files = self._listed(found, asked)
        here = f"/api/v2/versions/{serial}/files"
        links = {"self": {"href": f"{here}?page={page}&per_page={size}"}}
        if len(files) > page * size:
            links["next"] = {"href": f"{here}?page={page + 1}&per_page={size}"}
        part = files[(page - 1) * size : page * size]
        embedded = {"stash:files": part}
        counts = {"count": len(part), "total": len(files)}
        return json_answer({"_links": links, **counts, "_embedded": embedded})

    def _listed(self, dataset: Dataset, asked: Asked) -> list[dict[str, Any]]:
        """The files, and one that was deleted."""
        found: list[dict[str, Any]] = [
            {
                "_links": {},
                "path": "old.csv",
                "size": 1,
                "mimeType": "text/csv",
                "status": "deleted",
            }
        ]
        for at, file in enumerate(dataset.files):
            href = f"/api/v2/files/{file_id(dataset, at)}"
            links = {"self": {"href": href}}
            if _may_download(dataset, asked):
                links["stash:download"] = {"href": f"{href}/download"}
            known = {"digest": file.told_hash, "digestType": _KINDS.get(file.checksum)}
            found.append(
                {
                    "_links": links,
                    "path": file.path,
                    "size": file.size,
                    "mimeType": file.mimetype,
                    "status": "created",
                    **(known if file.checksum else {}),
                }
            )
        return found

    def _bytes(self, asked: Asked, number: str) -> Answer:
        found = self.catalogue.by_file_id(self.name, number)
        if found is None:
            return answer("not found", "text/plain", 404)
        if not _may_download(found[0], asked):
            return answer("Unauthorized", "text/plain", 401)
        return file_answer(*found)

    def _bundle(self, asked: Asked, doi: str) -> Answer:
        found = self.found(doi)
        if not _may_download(found, asked):
            return answer("Unauthorized", "text/plain", 401)
        return self.bundle_of(found.files)

    def _token(self, asked: Asked) -> Answer:
        form = parse_qs(asked.body.read().decode())
        if [form.get("client_id"), form.get("client_secret")] != [[CLIENT], [SECRET]]:
            return json_answer({"error": "invalid_client"}, 401)
        token = {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 36000}
        return json_answer({**token, "scope": "all"})


def _may_download(dataset: Dataset, asked: Asked) -> bool:
    is_user = asked.headers.get("authorization") == f"Bearer {TOKEN}"
    return dataset.shape != "users" or is_user
