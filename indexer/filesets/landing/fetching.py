"""Fetches the landing page of a dataset: a URL in, a Resource out, also for every failure.

clean URL → blocklist → the DOI's resolver → GET, all hops kept → blocklists of the last URL
          → or the captures of the web archive, likewise
          → status, type, size and packing of the body → Resource
          → a DOI that did not resolve: its registered URL, by the DOI API, is kept as a hop
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from indexer.errors import FetchError, FilesetError
from indexer.filesets.landing.archived import ArchivedPages
from indexer.filesets.landing.blocklists import Blocklists
from indexer.filesets.landing.body import MAX_BODY, PAGE_TYPES, page_body
from indexer.filesets.landing.cleaning import clean_url
from indexer.filesets.landing.doi import doi_of, handle_api
from indexer.filesets.landing.options import LandingOptions
from indexer.filesets.landing.resource import Resource
from indexer.filesets.wayback.archive import MAX_HOPS, WebArchive
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching.client import Client
from indexer.http.fetching.exchange import Request, Response
from indexer.http.fetching.recording import Record
from indexer.http.json_service import json_of
from indexer.http.urls.parts import host_of, is_within
from indexer.text.dates import utc_now

_MAX_API_BYTES = 1_000_000

STATUS_OF_FAILURE: Final = {
    FetchFailure.UNKNOWN_HOST: "invalid-host-resolution",
    FetchFailure.LOOK_UP_NOW: "invalid-host-resolution",
    FetchFailure.LOOK_UP: "invalid-host-resolution",
    FetchFailure.CONNECT_TIMEOUT: "gateway-timeout",
    FetchFailure.PROXY: "gateway-timeout",
    FetchFailure.READ_TIMEOUT: "read-timeout",
    FetchFailure.DEADLINE: "read-timeout",
    FetchFailure.URL: "invalid-url",
    FetchFailure.VALUE: "invalid-url",
    # Private addresses are a part of the blocklist of spec 3.1; our client checks them.
    FetchFailure.ADDRESS: "skip-url-blocklist",
    FetchFailure.SIZE: "body-too-large",
    FetchFailure.REDIRECTS: "redirect-loop",
}
"""The status of a page that could not be fetched; `no-capture` for all other failures."""

_ARCHIVE = ("archive.org",)
_BAD_REDIRECTS = ("badredir", "badredir2")


class LandingPages:
    """Fetches landing pages with a client, which limits time and checks addresses."""

    def __init__(
        self,
        client: Client,
        options: LandingOptions,
        *,
        archive: WebArchive | None = None,
        record: Record | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """`archive`: where pages come from, if not from their sites.

        `record` gets each exchange, as evidence. Raises ConfigurationError.
        """
        self._client = client
        self._resolver = options.doi_url
        self._blocklists = Blocklists(options)
        self._archived = ArchivedPages(archive, self._blocklists.check_after) if archive else None
        self._record = record
        self._now = now

    def fetch(self, base_url: str, *, fresh: bool = False) -> Resource:
        """The page of a dataset, with a `problem` if it can't be used.

        `fresh`: captures of earlier times don't count. Raises FilesetError (`invalid-url`,
        `skip-url-blocklist`, `not-implemented`) if nothing may be fetched.
        """
        url = clean_url(base_url)
        if "://web.archive.org/web/" in url:
            raise FilesetError("not-implemented", "a page of the web archive is no source")
        self._blocklists.check_before(url)
        if self._archived:
            resource = self._captured(self._archived, url, fresh=fresh)
        else:
            resource = self._fetched(url)
        doi = doi_of(url)
        if doi and resource.problem and len(resource.hops) == 1:
            resource.hops.extend(self._registered(doi))
        return resource

    def _captured(self, pages: ArchivedPages, url: str, *, fresh: bool) -> Resource:
        if is_within(host_of(url) or "", _ARCHIVE):
            raise FilesetError("not-implemented", "archive.org is not looked up in the web archive")
        found = pages.fetch(self._resolved(url), self._time, fresh=fresh)
        found.hops[0] = url
        return found

    def _fetched(self, url: str) -> Resource:
        hops = [url]
        when = self._time
        try:
            response = self._client.ask(
                Request(
                    url=self._resolved(url),
                    check=lambda target: _add_hop(hops, target),
                    wanted=lambda head: head.status == 200 and _type(head) in PAGE_TYPES,
                    max_bytes=MAX_BODY,
                    max_redirects=MAX_HOPS + 1,
                    record=self._record,
                )
            )
            found = self._resource(response, hops, when)
            self._blocklists.check_after(found.terminal_url)
            return found
        except FilesetError as error:
            return Resource(hops, hops[-1], when, problem=error.status, message=error.why)
        except FetchError as error:
            return Resource(hops, hops[-1], when, problem=_status(error), message=str(error))

    @property
    def _time(self) -> str:
        return self._now().strftime("%Y%m%d%H%M%S")

    def _resolved(self, url: str) -> str:
        """The URL of a DOI at our resolver; all others as they are."""
        doi = doi_of(url)
        return f"{self._resolver}/{doi}" if doi else url

    def _resource(self, response: Response, hops: list[str], when: str) -> Resource:
        body, problem, message = b"", "", ""
        try:
            body = page_body(response)
        except FilesetError as error:
            problem, message = error.status, error.why
        return Resource(
            hops,
            hops[-1],
            when,
            response.status,
            {name.lower(): value for name, value in response.headers.items()},
            response.headers.get("content-type", ""),
            body,
            problem,
            message,
        )

    def _registered(self, doi: str) -> list[str]:
        """The URL at which a DOI is registered, by the DOI API; [] if there is none."""
        request = Request(
            url=handle_api(self._resolver, doi),
            accept="application/json",
            max_bytes=_MAX_API_BYTES,
            record=self._record,
        )
        try:
            found = json_of(self._client.ask(request).body)
        except FetchError:
            return []
        return _urls_of_handle(found)


def _add_hop(hops: list[str], target: str) -> None:
    if len(hops) > MAX_HOPS:
        raise FilesetError("redirects-exceeded", f"more than {MAX_HOPS} redirects")
    hops.append(target)


def _type(response: Response) -> str:
    return response.media_type or ""


def _status(error: FetchError) -> str:
    if error.status in _BAD_REDIRECTS:
        return "bad-redirect"
    try:
        return STATUS_OF_FAILURE.get(FetchFailure(error.failure), "no-capture")
    except ValueError:
        return "no-capture"


def _urls_of_handle(answer: object) -> list[str]:
    """The URLs in an answer of the handle API: `values[{type: "URL", data: {value}}]`."""
    values = answer.get("values") if isinstance(answer, dict) else None
    found: list[str] = []
    for each in values if isinstance(values, list) else ():
        data = each.get("data") if isinstance(each, dict) and each.get("type") == "URL" else None
        value = data.get("value") if isinstance(data, dict) else None
        if isinstance(value, str):
            found.append(value)
    return found
