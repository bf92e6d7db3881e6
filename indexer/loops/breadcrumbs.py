"""Breadcrumbs (stories.md 3.10): a line of JSON for each outcome, sent to be counted.

    outcome → crumb → waits up to a minute → one message of many crumbs → `pipeview`

A message is a header line, then a line for each crumb. Best effort: crumbs that can't be sent are
counted and dropped, and the program goes on. The status of a final outcome is sent as it is, so
that each status counts a message once; other outcomes are sent as `retry-STATUS`, `requeue-STATUS`.
"""

import re
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from typing import TypeAlias

import msgspec

from indexer.errors import BrokerError
from indexer.messages.message import DEFAULT_KEY, Send
from indexer.messages.outcome import Outcome, OutcomeKind
from indexer.metrics import counter
from indexer.system.loggers import get_logger
from indexer.text.cleaning import one_line

VERSION = (1, 0, 0)
"""The format's version. Readers refuse a higher first number, and ignore unknown keys."""

SECONDS = 60.0
"""The longest wait of a crumb for others to share its message."""

SIZE = 1000
"""The most crumbs in a message: about 150 kB."""

ROOM = 50_000
"""The most crumbs that wait for a slow broker, about 20 MB; then the oldest are dropped."""

CLOSE_SECONDS = 10.0
"""The longest wait for the last crumbs when a program ends."""

TEXT_LENGTH = 253
"""The most characters of a text in an origin: a domain name has no more."""

SLUG_LENGTH = 100
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1

RETRY_PREFIX, REQUEUE_PREFIX = "retry-", "requeue-"
_PREFIXES = {OutcomeKind.RETRY: RETRY_PREFIX, OutcomeKind.REQUEUE: REQUEUE_PREFIX}

BREADCRUMBS = counter("breadcrumbs", "crumbs of this program, by what became of them", "status")

log = get_logger()
_encoder = msgspec.json.Encoder()


Crumb: TypeAlias = Mapping[str, object]
"""The outcome of one message at one step: the facts of its origin, `date`, the day in UTC, `app`,
the step, and `status`."""


class Header(msgspec.Struct, kw_only=True):
    """The first line of a message. `id` is unique, so that a redelivery is counted once."""

    version: tuple[int, int, int] = VERSION
    sent_at: float
    app: str
    id: str


def message(app: str, sent_at: float, crumbs: Iterable[Crumb]) -> bytes:
    """The body of a message of crumbs."""
    header = Header(sent_at=sent_at, app=_slug(app), id=uuid.uuid4().hex)
    return _encoder.encode_lines([header, *crumbs])


def crumb(app: str, outcome: Outcome, now: float) -> Crumb:
    """The crumb of an outcome, within all readers' limits. `now`: seconds since the epoch."""
    facts = {name: _countable(fact) for name, fact in outcome.origin.items()}
    return {
        **{name: fact for name, fact in facts.items() if fact is not None},
        "date": datetime.fromtimestamp(now, UTC).date(),
        "app": _slug(app),
        "status": _slug(_PREFIXES.get(outcome.kind, "") + outcome.status),
    }


def _countable(fact: str | int) -> str | int | None:
    """A fact as it is counted: one line of limited length, or 64 bits; None if it is neither."""
    if isinstance(fact, str):
        return one_line(fact, TEXT_LENGTH) or None
    return fact if _SMALLEST <= fact <= _LARGEST else None


def _slug(text: str) -> str:
    return re.sub(r"[^!-~]+", "-", text)[:SLUG_LENGTH] or "-"


@dataclass(eq=False)
class Breadcrumbs:
    """An Observer that sends a crumb for each outcome, from a thread of its own.

    `publish` is a broker's. A message is sent `seconds` after its first crumb, or when it has
    `size` crumbs; at most `room` crumbs wait.
    """

    app: str
    exchange: str
    publish: Callable[[Sequence[Send]], object]
    clock: Callable[[], float] = time.time
    _: KW_ONLY
    seconds: float = SECONDS
    size: int = SIZE
    room: int = ROOM

    def __post_init__(self) -> None:
        self._waiting: deque[Crumb] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._fails = False
        self._thread = threading.Thread(target=self._run, name="breadcrumbs", daemon=True)
        self._thread.start()

    def __call__(self, outcome: Outcome) -> None:
        """Add the crumb of an outcome. Never waits for the broker, never raises."""
        taken = crumb(self.app, outcome, self.clock())
        with self._changed:
            if len(self._waiting) >= self.room:
                self._waiting.popleft()
                BREADCRUMBS.add(status="dropped")
            self._waiting.append(taken)
            # The thread waits for the first crumb of a message, and then for the last.
            if len(self._waiting) == 1 or self._is_full():
                self._changed.notify_all()

    def close(self) -> None:
        """Send the crumbs that wait, or drop them after some seconds. The broker closes later."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            log.warning("breadcrumbs are lost", exchange=self.exchange, why="the broker is slow")

    def _run(self) -> None:
        while crumbs := self._next():
            self._send(crumbs)

    def _next(self) -> list[Crumb]:
        """Wait until a message is due; its crumbs, or none when the program ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            self._changed.wait_for(self._is_full, self.seconds)
            number = min(self.size, len(self._waiting))
            return [self._waiting.popleft() for _ in range(number)]

    def _is_full(self) -> bool:
        return self._closing or len(self._waiting) >= self.size

    def _send(self, crumbs: Sequence[Crumb]) -> None:
        body = message(self.app, self.clock(), crumbs)
        try:
            self.publish([Send(self.exchange, DEFAULT_KEY, body)])
        except BrokerError as error:
            BREADCRUMBS.add(len(crumbs), status="lost")
            self._warn(error)
        else:
            BREADCRUMBS.add(len(crumbs), status="sent")
            self._fails = False

    def _warn(self, error: BrokerError) -> None:
        """Log a failure once, until a message can be sent again: a broker may be away for hours."""
        if not self._fails:
            log.warning("breadcrumbs are lost", exchange=self.exchange, why=str(error))
        self._fails = True
