"""Landing pages from the web archive; Save Page Now captures those that it lacks (spec 3.2, 3.3).

URL → captures of it and of all redirects → none, or an old failure: Save Page Now → Resource
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from indexer.errors import FilesetError
from indexer.filesets.landing.body import MAX_BODY, page_body
from indexer.filesets.landing.resource import Resource
from indexer.filesets.wayback.archive import NO_CAPTURE, Trail, WebArchive, saved_error
from indexer.filesets.wayback.replay import captured_headers
from indexer.filesets.wayback.rows import CDXRow

OUTDATED: Final = "2019"
"""A failure that was captured before this year is worth a new capture."""

_HTML = "text/html"
_ARXIV = "//arxiv.org/pdf/"


class ArchivedPages:
    """The pages of a web archive."""

    def __init__(self, archive: WebArchive, check: Callable[[str], None]) -> None:
        """`check` raises FilesetError for URLs that must not be the last of a chain."""
        self._archive = archive
        self._check = check

    def fetch(self, url: str, when: str, *, fresh: bool = False) -> Resource:
        """The captured page, with a `problem` if it can't be used.

        `when` is the time of a page without a capture. `fresh`: a new capture is wanted.
        """
        found = None if fresh else self._found(url, when)
        if found and not (self._archive.can_save and _is_outdated(found)):
            return found
        if not self._archive.can_save:
            return Resource([url], url, when, problem=NO_CAPTURE, message="no new captures")
        trail = self._archive.save(url, _HTML)
        resource = self._resource(trail, when)
        error = saved_error(FilesetError(resource.problem, resource.message))
        return replace(resource, problem=error.status)

    def _found(self, url: str, when: str) -> Resource:
        # The page of an article names its data; the PDF does not.
        if _ARXIV in url and url.endswith(".pdf"):
            found = self._resource(self._archive.find(url.removesuffix(".pdf"), _HTML), when)
            if not found.problem:
                return replace(found, hops=[url, *found.hops])
        return self._resource(self._archive.find(url, _HTML), when)

    def _resource(self, trail: Trail, when: str) -> Resource:
        row = trail.row
        resource = Resource(
            trail.hops,
            trail.hops[-1],
            row.datetime if row else when,
            (row.status_code or 200) if row else 0,
            cdx=row.facts if row else None,
            revisit_cdx=trail.revisit.facts if trail.revisit else None,
        )
        try:
            if trail.error or row is None:
                raise trail.error or FilesetError(NO_CAPTURE)
            return self._read(resource, row)
        except FilesetError as error:
            return replace(resource, problem=error.status, message=error.why)

    def _read(self, resource: Resource, row: CDXRow) -> Resource:
        self._check(resource.terminal_url)
        response = self._archive.replay.page(row, MAX_BODY)
        headers = captured_headers(response)
        return replace(
            resource,
            headers=headers,
            content_type=headers.get("content-type", ""),
            body=page_body(response),
        )


def _is_outdated(resource: Resource) -> bool:
    is_old = bool(resource.problem) and resource.terminal_dt < OUTDATED
    return is_old or resource.problem == NO_CAPTURE
