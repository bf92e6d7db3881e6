"""A small Zenodo on loopback: records with files, and the DOIs that lead to them."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from pytest_httpserver import HTTPServer

from tests.filesets.datasets import md5


class ZenodoServer:
    """Serves records; `settings` are the variables by which programs find it."""

    def __init__(self, server: HTTPServer) -> None:
        self.server = server
        self.url = server.url_for("").rstrip("/")
        server.no_handler_status_code = 404

    @property
    def settings(self) -> dict[str, str]:
        return {"ZENODO_URL": self.url, "DOI_URL": self.url, "FETCHER_ALLOW_PRIVATE": "1"}

    def add(self, id: int, files: Mapping[str, bytes], **changes: Any) -> str:
        """Add a record; returns its DOI."""
        doi = f"10.5281/zenodo.{id}"
        page = f"<html><head><meta name=citation_title content=Tides></head>{id}</html>"
        found = {"Location": f"{self.url}/records/{id}"}
        self._get(f"/{doi}").respond_with_data(b"", 302, headers=found)
        self._get(f"/records/{id}").respond_with_data(page, content_type="text/html")
        record = {
            "id": id,
            "conceptrecid": str(id - 1),
            "metadata": {"title": "Tides", "access_right": "open", "version": "v1"},
            "files": [self._file(id, path, data) for path, data in files.items()],
        }
        self._get(f"/api/records/{id}").respond_with_data(
            json.dumps(record | changes), content_type="application/json"
        )
        return doi

    def requests(self) -> list[str]:
        """The paths that were asked for since the last call."""
        found = [request.path for request, _ in self.server.log]
        self.server.clear_log()
        return found

    def _file(self, id: int, path: str, data: bytes) -> dict[str, Any]:
        place = f"/api/records/{id}/files/{quote(path)}/content"
        self._get(f"/api/records/{id}/files/{path}/content").respond_with_data(data)
        checksum = f"md5:{md5(data)}"
        links = {"self": self.url + place}
        return {"key": path, "size": len(data), "checksum": checksum, "links": links}

    def _get(self, path: str) -> Any:
        return self.server.expect_request(path, method="GET")
