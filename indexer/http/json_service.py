"""A server of the operator's own that answers in JSON: an rss-fetcher, a directory of feeds.

Its address is the operator's, so it may be a private one. Time and size of an answer are bounded,
redirects are not followed, and nothing of the environment is used: no proxies, no .netrc.
"""

import http.client
import json
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

import certifi
from urllib3.exceptions import HTTPError

from indexer.errors import BadURL, ConfigurationError, FetchError, InputError, TooLarge
from indexer.http.fetching.bounded import Allowance, tls_context
from indexer.http.fetching.connection import Dialer, connection
from indexer.http.fetching.encodings import capped, decoded
from indexer.http.fetching.reasons import reason
from indexer.http.politeness import retry_after
from indexer.http.urls.addresses import ANYWHERE
from indexer.http.urls.target import Target
from indexer.text.cleaning import one_line

HEAD_BYTES = 262_144
MESSAGE_LENGTH = 200

_SAYING = ("message", "detail", "note")
"""Where an error's answer says in words what is wrong."""


class Unavailable(InputError):
    """The server can't answer now, but may soon.

    `wait`: how many seconds it asks for (Retry-After).
    """

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class AnswerLimits(NamedTuple):
    """What one answer may take: seconds to connect, without a byte, in all; and bytes."""

    connect: float
    read: float
    total: float
    max_bytes: int


class Advice(NamedTuple):
    """What to say to who can do something about it: the options that are wrong."""

    url: str
    """The option with the server's URL."""
    refused: str
    """What to check when it does not let us in."""
    too_large: str
    """How to have smaller answers."""


class ServiceAnswer(NamedTuple):
    """An answer, whole."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class JSONService:
    """One server. `server` is its host, and its port unless that is the scheme's own."""

    def __init__(
        self, name: str, url: str, headers: Mapping[str, str], limits: AnswerLimits, advice: Advice
    ) -> None:
        """`name`: what it is, in messages. Raises ConfigurationError."""
        self._base = _base(url, advice.url)
        self._headers = {"Accept": "application/json", "Accept-Encoding": "gzip", **headers}
        self._limits = limits
        self._advice = advice
        self._dialer = Dialer(ANYWHERE, timeout=limits.connect)
        self.server = self._base.origin.partition("://")[2]
        self._name = f"{name} {self.server}"

    def url(self, path: str) -> str:
        """The URL of a path, which begins with a slash, below that of the server."""
        return f"{self._base.origin}{self._base.path.rstrip('/')}{path}"

    def get(self, path: str) -> bytes:
        """The body of a good answer.

        Raises Unavailable when it may be asked again, InputError when that is no use, and
        ConfigurationError when it doesn't let us in.
        """
        with self.named_errors():
            return self._body(self._answer(Target.parse(self.url(path))))

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        """Say in errors which server it was."""
        try:
            yield
        except Unavailable as error:
            raise Unavailable(f"{self._name}: {error}", error.wait) from error
        except InputError as error:
            raise InputError(f"{self._name}: {error}") from error
        except ConfigurationError as error:
            raise ConfigurationError(f"{self._name}: {error}") from error

    def _answer(self, target: Target) -> ServiceAnswer:
        """The answer to a GET, whole, whatever its status."""
        limits = self._limits
        most = limits.max_bytes
        allowance = Allowance(limits.total, limits.read)
        # Twice, for the sizes of chunks, which are sent along.
        allowance.grant(2 * most + HEAD_BYTES)
        opened = connection(target, self._dialer, allowance, lambda: self._context)
        try:
            opened.request("GET", target.path, headers=self._headers, preload_content=False)
            answer = opened.getresponse()
            sent = capped(iter([answer.read(decode_content=False)]), most)
            encoding = answer.headers.get("content-encoding", "")
            body = b"".join(capped(decoded(sent, encoding, most), most))
            return ServiceAnswer(answer.status, answer.headers, body)
        except TooLarge as error:
            raise InputError(
                f"an answer of more than {most} bytes: {self._advice.too_large}"
            ) from error
        except (FetchError, http.client.HTTPException, HTTPError, OSError, ValueError) as error:
            raise Unavailable(reason(error, allowance.late())) from error
        finally:
            opened.close()

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return tls_context(verify=True, authorities=certifi.where())

    def _body(self, answer: ServiceAnswer) -> bytes:
        """The body of a good answer. Raises Unavailable, InputError, ConfigurationError."""
        if answer.status == http.client.OK:
            return answer.body
        what = f"HTTP {answer.status}{said(answer.body)}"
        if answer.status in (http.client.UNAUTHORIZED, http.client.FORBIDDEN):
            raise ConfigurationError(f"{what}: {self._advice.refused}")
        if is_busy(answer.status):
            raise Unavailable(what, retry_after(answer.headers.get("retry-after"), time.time()))
        if 300 <= answer.status < 400:
            to = one_line(answer.headers.get("location", ""), MESSAGE_LENGTH)
            raise InputError(
                f"{what}: it redirects to {to or 'nowhere'}; {self._advice.url} is final"
            )
        raise InputError(what)


def checked_agent(agent: str, option: str) -> str:
    """A User-Agent header. Raises ConfigurationError if it can't be one."""
    if not (agent.isascii() and agent.isprintable() and agent.strip()):
        raise ConfigurationError(f"{option}: it has to be one line of ASCII")
    return agent


def is_busy(status: int) -> bool:
    """Whether the same question may be answered later."""
    return status == http.client.TOO_MANY_REQUESTS or status >= 500


def json_of(body: bytes) -> object:
    """What an answer holds; None if it is no JSON. One broken text doesn't make it unreadable."""
    try:
        found: object = json.loads(body.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    return found


def said(body: bytes) -> str:
    """What an error's answer says of itself, to be put after its status."""
    found = json_of(body)
    texts = [found.get(name) for name in _SAYING] if isinstance(found, dict) else []
    message = next((each for each in texts if isinstance(each, str) and each), "")
    message = one_line(message, MESSAGE_LENGTH)
    return f" ({message})" if message else ""


def _base(url: str, option: str) -> Target:
    """Where the server is. Errors don't quote the URL: there may be a password in it."""
    try:
        base = Target.parse(url)
    except BadURL as error:
        raise ConfigurationError(f"{option}: {error}") from error
    if "?" in url or "#" in url:
        raise ConfigurationError(f"{option}: it ends before any ? and #")
    return base
