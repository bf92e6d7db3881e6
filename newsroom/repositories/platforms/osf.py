"""OSF: projects and registrations with folders, in the manner of JSON:API (spec 10.5)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from newsroom.repositories.catalogue import file_id
from newsroom.repositories.dataset import Dataset, File, State
from newsroom.repositories.exchange import Answer, Asked, json_answer, redirect
from newsroom.repositories.platforms.platform import Platform, Refused, Route

HOST, API, FILES = "osf.example", "api.osf.example", "files.osf.example"
NO_LINKS = "no-links"
"""The shape of datasets whose files have no URLs: there is only the zip of all of them."""


class OSF(Platform):
    """Projects (`kind` is `nodes`), registrations and preprints; folders are listed one by one."""

    name = "osf"
    hosts = (HOST, API, FILES)
    options: ClassVar = {
        "OSF_URL": f"http://{HOST}",
        "OSF_API_URL": f"http://{API}/v2",
        "OSF_FILES_URL": f"http://{FILES}/v1",
    }

    def routes(self) -> Mapping[str, Route]:
        node = rf"{API}/v2/(nodes|registrations)/([a-z0-9]+)"
        return {
            rf"{API}/v2/guids/([a-z0-9]+)/": self._guid,
            rf"{node}/": self._node,
            rf"{node}/children/": self._children,
            rf"{node}/files/": self._providers,
            rf"{node}/files/osfstorage/(?:((?:[0-9a-f]{{2}})+)/)?": self._folder,
            rf"{HOST}/download/([0-9a-f]+)/?": self._download,
            rf"{FILES}/v1/resources/([a-z0-9]+)/providers/osfstorage/": self._bundle,
            rf"{FILES}/v1/objects/(\d+)": self._bytes,
            rf"{HOST}/([a-z0-9]{{5}})/?(?:files/.*)?": self._page,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://{HOST}/{dataset.id}/"

    def missing(self, what: str = "Not found.") -> Answer:
        return _errors(404, what)

    def _find(self, id: str) -> Dataset:
        found = self.found(id)
        if found.state is State.GONE:
            raise Refused(_errors(410, "The requested node is no longer available."))
        if found.state is State.RESTRICTED:
            raise Refused(_errors(401, "Authentication credentials were not provided."))
        return found

    def _page(self, _: Asked, id: str) -> Answer:
        return self.page_of(self.catalogue.find(self.name, id), "OSF")

    def _guid(self, _: Asked, id: str) -> Answer:
        found = self._find(id)
        return json_answer({"data": {"id": id, "type": found.kind}, "meta": {"version": "2.0"}})

    def _node(self, _: Asked, kind: str, id: str) -> Answer:
        found = self._find(id)
        if found.kind != kind:
            return self.missing()
        users = [
            {"embeds": {"users": {"data": {"attributes": {"full_name": name}}}}}
            for name in found.creators
        ]
        license = {"name": found.license, "url": "https://license.example/by"}
        data = {
            "id": id,
            "type": kind,
            "attributes": {
                "title": found.title,
                "description": found.description,
                "public": True,
                "date_created": f"{found.date}T09:30:00.000000",
                "date_modified": f"{found.date}T09:31:00.000000",
            },
            "embeds": {
                "license": {"data": {"attributes": license}},
                "bibliographic_contributors": {"data": users},
            },
        }
        return json_answer({"data": data, "meta": {"version": "2.0"}})

    def _children(self, asked: Asked, *_: str) -> Answer:
        return _page_of([], asked)

    def _providers(self, asked: Asked, kind: str, id: str) -> Answer:
        href = f"http://{API}/v2/{kind}/{id}/files/osfstorage/"
        related = {"files": {"links": {"related": {"href": href}}}}
        attributes = {"kind": "folder", "name": "osfstorage", "provider": "osfstorage"}
        return _page_of(
            [{"type": "files", "attributes": attributes, "relationships": related}], asked
        )

    def _folder(self, asked: Asked, kind: str, id: str, folder: str = "") -> Answer:
        """What is in a folder, whose id is its path in hexadecimal digits."""
        found = self._find(id)
        path = bytes.fromhex(folder).decode()
        entries: dict[str, dict[str, Any]] = {}
        for at, file in enumerate(found.files):
            if file.path.startswith(path):
                name, slash, _ = file.path.removeprefix(path).partition("/")
                made = _folder_json(kind, id, f"{path}{name}/") if slash else None
                entries.setdefault(f"{name}{slash}", made or _file_json(found, at, file))
        return _page_of(list(entries.values()), asked)

    def _download(self, _: Asked, number: str) -> Answer:
        return redirect(f"http://{FILES}/v1/objects/{int(number, 16)}")

    def _bytes(self, _: Asked, number: str) -> Answer:
        return self.bytes_by_id(number)

    def _bundle(self, _: Asked, id: str) -> Answer:
        return self.bundle_of(self._find(id).files)


def _errors(status: int, detail: str) -> Answer:
    return json_answer({"errors": [{"detail": detail}], "meta": {"version": "2.0"}}, status)


def _page_of(entries: list[dict[str, Any]], asked: Asked) -> Answer:
    """A page of a list; `links.next` leads to the next one."""
    size, page = asked.number("page[size]", 10), asked.number("page", 1)
    following = f"{asked.url.partition('?')[0]}?page[size]={size}&page={page + 1}"
    more = len(entries) > page * size
    links = {"first": None, "last": None, "prev": None, "next": following if more else None}
    meta = {"total": len(entries), "per_page": size, "version": "2.0"}
    data = entries[(page - 1) * size : page * size]
    return json_answer({"data": data, "links": links, "meta": meta})


def _folder_json(kind: str, id: str, path: str) -> dict[str, Any]:
    code = path.encode().hex()
    href = f"http://{API}/v2/{kind}/{id}/files/osfstorage/{code}/"
    name = path.rstrip("/").rpartition("/")[2]
    return {
        "id": code[:24],
        "type": "files",
        "attributes": {
            "kind": "folder",
            "name": name,
            "path": f"/{code}/",
            "materialized_path": f"/{path}",
            "size": None,
            "provider": "osfstorage",
        },
        "relationships": {"files": {"links": {"related": {"href": href}}}},
    }


def _file_json(dataset: Dataset, at: int, file: File) -> dict[str, Any]:
    code = f"{file_id(dataset, at):024x}"
    hashes = {name: file.content.hash(name) for name in ("md5", "sha256")}
    download = {} if dataset.shape == NO_LINKS else {"download": f"http://{HOST}/download/{code}/"}
    return {
        "id": code,
        "type": "files",
        "attributes": {
            "kind": "file",
            "name": file.name,
            "path": f"/{code}",
            "materialized_path": f"/{file.path}",
            "size": file.size,
            "provider": "osfstorage",
            "current_version": 1,
            "extra": {"hashes": hashes, "downloads": 1},
        },
        "links": {**download, "self": f"http://{API}/v2/files/{code}/"},
    }
