"""Cookies of one chain of redirects: without them some sites redirect for ever (stories.md 6.3)."""

import http.client
import re
from collections.abc import Sequence
from http.cookiejar import CookieJar
from types import SimpleNamespace
from typing import Any
from urllib.request import Request

_MAX_COOKIE = 4096
_MAX_HEADER = 8192
_CONTROL = re.compile("[\x00-\x1f\x7f]")


class Cookies:
    """Keeps the cookies of a chain's answers for its next requests; a site gets only its own."""

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
