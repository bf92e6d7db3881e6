"""Zenodo and other sites with InvenioRDM, in all shapes of their JSON (spec 10.1).

A request for the native type gets it from any record; the JSON is made by `zenodo_records`.
"""

from collections.abc import Mapping
from typing import ClassVar

from newsroom.repositories.dataset import Dataset, State
from newsroom.repositories.exchange import (
    Answer,
    Asked,
    file_answer,
    json_answer,
    redirect,
)
from newsroom.repositories.pages import gone_page, landing_page, missing_page, schema_org
from newsroom.repositories.platforms.platform import Platform, Refused, Route
from newsroom.repositories.platforms.zenodo_records import (
    CLOSED,
    HOST,
    RDM_HOST,
    SHAPES,
    api_of,
    base_of,
    hits,
    host_of,
    native,
    native_file,
    open_files,
    tombstone,
    url_of,
)

NATIVE = "application/vnd.inveniordm.v1+json"
LINKSET = "application/linkset+json"

_FEW = 10
_LIMITS = {"X-RateLimit-Limit": "133", "X-RateLimit-Remaining": "120"}


class Zenodo(Platform):
    """Records with numbers at Zenodo, and with other ids at a site of its own."""

    name = "zenodo"
    hosts = (HOST, RDM_HOST)
    options: ClassVar = {"ZENODO_URL": "http://zenodo.example"}
    robots = "User-agent: *\nDisallow: /search\nDisallow: /api/\nCrawl-delay: 10\n"

    def routes(self) -> Mapping[str, Route]:
        record = r"/api/records/([^/]+)"
        return {
            r"/record/([^/]+)": self._old_page,
            r"/doi/(10\..+)": self._by_doi,
            r"/records/([^/]+)": self._page,
            r"/api/records/?": self._search,
            record: self._record,
            rf"{record}/files": self._files,
            rf"{record}/files-archive": self._bundle,
            rf"{record}/versions": self._versions,
            rf"{record}/versions/latest": self._latest,
            rf"{record}/files/(.+)/content": self._content,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"{base_of(dataset)}/records/{dataset.id}"

    def registered(self, dataset: Dataset, doi: str) -> str:
        # The DOI of all versions is registered with the concept's number.
        is_concept = doi.lower() == dataset.concept_doi.lower()
        id = dataset.concept if is_concept else dataset.id
        return (
            f"{base_of(dataset)}/{'doi' if is_concept else 'records'}/{doi if is_concept else id}"
        )

    def missing(self, what: str = "") -> Answer:
        words = "The persistent identifier does not exist."
        return json_answer({"status": 404, "message": what or words}, 404)

    def _find(self, asked: Asked, id: str) -> Dataset:
        """The record of a request. Raises Refused."""
        found = self.catalogue.find(self.name, id)
        if found is None:
            versions = self.catalogue.versions(self.name, id)
            if not versions or host_of(versions[-1]) != asked.host:
                raise Refused(self.missing())
            target = asked.target.replace(f"/{id}", f"/{versions[-1].id}", 1)
            raise Refused(redirect(f"http://{asked.host}{target}"))
        if host_of(found) != asked.host or found.state is State.HIDDEN:
            raise Refused(self.missing())
        if found.state is State.GONE:
            raise Refused(tombstone(found))
        return found

    def _files_of(self, asked: Asked, id: str) -> Dataset:
        """The record, if its files are open. Raises Refused."""
        found = self._find(asked, id)
        if found.state in CLOSED:
            raise Refused(json_answer({"status": 403, "message": "Permission denied."}, 403))
        return found

    def _old_page(self, asked: Asked, id: str) -> Answer:
        return redirect(f"http://{asked.host}/records/{id}", 301)

    def _by_doi(self, _: Asked, doi: str) -> Answer:
        found = self.catalogue.by_doi(doi)
        return redirect(self.landing(found)) if found else missing_page("Zenodo")

    def _page(self, asked: Asked, id: str) -> Answer:
        try:
            found = self._find(asked, id)
        except Refused as refused:
            if refused.answer.status == 410:
                return gone_page("Zenodo", "The record you are trying to access was removed.")
            return refused.answer if refused.answer.status == 302 else missing_page("Zenodo")
        url = self.landing(found)
        linkset = f'<{api_of(found)}>; rel="linkset"; type="{LINKSET}"'
        cite = f'<https://doi.org/{found.doi}>; rel="cite-as"'
        items = [
            f'<{url_of(found, file)}>; rel="item"; type="{file.mimetype}"'
            for file in open_files(found)
        ]
        few = [cite, *items] if len(items) <= _FEW else []
        schema = schema_org(found, url, license=found.license)
        site = "Zenodo" if host_of(found) == HOST else "A site with InvenioRDM"
        return landing_page(
            found,
            url,
            site,
            generator="InvenioRDM",
            metas=[("dc.identifier", found.doi)],
            schema=schema,
            headers={"Link": ", ".join([*few, linkset]), **_LIMITS},
        )

    def _search(self, asked: Asked) -> Answer:
        here = [
            each
            for each in self.catalogue
            if each.platform == self.name and host_of(each) == asked.host
        ]
        return hits(here[: asked.number("size", 10)], len(here))

    def _record(self, asked: Asked, id: str) -> Answer:
        found = self._find(asked, id)
        if asked.wants(LINKSET):
            items = [
                {"href": url_of(found, file), "type": file.mimetype} for file in open_files(found)
            ]
            cite = [{"href": f"https://doi.org/{found.doi}"}]
            linkset = [{"anchor": self.landing(found), "item": items, "cite-as": cite}]
            return json_answer({"linkset": linkset}, content_type=LINKSET)
        if found.shape == "native" or asked.wants(NATIVE):
            return json_answer(native(found), headers=_LIMITS, content_type=NATIVE)
        return json_answer(SHAPES[found.shape](found), headers=_LIMITS)

    def _files(self, asked: Asked, id: str) -> Answer:
        found = self._files_of(asked, id)
        url = f"{api_of(found)}/files"
        return json_answer(
            {
                "enabled": bool(found.files),
                "links": {"self": url, "archive": f"{api_of(found)}/files-archive"},
                "entries": [native_file(found, file) for file in open_files(found)],
                "default_preview": None,
                "order": [],
            }
        )

    def _content(self, asked: Asked, id: str, key: str) -> Answer:
        found = self._files_of(asked, id)
        for file in found.files:
            if file.path == key:
                return file_answer(found, file, f'"md5:{file.content.hash("md5")}"')
        return self.missing(f"File with key {key} not found.")

    def _bundle(self, asked: Asked, id: str) -> Answer:
        return self.bundle_of(self._files_of(asked, id).files)

    def _versions(self, asked: Asked, id: str) -> Answer:
        found = self._find(asked, id)
        versions = self.catalogue.versions(self.name, found.concept) or [found]
        return hits(versions[::-1], len(versions))

    def _latest(self, asked: Asked, id: str) -> Answer:
        found = self._find(asked, id)
        newest = (self.catalogue.versions(self.name, found.concept) or [found])[-1]
        return redirect(api_of(newest))
