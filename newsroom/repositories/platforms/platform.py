"""The part that all imitation platforms share: routes, landing pages, refusals."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar
from urllib.parse import unquote

from newsroom.repositories.bundles import zipped
from newsroom.repositories.catalogue import Catalogue
from newsroom.repositories.dataset import Dataset, File, State
from newsroom.repositories.exchange import Answer, Asked, answer, file_answer, json_answer
from newsroom.repositories.pages import landing_page, missing_page, schema_org

_MOST_PACKED = 1 << 26

Route = Callable[..., Answer]
"""Gets the request and the decoded groups of the route's pattern."""


class Refused(Exception):
    """Ends a route with an answer that says why there is nothing else."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


class Platform:
    """Answers the requests to the hosts of a platform.

    `options` are the options that tell a product where the platform is.
    """

    name: ClassVar[str] = ""
    hosts: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[Mapping[str, str]] = {}
    robots: ClassVar[str] = "User-agent: *\nDisallow: /login\nDisallow: /search\n"

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        routes = {"/robots.txt": self._robots, **self.routes()}
        self._routes = [(re.compile(pattern), route) for pattern, route in routes.items()]

    def routes(self) -> Mapping[str, Route]:
        """The route of each pattern: of a PATH on any host, HOST/PATH, METHOD PATH, and so on."""
        raise NotImplementedError

    def landing(self, dataset: Dataset) -> str:
        """The URL of the page at which the DOI of a dataset is registered."""
        raise NotImplementedError

    def registered(self, dataset: Dataset, _doi: str) -> str:
        """The URL that a DOI leads to: that of all versions may lead to another page."""
        return self.landing(dataset)

    def missing(self, what: str = "") -> Answer:
        """The platform's answer for what it doesn't have."""
        return json_answer({"status": 404, "message": what or "Not found."}, 404)

    def answer(self, asked: Asked) -> Answer:
        """The answer to a request."""
        method = "" if asked.method in ("GET", "HEAD") else f"{asked.method} "
        places = (f"{method}{asked.path}", f"{method}{asked.host}{asked.path}")
        for pattern, route in self._routes:
            for place in places:
                if found := pattern.fullmatch(place):
                    groups = (unquote(each or "") for each in found.groups())
                    try:
                        return route(asked, *groups)
                    except Refused as refused:
                        return refused.answer
        return self.missing()

    def found(self, id: str, version: str = "") -> Dataset:
        """The dataset of an id. Raises Refused."""
        dataset = self.catalogue.find(self.name, id, version)
        if dataset is None or dataset.state is State.HIDDEN:
            raise Refused(self.missing())
        return dataset

    def bytes_of(self, dataset: Dataset, path: str) -> Answer:
        """The bytes of a file. Raises Refused."""
        for file in dataset.files:
            if file.path == path:
                return file_answer(dataset, file)
        raise Refused(self.missing(f"File with key {path} not found."))

    def bytes_by_id(self, number: str) -> Answer:
        """The bytes of a file with a number of `file_id`. Raises Refused."""
        found = self.catalogue.by_file_id(self.name, number)
        if found is None:
            raise Refused(self.missing("file"))
        return file_answer(*found)

    def bundle_of(self, files: Sequence[File], *others: tuple[str, bytes]) -> Answer:
        """A zip of files, and of other members. Raises Refused if it doesn't fit into memory."""
        if sum(file.size for file in files) > _MOST_PACKED:
            raise Refused(json_answer({"status": 413, "message": "The files are too large."}, 413))
        members = [(file.path, file.content.whole()) for file in files]
        return answer(zipped([*members, *others]), "application/zip")

    def page_of(self, dataset: Dataset | None, site: str) -> Answer:
        """A page with no more than the common metadata."""
        if dataset is None or dataset.state is State.HIDDEN:
            return missing_page(site)
        url = self.landing(dataset)
        return landing_page(dataset, url, site, schema=schema_org(dataset, url))

    def _robots(self, _: Asked) -> Answer:
        return answer(self.robots, "text/plain")
