"""A server of the operator's own that answers in JSON: an rss-fetcher, a directory of feeds.

The operator gives its address, so a private address is allowed. Time and size of an answer are
limited, redirects are not followed, and the environment is not read: no proxies, no .netrc.
"""

import http.client
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from indexer.errors import BadURL, ConfigurationError, FetchError, InputError, TooLarge
from indexer.http.fetching import Client, FetchOptions, Request, Response
from indexer.http.politeness import retry_after
from indexer.http.urls.addresses import EVERY_ADDRESS
from indexer.http.urls.target import Target
from indexer.text.cleaning import one_line

MESSAGE_LENGTH = 200

# The fields of an error's answer that explain the error.
_SAYING = ("message", "detail", "note")


class Unavailable(InputError):
    """The server can't answer now, but may soon.

    `wait`: the seconds of the answer's Retry-After.
    """

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class AnswerLimits(NamedTuple):
    """The limits of one answer: seconds to connect, without a byte and in all; bytes."""

    connect: float
    read: float
    total: float
    max_bytes: int


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
        self, name: str, url: str, headers: Mapping[str, str], limits: AnswerLimits, advice: Advice
    ) -> None:
        """`name`: the kind of server, for messages. Raises ConfigurationError."""
        self._base = _base(url, advice.url)
        self._headers = {"Accept": "application/json", "Accept-Encoding": "gzip", **headers}
        self._max_bytes = limits.max_bytes
        self._advice = advice
        # Constructed without the environment, whose variables are those of the fetchers.
        options = FetchOptions.model_construct(
            allow_address=EVERY_ADDRESS,
            connect_timeout=limits.connect,
            read_timeout=limits.read,
            total_timeout=limits.total,
            max_html_bytes=limits.max_bytes,
            max_encoded_bytes=limits.max_bytes,
        )
        self._client = Client(options)
        self.server = self._base.origin.partition("://")[2]
        self._name = f"{name} {self.server}"

    def url(self, path: str) -> str:
        """The URL of a path, which begins with a slash, below the URL of the server."""
        return f"{self._base.origin}{self._base.path.rstrip('/')}{path}"

    def get(self, path: str) -> bytes:
        """The body of an answer with the status 200.

        Raises Unavailable if a later request may succeed, InputError if it can't, and
        ConfigurationError if the server refuses the credentials.
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
        except InputError as error:
            raise InputError(f"{self._name}: {error}") from error
        except ConfigurationError as error:
            raise ConfigurationError(f"{self._name}: {error}") from error

    def _answer(self, path: str) -> Response:
        """The whole answer to a GET, whatever its status."""
        request = Request(
            url=self.url(path),
            headers=lambda _: self._headers,
            wanted=lambda _: True,
            follow=lambda _: False,
        )
        try:
            return self._client.ask(request)
        except TooLarge as error:
            raise InputError(
                f"an answer of more than {self._max_bytes} bytes: {self._advice.too_large}"
            ) from error
        except FetchError as error:
            raise Unavailable(str(error).removeprefix(f"{self._base.host}: ")) from error

    def _body(self, answer: Response) -> bytes:
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


def _base(url: str, option: str) -> Target:
    """The URL of the server. Errors don't quote it: it may hold a password."""
    try:
        base = Target.parse(url)
    except BadURL as error:
        raise ConfigurationError(f"{option}: {error}") from error
    if "?" in url or "#" in url:
        raise ConfigurationError(f"{option}: the URL must not have a ? or #")
    return base
