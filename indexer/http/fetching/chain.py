"""A chain of redirects: its current target, its next target, and its cookies."""

import http.client
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.cookiejar import CookieJar
from types import SimpleNamespace
from typing import Any
from urllib.request import Request

from urllib3 import HTTPHeaderDict

from indexer.errors import AddressRefused, BadResponse, BadURL, FetchError, TooManyRedirects
from indexer.http.fetching.failures import FetchFailure
from indexer.http.urls.target import Target

REDIRECTS = frozenset((301, 302, 303, 307, 308))
"""The statuses of answers that redirect."""

_MAX_COOKIE = 4096
_MAX_HEADER = 8192
_CONTROL = re.compile("[\x00-\x1f\x7f]")


class Cookies:
    """Keeps the cookies of a chain's answers for its next requests; a site gets only its own.

    Without cookies some sites redirect for ever (stories.md 6.3).
    """

    def __init__(self) -> None:
        self._jar: CookieJar | None = None

    def keep(self, url: str, set_cookie: Sequence[str]) -> None:
        """Keep the Set-Cookie headers of an answer to `url`."""
        # CookieJar applies the rules of domains and paths; it wants objects of urllib.
        message = http.client.HTTPMessage()
        for value in set_cookie:
            if len(value) <= _MAX_COOKIE and not _CONTROL.search(value):
                message["Set-Cookie"] = value
        if message:
            self._jar = self._jar or CookieJar()
            answer: Any = SimpleNamespace(info=lambda: message)
            self._jar.extract_cookies(answer, Request(url))  # noqa: S310 - nothing is opened

    def header(self, url: str) -> str:
        """The Cookie header for `url`; "" if there is none."""
        if self._jar is None:
            return ""
        request = Request(url)  # noqa: S310 - nothing is opened
        self._jar.add_cookie_header(request)
        value = request.get_header("Cookie") or ""
        return value if len(value) <= _MAX_HEADER else ""


class Chain:
    """Follows `Location` headers, one by one; `check` is called with each URL before it is visited.

    Redirects by `meta refresh` and by scripts are not followed.
    """

    def __init__(self, url: str, limit: int, check: Callable[[str], None] | None = None) -> None:
        """Raises BadURL."""
        self.target = Target.parse(url)
        self.redirects: list[str] = []
        self._limit = limit
        self._check = check
        self._cookies = Cookies()
        # A site may redirect to the same URL once more, with a cookie.
        self._been = {(self.target.url, "")}

    @property
    def cookie(self) -> dict[str, str]:
        """The Cookie header for the target, if there is one."""
        value = self._cookies.header(self.target.url)
        return {"Cookie": value} if value else {}

    def goes_on(self, status: int, headers: HTTPHeaderDict) -> bool:
        """Whether an answer redirects; if so, `target` is the next URL afterwards.

        Raises FetchError (`badredir`, `badredir2`), TooManyRedirects, and any exception of `check`.
        """
        if status not in REDIRECTS:
            return False
        self._cookies.keep(self.target.url, headers.getlist("set-cookie"))
        target = self._next(status, headers.getlist("location"))
        if len(self.redirects) >= self._limit:
            raise TooManyRedirects(f"more than {self._limit} redirects")
        if self._check is not None:
            self._check(target.url)
        self.redirects.append(self.target.url)
        self.target = target
        been = (target.url, self._cookies.header(target.url))
        if been in self._been:
            raise TooManyRedirects(f"a redirect loop, back to {target.url}")
        self._been.add(been)
        return True

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        """Adds "redirect to" to the errors of a host to which a redirect led.

        A connection error there is a BadResponse: the site of the link itself did answer.
        """
        try:
            yield
        except FetchError as error:
            if not self.redirects:
                raise
            kind = AddressRefused if isinstance(error, AddressRefused) else BadResponse
            raise kind(f"redirect to {error}", error.status, error.failure) from error

    def _next(self, status: int, locations: list[str]) -> Target:
        # Several equal headers are one: some proxies repeat them.
        different = {location.strip() for location in locations} - {""}
        if len(different) != 1:
            what = "different Locations" if different else "no Location"
            raise FetchError(f"HTTP {status} with {what}", "badredir", FetchFailure.URL)
        try:
            return self.target.follow(different.pop())
        except BadURL as error:
            raise FetchError(
                f"redirect to a bad URL: {error}", "badredir2", FetchFailure.URL
            ) from error
