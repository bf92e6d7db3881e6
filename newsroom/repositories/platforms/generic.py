"""A repository without an API of its own: its pages declare their files (spec 10.10).

The shapes of a dataset: `schema-org`, `signposting` (links in the header), `linkset`.
"""

from collections.abc import Mapping

from newsroom.repositories.dataset import Dataset, File
from newsroom.repositories.exchange import (
    HTML,
    Answer,
    Asked,
    answer,
    json_answer,
    quoted,
)
from newsroom.repositories.pages import landing_page, schema_org
from newsroom.repositories.platforms.platform import Platform, Route

HOST = "repository.example"
LINKSET = "application/linkset+json"


class Generic(Platform):
    """Pages that declare files, and one that does not."""

    name = "generic"
    hosts = (HOST,)

    def routes(self) -> Mapping[str, Route]:
        return {
            r"/set/([^/]+)": self._page,
            r"/set/([^/]+)/linkset": self._linkset,
            r"/set/([^/]+)/file/(.+)": self._bytes,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://{HOST}/set/{dataset.id}"

    def missing(self, what: str = "") -> Answer:
        return answer(f"<h1>Nothing here</h1><p>{what}</p>\n", HTML, 404)

    def _page(self, _: Asked, id: str) -> Answer:
        found = self.found(id)
        url = self.landing(found)
        schema = None
        links = [f'<https://doi.org/{found.doi}>; rel="cite-as"', '<http://s.example/>; rel="type"']
        if found.shape == "schema-org":
            files = [_distribution(found, file) for file in found.files]
            schema = schema_org(found, url, distribution=files)
        elif found.shape == "signposting":
            links += [
                f'<{_url(found, file)}>; rel="item"; type="{file.mimetype}"' for file in found.files
            ]
        elif found.shape == "linkset":
            links.append(f'<{url}/linkset>; rel="linkset"; type="{LINKSET}"')
        headers = {"Link": ", ".join(links)}
        return landing_page(found, url, HOST, schema=schema, headers=headers)

    def _linkset(self, _: Asked, id: str) -> Answer:
        found = self.found(id)
        items = [{"href": _url(found, file), "type": file.mimetype} for file in found.files]
        linkset = [{"anchor": self.landing(found), "item": items}]
        return json_answer({"linkset": linkset}, content_type=LINKSET)

    def _bytes(self, _: Asked, id: str, path: str) -> Answer:
        return self.bytes_of(self.found(id), path)


def _url(dataset: Dataset, file: File) -> str:
    return f"http://{HOST}/set/{dataset.id}/file/{quoted(file.path)}"


def _distribution(dataset: Dataset, file: File) -> dict[str, str]:
    return {
        "@type": "DataDownload",
        "contentUrl": _url(dataset, file),
        "contentSize": f"{file.size} bytes",
        "encodingFormat": file.mimetype,
        "name": file.name,
        "sha256": file.content.hash("sha256"),
    }
