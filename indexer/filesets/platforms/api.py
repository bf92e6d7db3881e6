"""Calls to the APIs of platforms: retries, rate limits, pages, and the statuses of errors.

call → the host's turn (`HostTurns`) → GET → 2xx: JSON
                                           → 404, 410, 401, 403: a status
                                           → 429: again in the next turn, or a status
                                           → 5xx, no answer: again after a pause, or a status
"""

import random
import time
from collections.abc import Callable, Collection, Iterator
from datetime import datetime

from indexer.errors import AddressRefused, BadURL, FetchError, FilesetError, TooLarge
from indexer.filesets.host_turns import is_limit, reset_in
from indexer.filesets.platform_options import PlatformOptions
from indexer.filesets.platforms.answers import JSONValue
from indexer.filesets.platforms.credentials import Ask, platform_credentials
from indexer.http.fetching.exchange import Request, Response
from indexer.http.fetching.recording import Record
from indexer.http.json_service import explanation
from indexer.text.cleaning import one_line
from indexer.text.dates import utc_now

JSON = "application/json"
WAF = "x-amzn-waf-action"
"""The header of a web firewall that sends a challenge for browsers in place of an answer."""

_FIRST_PAUSE = 1.0
_FEW_TRIES = 2
_MAX_TEXT = 300


class PlatformAPI:
    """Asks the APIs of platforms by a client that keeps to the turns of their hosts."""

    def __init__(
        self,
        ask: Ask,
        options: PlatformOptions,
        *,
        record: Record | None = None,
        now: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`record` gets each exchange, as evidence."""
        self.options = options
        self._ask = ask
        self._record = record
        self._now = now
        self._sleep = sleep
        self.auth = platform_credentials(ask, options, now)

    @property
    def today(self) -> str:
        """The date, as platforms write it: 2026-01-31."""
        return self._now().date().isoformat()

    def get(self, url: str, accept: str = JSON, private: Collection[int] = (401, 403)) -> JSONValue:
        """The JSON answer to a GET. `private`: the statuses by which a restriction is told.

        Raises FilesetError with the status that any other answer means.
        """
        response = self.ask(url, accept, private)
        return JSONValue.read(response.body, _place(response.url))

    def ask(self, url: str, accept: str, private: Collection[int] = (401, 403)) -> Response:
        """The successful answer to a GET, of any type. Raises FilesetError as `get` does."""
        response = self._response(url, accept, max(1, self.options.api_tries))
        self._check(response, private)
        return response

    def found(self, url: str) -> JSONValue | None:
        """The JSON answer to a GET; None if there is none, so that another call can be tried.

        A host that may have no such API is not asked again and again. Raises FilesetError if the
        host limits our rate.
        """
        try:
            response = self._response(url, JSON, _FEW_TRIES)
            self._check(response, ())
            return JSONValue.read(response.body, _place(response.url))
        except FilesetError as error:
            if error.status == "platform-rate-limited":
                raise
            return None

    def pages(self, url: str, size: int, *, first: int = 1) -> Iterator[JSONValue]:
        """The entries of a list in pages: `page` and `page_size` are added to the URL."""
        mark = "&" if "?" in url else "?"
        for page in range(first, first + self.options.max_manifest // size + 1):
            entries = self.get(f"{url}{mark}page={page}&page_size={size}&per_page={size}").items
            yield from entries
            if len(entries) < size:
                return

    def linked(self, url: str, next_url: Callable[[JSONValue], str]) -> Iterator[JSONValue]:
        """The pages of a list, each of which names the next one's URL, or "". Each once."""
        seen: set[str] = set()
        while url and url not in seen and len(seen) < self.options.max_manifest:
            seen.add(url)
            page = self.get(url)
            yield page
            url = next_url(page)

    def _response(self, url: str, accept: str, most: int) -> Response:
        """The first answer that is no reason to try again, of `most` tries. Raises FilesetError."""
        for tries in range(1, most + 1):
            try:
                response = self._ask(self._request(url, accept))
            except (AddressRefused, BadURL, TooLarge) as error:
                raise FilesetError("platform-error", str(error)) from error
            except FetchError as error:
                if tries == most:
                    raise FilesetError("platform-error", f"{_place(url)}: {error}") from error
                self._pause(tries)
                continue
            if is_limit(response):
                continue
            if response.status < 500 and WAF not in response.headers:
                return response
            if tries < most and self._reset(response) is None:
                self._pause(tries)
        raise self._exhausted(response)

    def _request(self, url: str, accept: str) -> Request:
        return Request(
            url=url,
            accept=accept,
            auth=self.auth,
            # Errors are explained in their bodies.
            wanted=lambda _: True,
            max_bytes=self.options.api_bytes,
            seconds=self.options.api_timeout,
            record=self._record,
        )

    def _reset(self, response: Response) -> float | None:
        """The seconds that an answer asks to wait, if it does."""
        return reset_in(response.headers, self._now().timestamp())

    def _pause(self, tries: int) -> None:
        """Sleep longer after each try."""
        # Clients that failed together should not come back together.
        self._sleep(_FIRST_PAUSE * 2 ** (tries - 1) * random.uniform(0.5, 1.5))  # noqa: S311 - no secret

    def _exhausted(self, response: Response) -> FilesetError:
        why = f"{_place(response.url)}: HTTP {response.status}{explanation(response.body)}"
        if is_limit(response):
            return FilesetError("platform-rate-limited", why, self._reset(response))
        if WAF in response.headers:
            why += ": a web firewall wants a browser"
        return FilesetError("platform-error", why)

    def _check(self, response: Response, private: Collection[int]) -> None:
        """Raise FilesetError with the status of an answer that is no success."""
        if 200 <= response.status < 300:
            return
        why = f"{_place(response.url)}: HTTP {response.status}{explanation(response.body)}"
        match response.status:
            case 404:
                raise FilesetError("platform-404", why)
            case status if status in private:
                raise FilesetError("platform-restricted", why)
            case 410:
                gone = "platform-gone" if self.options.report_gone else "platform-restricted"
                raise FilesetError(gone, f"{why}{_removal(response)}")
            case _:
                raise FilesetError("platform-http-error", why)


def _removal(response: Response) -> str:
    """The reason and the date of a removal, as InvenioRDM explains them."""
    try:
        tombstone = JSONValue.read(response.body, "tombstone")["tombstone"]
    except FilesetError:
        return ""
    reason = tombstone["removal_reason"]
    texts = [reason["id"].text or reason.text, tombstone["note"].text]
    date = tombstone["removal_date"].text
    said = [one_line(text, _MAX_TEXT) for text in [*texts, f"removed {date}" if date else ""]]
    return f": {', '.join(filter(None, said))}" if any(said) else ""


def _place(url: str) -> str:
    return one_line(url.partition("://")[2].partition("?")[0], _MAX_TEXT)
