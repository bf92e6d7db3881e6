"""The rules of sites for robots (RFC 9309): fetched once a day for each origin.

2xx                          → the rules of the file
4xx, endless redirects       → every page is allowed
429, 5xx, broken, no answer  → no page is allowed until the file is requested again
"""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from protego import Protego

from indexer.errors import BadResponse, Discard, FetchError, Retry
from indexer.http.fetching import Request, Response
from indexer.http.fetching.client import Client
from indexer.http.politeness import retry_after
from indexer.http.urls.parts import is_within
from indexer.http.urls.target import Target

DISALLOWED = "robots"
UNREACHABLE = "robots-unreachable"

MAX_BYTES = 500 * 1024
"""The part of a robots.txt that is read (RFC 9309, 2.5)."""

MAX_REDIRECTS = 5
"""The most redirects, also to other hosts (RFC 9309, 2.3.1.2)."""

_TTL = 86_400.0
_ORIGINS = 20_000
_KEPT_BYTES = 16_000_000
_NONE_THERE = frozenset(("maxredir", "badredir", "badredir2", "bad-host"))
_RECORD = re.compile(
    r"\s*(?P<name>user[- ]?agent|allow|disallow|crawl-delay)\s*:\s*(?P<value>[^#]*)", re.IGNORECASE
)
_TOKEN = re.compile("[a-z_-]+")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of an origin, valid until the clock shows `expires`.

    `text` has only the groups for this product, a small part of a long file. `failure`: why the
    file could not be read; then no page is allowed, and pages end with `status`.
    """

    expires: float
    text: str = ""
    failure: str = ""
    status: str = UNREACHABLE


@dataclass(slots=True)
class _Origin:
    """An origin. One thread requests its robots.txt under the lock; others wait for the result."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    rules: Rules | None = None


class Robots:
    """Fetches robots.txt files and keeps their rules. Thread-safe.

    `product`: our token in the files. `excepted`: domains whose robots.txt is not applied, with the
    domains under them. `asked(host)` is called for each request. `again`: seconds until a file that
    could not be read is requested again.
    """

    def __init__(
        self,
        client: Client,
        product: str,
        excepted: Collection[str] = (),
        asked: Callable[[str], None] = lambda host: None,  # noqa: ARG005 - no observer
        again: float = 600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._product = product.lower()
        self._excepted = excepted
        self._asked = asked
        self._again = again
        self._clock = clock
        self._lock = threading.Lock()
        self._origins: OrderedDict[str, _Origin] = OrderedDict()
        self._kept = 0

    def check(self, url: str) -> float | None:
        """The Crawl-delay in seconds, or None, for a page that may be fetched.

        Fetches the robots.txt of an unknown origin. Raises Discard("robots") for a disallowed page.
        While the file can't be read, raises Retry("robots-unreachable"), or the status of the error
        ("noconn") if the host can't be reached at all.
        """
        target = Target.parse(url)
        return None if self._is_excepted(target) else self._judge(target, self._learn(target))

    def check_known(self, url: str) -> None:
        """Raise Discard("robots") for a page that known rules disallow; sends no request."""
        target = Target.parse(url)
        rules = self._origin(target).rules
        known = rules is not None and not rules.failure and rules.expires > self._clock()
        if rules and known and not self._is_excepted(target):
            self._judge(target, rules)

    def _judge(self, target: Target, rules: Rules) -> float | None:
        if rules.failure:
            raise Retry(rules.status, f"{target.origin}/robots.txt: {rules.failure}", drop=True)
        if not rules.text:
            return None
        parsed = Protego.parse(rules.text)
        if not parsed.can_fetch(target.url, self._product):
            raise Discard(DISALLOWED, f"disallowed by {target.origin}/robots.txt")
        return parsed.crawl_delay(self._product)

    def _is_excepted(self, target: Target) -> bool:
        return is_within(target.name, self._excepted)

    def _origin(self, target: Target) -> _Origin:
        with self._lock:
            origin = self._origins.setdefault(target.origin, _Origin())
            self._origins.move_to_end(target.origin)
            self._make_room()
            return origin

    def _learn(self, target: Target) -> Rules:
        origin = self._origin(target)
        with origin.lock:
            rules = origin.rules
            if rules is None or rules.expires <= self._clock():
                rules = self._ask(target)
                self._remember(target.origin, rules)
            return rules

    def _remember(self, name: str, rules: Rules) -> None:
        with self._lock:
            origin = self._origins.setdefault(name, _Origin())
            self._kept += len(rules.text) - _size(origin)
            origin.rules = rules
            self._make_room()

    def _make_room(self) -> None:
        while len(self._origins) > _ORIGINS or self._kept > _KEPT_BYTES:
            _, oldest = self._origins.popitem(last=False)
            self._kept -= _size(oldest)

    def _ask(self, target: Target) -> Rules:
        self._asked(target.host)
        try:
            answer = self._client.ask(
                Request(
                    url=f"{target.origin}/robots.txt",
                    accept="text/plain,*/*;q=0.5",
                    max_bytes=MAX_BYTES,
                    cut=True,
                    max_redirects=MAX_REDIRECTS,
                )
            )
        except FetchError as error:
            if error.status in _NONE_THERE:
                return Rules(self._clock() + _TTL)
            status = UNREACHABLE if isinstance(error, BadResponse) else error.status
            return Rules(self._clock() + self._again, failure=str(error), status=status)
        return self._read(answer)

    def _read(self, answer: Response) -> Rules:
        now = self._clock()
        if answer.status == 429 or answer.status >= 500:
            wait = retry_after(answer.headers.get("retry-after"), time.time())
            again = self._again if wait is None else min(self._again, wait)
            return Rules(now + again, failure=f"HTTP {answer.status}")
        text = answer.body.decode("utf-8", "replace")
        return Rules(now + _TTL, groups_for(text, self._product))


def groups_for(text: str, product: str) -> str:
    """The groups of a robots.txt that are for a product or for all robots.

    The whole name is compared, without case and version (RFC 9309, 2.2.1).
    """
    kept: list[str] = []
    # Several user-agent lines in a row name one group.
    naming = wanted = False
    for record in filter(None, map(_RECORD.match, text.lstrip("\ufeff").splitlines())):
        name, value = record["name"].lower(), record["value"].strip()
        if name.startswith("user"):
            wanted = (naming and wanted) or _is_for(value.lower(), product)
            naming = True
            if _is_for(value.lower(), product):
                kept.append(f"User-agent: {product if value != '*' else value}")
        else:
            naming = False
            if wanted:
                kept.append(f"{name}: {value}")
    return "\n".join(kept)


def _is_for(value: str, product: str) -> bool:
    token = _TOKEN.match(value)
    return value == "*" or (token is not None and token[0] == product)


def _size(origin: _Origin) -> int:
    return len(origin.rules.text) if origin.rules else 0
