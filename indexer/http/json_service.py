"""A server of the operator's own that answers in JSON: an rss-fetcher, a directory, a broker's API.

The operator gives its address, so a private address is allowed, and a user and a password may be in
its URL. Time and size of an answer are limited, and redirects are not followed.
"""

import base64
import http.client
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import unquote

from indexer.errors import BadURL, ConfigurationError, FetchError, InputError, TooLarge
from indexer.http import bounded_requests
from indexer.http.bounded_requests import AnswerLimits, BoundedAnswer
from indexer.http.politeness import retry_after
from indexer.http.urls.parts import split
from indexer.http.urls.target import Target
from indexer.text.cleaning import one_line

MESSAGE_LENGTH = 200

# The fields of an error's answer that explain the error.
_SAYING = ("message", "detail", "reason", "note", "error")


class Unavailable(InputError):
    """The server can't answer now, but may soon.

    `wait`: the seconds of the answer's Retry-After.
    """

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class Missing(InputError):
    """The server has nothing at this path."""


class Advice(NamedTuple):
    """Parts of error messages that name the options to check."""

    url: str
    """The option with the server's URL."""
    refused: str
    """The advice if the server refuses the credentials."""
    too_large: str
    """The advice if an answer is too large."""


class JSONService:
    """A client of one server. `server` is its host, with its port unless that is the default."""

    def __init__(
        self,
        name: str,
        url: str,
        limits: AnswerLimits,
        advice: Advice,
        *,
        authorization: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`name`: the kind of server, for messages. `authorization` is a header's value.

        Raises ConfigurationError.
        """
        self._base, user = _base(url, advice.url)
        if user and authorization:
            raise ConfigurationError(f"{advice.url}: a user in the URL, and other credentials")
        self._headers = {"Accept": "application/json", "Accept-Encoding": "gzip", **(headers or {})}
        if authorization := authorization or user:
            self._headers["Authorization"] = authorization
        self._limits = limits
        self._advice = advice
        self.server = self._base.origin.partition("://")[2]
        self._name = f"{name} {self.server}"

    def url(self, path: str) -> str:
        """The URL of a path, which begins with a slash, below the URL of the server."""
        return f"{self._base.origin}{self._base.path.rstrip('/')}{path}"

    def get(self, path: str) -> bytes:
        """The body of an answer with the status 200.

        Raises Unavailable if a later request may succeed, InputError if it can't, Missing for 404,
        and ConfigurationError if the server or a proxy refuses the credentials.
        """
        with self.named_errors():
            return self._body(self._answer(path))

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        """Adds the name of the server to errors."""
        try:
            yield
        except Unavailable as error:
            raise Unavailable(f"{self._name}: {error}", error.wait) from error
        except (InputError, ConfigurationError) as error:
            raise type(error)(f"{self._name}: {error}") from error

    def _answer(self, path: str) -> BoundedAnswer:
        """The whole answer to a GET, whatever its status."""
        try:
            return bounded_requests.get(self.url(path), self._headers, self._limits)
        except TooLarge as error:
            most = self._limits.max_bytes
            raise InputError(
                f"an answer of more than {most} bytes: {self._advice.too_large}"
            ) from error
        except FetchError as error:
            raise Unavailable(str(error).removeprefix(f"{self._base.host}: ")) from error

    def _body(self, answer: BoundedAnswer) -> bytes:
        """The body, if the status is 200. Raises like `get`."""
        if answer.status == http.client.OK:
            return answer.body
        what = f"HTTP {answer.status}{explanation(answer.body)}"
        if answer.status in (http.client.UNAUTHORIZED, http.client.FORBIDDEN):
            raise ConfigurationError(f"{what}: {self._advice.refused}")
        if is_busy(answer.status):
            raise Unavailable(what, retry_after(answer.headers.get("retry-after"), time.time()))
        if 300 <= answer.status < 400:
            to = one_line(answer.headers.get("location", ""), MESSAGE_LENGTH) or "nowhere"
            option = self._advice.url
            raise InputError(f"{what}: it redirects to {to}; set {option} to the final URL")
        if answer.status == http.client.NOT_FOUND:
            raise Missing(what)
        raise InputError(what)


def is_busy(status: int) -> bool:
    """Whether the same request may succeed later."""
    return status == http.client.TOO_MANY_REQUESTS or status >= 500


def json_of(body: bytes) -> object:
    """The JSON value of a body; None if it is no JSON. Broken UTF-8 is replaced."""
    try:
        found: object = json.loads(body.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    return found


def explanation(body: bytes) -> str:
    """The explanation in an error's answer, in parentheses, to follow its status."""
    found = json_of(body)
    texts = [found.get(name) for name in _SAYING] if isinstance(found, dict) else []
    message = next((each for each in texts if isinstance(each, str) and each), "")
    message = one_line(message, MESSAGE_LENGTH)
    return f" ({message})" if message else ""


def basic(user: str, password: str) -> str:
    """The value of an Authorization header (RFC 7617)."""
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode("ascii")


def _base(url: str, option: str) -> tuple[Target, str]:
    """The URL of the server, and the Authorization for its user. Errors don't quote the URL."""
    authorization = ""
    if (parts := split(url)) is not None and "@" in parts.authority:
        credentials = parts.authority.rpartition("@")[0]
        user, _, password = credentials.partition(":")
        authorization = basic(unquote(user), unquote(password))
        url = url.replace(f"{credentials}@", "", 1)
    try:
        base = Target.parse(url)
    except BadURL as error:
        raise ConfigurationError(f"{option}: {error}") from error
    if "?" in url or "#" in url:
        raise ConfigurationError(f"{option}: the URL must not have a ? or #")
    return base, authorization
