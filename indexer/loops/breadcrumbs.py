"""Breadcrumbs (stories.md 3.10): a line of JSON for each outcome, sent to be counted.

    outcome → crumb → waits up to a minute → one message of many crumbs → `pipeview`

A message is a header line, then a line a crumb. Best effort: what can't be sent is counted and
dropped, and the program goes on. A final disposition has its plain status, so that each status
counts a story once; what comes back is told apart as `retry-STATUS` and `requeue-STATUS`.
"""

import re
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Annotated, TypeAlias

import msgspec
import structlog

from indexer.errors import BrokerError
from indexer.messages.message import DEFAULT_KEY, Send
from indexer.messages.outcome import Outcome, OutcomeKind
from indexer.metrics import counter
from indexer.text.cleaning import one_line

VERSION = (1, 0, 0)
"""Of the format. Readers refuse a newer first number, and ignore keys that they don't know."""

SECONDS = 60.0
"""How long the first crumb of a message waits for others."""

SIZE = 1000
"""Crumbs in a message, at most: about 150 kB."""

ROOM = 50_000
"""Crumbs that may wait while the broker does not take them: about 10 MB. Then the oldest go."""

CLOSE_SECONDS = 10.0
"""How long the end of a program waits for the last ones."""

DOMAIN_LENGTH = 253
SLUG_LENGTH = 100
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1

RETRY_PREFIX, REQUEUE_PREFIX = "retry-", "requeue-"
_PREFIXES = {OutcomeKind.RETRY: RETRY_PREFIX, OutcomeKind.REQUEUE: REQUEUE_PREFIX}

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=_SMALLEST, le=_LARGEST)]
Slug: TypeAlias = Annotated[str, msgspec.Meta(pattern=rf"^[!-~]{{1,{SLUG_LENGTH}}}\Z")]

BREADCRUMBS = counter("breadcrumbs", "crumbs of this program, by what became of them", "status")

log = structlog.get_logger()
_encoder = msgspec.json.Encoder()


class Crumb(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one message at one step. `date` is the day in UTC; `app` the step."""

    date: date
    feed_id: Number | None = None
    source_id: Number | None = None
    domain: str | None = None
    app: Slug
    status: Slug


class Header(msgspec.Struct, kw_only=True):
    """The first line of a message. `id` makes one message differ from all others."""

    version: tuple[int, int, int] = VERSION
    sent_at: float
    app: str
    id: str


def message(app: str, sent_at: float, crumbs: Iterable[Crumb]) -> bytes:
    """The body of a message of crumbs."""
    header = Header(sent_at=sent_at, app=_slug(app), id=uuid.uuid4().hex)
    return _encoder.encode_lines([header, *crumbs])


def crumb(app: str, outcome: Outcome, now: float) -> Crumb:
    """The crumb of an outcome, such that every reader takes it. `now`: seconds since the epoch."""
    origin = outcome.origin
    return Crumb(
        date=datetime.fromtimestamp(now, UTC).date(),
        feed_id=_number(origin.feed_id),
        source_id=_number(origin.source_id),
        domain=known_domain(origin.domain),
        app=_slug(app),
        status=_slug(_PREFIXES.get(outcome.kind, "") + outcome.status),
    )


def known_domain(domain: str | None) -> str | None:
    """A domain as it is counted: on one line, of limited length; None where there is none."""
    return one_line(domain or "", DOMAIN_LENGTH) or None


def _number(value: int | None) -> int | None:
    return value if value is not None and _SMALLEST <= value <= _LARGEST else None


def _slug(text: str) -> str:
    return re.sub(r"[^!-~]+", "-", text)[:SLUG_LENGTH] or "-"


class Breadcrumbs:
    """An Observer that sends a crumb of each outcome, from a thread of its own.

    `publish` is that of a broker. A message goes `seconds` after its first crumb, or when it has
    `size` of them; at most `room` crumbs wait.
    """

    def __init__(
        self,
        app: str,
        exchange: str,
        publish: Callable[[Sequence[Send]], None],
        clock: Callable[[], float] = time.time,
        *,
        seconds: float = SECONDS,
        size: int = SIZE,
        room: int = ROOM,
    ) -> None:
        self._app = app
        self._exchange = exchange
        self._publish = publish
        self._clock = clock
        self._seconds = seconds
        self._size = size
        self._room = room
        self._waiting: deque[Crumb] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._fails = False
        self._thread = threading.Thread(target=self._run, name="breadcrumbs", daemon=True)
        self._thread.start()

    def __call__(self, outcome: Outcome) -> None:
        """Take the crumb of an outcome. Never waits for the broker, never raises."""
        taken = crumb(self._app, outcome, self._clock())
        with self._changed:
            if len(self._waiting) >= self._room:
                self._waiting.popleft()
                BREADCRUMBS.add(status="dropped")
            self._waiting.append(taken)
            # The thread waits for the first crumb of a message, and then for the last.
            if len(self._waiting) == 1 or self._is_full():
                self._changed.notify_all()

    def close(self) -> None:
        """Send what waits, or give up on it after some seconds. Call it before the broker's."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            log.warning("breadcrumbs are lost", exchange=self._exchange, why="the broker is slow")

    def _run(self) -> None:
        while crumbs := self._next():
            self._send(crumbs)

    def _next(self) -> list[Crumb]:
        """The crumbs of the next message, when it is due; none when all is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            self._changed.wait_for(self._is_full, self._seconds)
            number = min(self._size, len(self._waiting))
            return [self._waiting.popleft() for _ in range(number)]

    def _is_full(self) -> bool:
        return self._closing or len(self._waiting) >= self._size

    def _send(self, crumbs: Sequence[Crumb]) -> None:
        body = message(self._app, self._clock(), crumbs)
        try:
            self._publish([Send(self._exchange, DEFAULT_KEY, body)])
        except BrokerError as error:
            BREADCRUMBS.add(len(crumbs), status="lost")
            self._warn(error)
        else:
            BREADCRUMBS.add(len(crumbs), status="sent")
            self._fails = False

    def _warn(self, error: BrokerError) -> None:
        """Once, until they can be sent again: a broker that is away says nothing new."""
        if not self._fails:
            log.warning("breadcrumbs are lost", exchange=self._exchange, why=str(error))
        self._fails = True
