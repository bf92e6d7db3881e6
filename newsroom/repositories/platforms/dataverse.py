"""Dataverse: datasets and files by persistent identifiers, tables with their originals (10.3)."""

from collections.abc import Iterator, Mapping

from newsroom.repositories.dataset import Dataset, File, State
from newsroom.repositories.exchange import Answer, Asked, file_answer, json_answer
from newsroom.repositories.pages import landing_page, missing_page, schema_org
from newsroom.repositories.platforms.dataverse_json import (
    files_json,
    id_of,
    number_of,
    version_json,
)
from newsroom.repositories.platforms.platform import Platform, Refused, Route

HOST = "dataverse.example"

_PID = ":persistentId/"


class Dataverse(Platform):
    """One site; `shape` is `no-pids` for datasets whose files have none."""

    name = "dataverse"
    hosts = (HOST,)
    robots = "User-agent: *\nDisallow: /api/\nDisallow: /loginpage.xhtml\nDisallow: /*?q=\n"

    def routes(self) -> Mapping[str, Route]:
        dataset = r"/api/datasets/(:persistentId|\d+)"
        version = rf"{dataset}/versions/([^/]+)"
        return {
            r"/(?:dataset|citation|file)(?:\.xhtml)?": self._page,
            rf"{dataset}/?": self._dataset,
            rf"{dataset}/versions/?": self._versions,
            version: self._version,
            rf"{version}/files": self._files,
            rf"{version}/linkset": self._linkset,
            r"/api/files/(:persistentId|\d+)/?": self._file,
            r"/api/access/datafile/(:persistentId|\d+)/?": self._bytes,
            r"/api/access/dataset/(:persistentId|\d+)/?(?:versions/([^/]+))?": self._bundle,
            r"/api/info/version": self._software,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://{HOST}/dataset.xhtml?persistentId={dataset.id}"

    def registered(self, dataset: Dataset, _doi: str) -> str:
        return f"http://{HOST}/citation?persistentId={dataset.id}"

    def missing(self, what: str = "") -> Answer:
        return _error(404, what or "API endpoint does not exist.")

    def _find(self, asked: Asked, id: str, version: str = "") -> Dataset:
        """A version of the dataset that a request is for. Raises Refused."""
        pid = asked.query.get("persistentId", "") if id.startswith(":") else id
        wanted = version if version.partition(".")[0].isdecimal() else ""
        found = self.catalogue.find(self.name, pid, wanted)
        if found is None and id.isdecimal():
            found = next((each for each in self._all() if str(each.serial) == id), None)
        if found is None or found.state is State.HIDDEN:
            raise _refused(404, f"Dataset with Persistent ID {pid} not found.")
        if found.state is State.DRAFT or version == ":draft":
            raise _refused(401, "User :guest is not permitted to perform requested action.")
        if found.state is State.GONE and asked.query.get("includeDeaccessioned") != "true":
            raise _refused(404, f"Dataset with Persistent ID {pid} not found.")
        return found

    def _all(self) -> Iterator[Dataset]:
        return (each for each in self.catalogue if each.platform == self.name)

    def _place(self, asked: Asked, id: str) -> tuple[Dataset, int]:
        """The dataset of the file that a request is for, and its place in it. Raises Refused."""
        pid, _, letters = asked.query.get("persistentId", "").upper().rpartition("/")
        number = id if id.isdecimal() else number_of(letters)
        found = self.catalogue.by_file_id(self.name, number) if number else None
        if found is None or (letters and found[0].id.upper() != pid):
            raise _refused(404, "File not found for given id.")
        return found[0], found[0].files.index(found[1])

    def _page(self, asked: Asked) -> Answer:
        """The page of a dataset or of a file, by its PID or its number."""
        query = asked.query
        found = self.catalogue.find(self.name, query.get("persistentId", ""))
        if "id" in query:
            found = next((each for each in self._all() if str(each.serial) == query["id"]), None)
        if found is None:
            found, _ = self._place(asked, query.get("fileId", ""))
        if found.state in (State.HIDDEN, State.DRAFT):
            return missing_page("Dataverse")
        url = self.landing(found)
        api = f"http://{HOST}/api/datasets/{_PID}versions/{found.version}"
        linkset = f'<{api}/linkset?persistentId={found.id}>; rel="linkset"'
        return landing_page(
            found,
            url,
            "A Dataverse",
            metas=[("DC.identifier", found.id), ("DC.type", "Dataset")],
            schema=schema_org(found, url),
            headers={"Link": f'{linkset}; type="application/linkset+json"'},
        )

    def _dataset(self, asked: Asked, id: str) -> Answer:
        found = self._find(asked, id)
        pid = found.id.partition(":")[2]
        data = {
            "id": found.serial,
            "identifier": pid.partition("/")[2],
            "persistentUrl": f"https://doi.org/{found.doi}",
            "protocol": found.id.partition(":")[0],
            "authority": pid.partition("/")[0],
            "separator": "/",
            "publisher": "A Dataverse",
            "publicationDate": found.date,
            "storageIdentifier": f"s3://{pid}",
            "datasetType": found.kind,
            "latestVersion": version_json(found),
        }
        return json_answer({"status": "OK", "data": data})

    def _versions(self, asked: Asked, id: str) -> Answer:
        found = self._find(asked, id)
        newest_first = self.catalogue.versions(self.name, found.id)[::-1]
        without = asked.query.get("excludeFiles", "true") != "false"
        data = [version_json(each, without=without) for each in newest_first]
        return json_answer({"status": "OK", "data": data})

    def _version(self, asked: Asked, id: str, version: str) -> Answer:
        found = self._find(asked, id, version)
        return json_answer({"status": "OK", "data": version_json(found)})

    def _files(self, asked: Asked, id: str, version: str) -> Answer:
        found = self._find(asked, id, version)
        start = asked.number("offset", 0)
        files = files_json(found)
        part = files[start : start + asked.number("limit", len(files))]
        return json_answer({"status": "OK", "data": part, "totalCount": len(files)})

    def _linkset(self, asked: Asked, id: str, version: str) -> Answer:
        found = self._find(asked, id, version)
        url = f"http://{HOST}/api/access/datafile"
        items = [
            {"href": f"{url}/{id_of(found, at)}", "type": file.mimetype}
            for at, file in enumerate(found.files)
        ]
        linkset = [{"anchor": self.landing(found), "item": items}]
        return json_answer({"linkset": linkset}, content_type="application/linkset+json")

    def _file(self, asked: Asked, id: str) -> Answer:
        dataset, at = self._place(asked, id)
        data = files_json(dataset)[at]
        if asked.query.get("returnDatasetVersion") == "true":
            data["datasetVersion"] = version_json(dataset, without=True)
        return json_answer({"status": "OK", "data": data})

    def _bytes(self, asked: Asked, id: str) -> Answer:
        """The bytes of a file: of a table those that Dataverse made, unless the original is asked.

        If-Range is not known there.
        """
        dataset, at = self._place(asked, id)
        file = dataset.files[at]
        if file.restricted or dataset.state in (State.RESTRICTED, State.EMBARGOED):
            return _error(403, "You do not have permission to access this file.")
        original = asked.query.get("format") == "original"
        found = file_answer(dataset, file if original or not file.ingested else file.ingested)
        return Answer(found.content, 200, found.headers, True, if_range=False, file=found.file)

    def _bundle(self, asked: Asked, id: str, version: str = "") -> Answer:
        """A zip of all files with a list of them; restricted ones are left out without an error."""
        found = self._find(asked, id, version)
        lines: list[str] = []
        sent: list[File] = []
        for file in found.files:
            if file.restricted:
                lines.append(f"{file.path} IS RESTRICTED AND CANNOT BE DOWNLOADED")
                continue
            is_original = asked.query.get("format") == "original"
            sent.append(file if is_original else file.ingested or file)
            lines.append(f"{sent[-1].path} ({sent[-1].mimetype}) {sent[-1].size} bytes.")
        manifest = "".join(f"{line}\r\n" for line in lines)
        return self.bundle_of(sent, ("MANIFEST.TXT", manifest.encode()))

    def _software(self, _: Asked) -> Answer:
        return json_answer({"status": "OK", "data": {"version": "6.7", "build": "1"}})


def _refused(status: int, message: str) -> Refused:
    return Refused(_error(status, message))


def _error(status: int, message: str) -> Answer:
    code = {"code": 404} if status == 404 else {}
    return json_answer({"status": "ERROR", **code, "message": message}, status)
