"""A chain of redirects: its current target and method, its next ones, and its cookies."""

import http.client
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.cookiejar import CookieJar
from types import SimpleNamespace
from typing import Any
from urllib import request as urllib_request

from indexer.errors import AddressRefused, BadResponse, BadURL, FetchError, TooManyRedirects
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching.bodies import RequestBody
from indexer.http.fetching.credentials import without_keys
from indexer.http.fetching.exchange import Request
from indexer.http.fetching.headers import Headers
from indexer.http.urls.target import Target

REDIRECTS = frozenset((301, 302, 303, 307, 308))
"""The statuses of answers that redirect."""

_MAX_COOKIE = 4096
_MAX_HEADER = 8192
_CONTROL = re.compile("[\x00-\x1f\x7f]")


def redirected_method(status: int, method: str) -> str:
    """The method of the request after a redirect (RFC 9110, 15.4).

    303 asks for a GET; 301 and 302 turn a POST into a GET, as all browsers do.
    """
    if method == "HEAD" or status in (307, 308):
        return method
    return "GET" if status == 303 or method == "POST" else method


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
            self._jar.extract_cookies(answer, urllib_request.Request(url))  # noqa: S310 - nothing is opened

    def header(self, url: str) -> str:
        """The Cookie header for `url`; "" if there is none."""
        if self._jar is None:
            return ""
        asked = urllib_request.Request(url)  # noqa: S310 - nothing is opened
        self._jar.add_cookie_header(asked)
        value = asked.get_header("Cookie") or ""
        return value if len(value) <= _MAX_HEADER else ""


class Chain:
    """Follows `Location` headers, one by one; `check` is called with each URL before it is visited.

    Redirects by `meta refresh` and by scripts are not followed. `body` is the body of the current
    request, None if it has none.
    """

    def __init__(self, request: Request, limit: int) -> None:
        """Raises BadURL."""
        self.target = Target.parse(request.url)
        self.method = request.method
        self.body = None if request.body is None else RequestBody(request.body)
        self.redirects: list[str] = []
        self._limit = limit
        self._check = request.check
        self._auth = request.auth
        self._cookies = Cookies()
        # A site may redirect to the same URL once more, with a cookie or with another method.
        self._been = {(self.method, self.target.url, "")}

    @property
    def cookie(self) -> dict[str, str]:
        """The Cookie header for the target, if there is one."""
        value = self._cookies.header(self.target.url)
        return {"Cookie": value} if value else {}

    def goes_on(self, status: int, headers: Headers) -> bool:
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
        self._change_method(status)
        self.redirects.append(self.target.url)
        self.target = target
        been = (self.method, target.url, self._cookies.header(target.url))
        if been in self._been:
            raise TooManyRedirects(f"a redirect loop, back to {target.url}")
        self._been.add(been)
        return True

    def _change_method(self, status: int) -> None:
        method = redirected_method(status, self.method)
        if method != self.method:
            self.method, self.body = method, None
        elif self.body is not None and not self.body.can_repeat:
            raise FetchError(
                f"HTTP {status}: the body of the request can't be sent again",
                "badredir",
                FetchFailure.VALUE,
            )

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
            return without_keys(self._auth, self.target.follow(different.pop()))
        except BadURL as error:
            raise FetchError(
                f"redirect to a bad URL: {error}", "badredir2", FetchFailure.URL
            ) from error
