"""The messages of a queue, shown one by one, or grouped by the error that set them aside."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from indexer.commands.console.terminal import cell, line_of_json
from indexer.errors import Disposition
from indexer.loops.inbox import load
from indexer.messages.message import Delivery
from indexer.stories.story import Story

LINE_LENGTH = 300
"""Characters of a message's first line that are shown."""

WHO, WHEN, WHAT, WHERE = "x-mc-who", "x-mc-when", "x-mc-what", "x-mc-where"

NO_STORY = "not a story: "
"""Begins the line of a message that is no story; errors of `load` may begin so, too."""

_NUMBERS = re.compile(r"\b0x[0-9a-f]+\b|\d+")
"""Addresses, positions and sizes: they differ between messages that failed for one reason."""


def lines(number: int, delivery: Delivery) -> list[str]:
    """Return a message as text: its story's label, its headers, and its first line."""
    story, why = _story(delivery)
    shown = [
        f"{number}  {cell(story.label) if story else NO_STORY + cell(why.removeprefix(NO_STORY))}",
        f"   key {cell(delivery.key)}, {len(delivery.body)} bytes, delivered {delivery.deliveries}",
    ]
    headers = {**delivery.headers, **delivery.others}
    shown += [f"   {cell(name, 100)}: {_value(name, value)}" for name, value in headers.items()]
    # A character has up to four bytes; the rest of a long line need not be decoded.
    first = delivery.body.partition(b"\n")[0][: 4 * LINE_LENGTH].decode("utf-8", "replace")
    return [*shown, f"   {cell(first, LINE_LENGTH)}"]


def message_as_json(number: int, delivery: Delivery) -> str:
    """Return a message as a line of JSON; `error` says why it is no story, else null."""
    story, why = _story(delivery)
    values = {
        "number": number,
        "key": delivery.key,
        "bytes": len(delivery.body),
        "deliveries": delivery.deliveries,
        "headers": dict(delivery.headers),
        "others": dict(delivery.others),
        "label": story.label if story else None,
        "story": story.metadata() if story else None,
        "error": why or None,
    }
    return line_of_json(values, _plain)


@dataclass(slots=True)
class Reason:
    """Messages that were set aside for the same reason, with the first of them as a sample.

    `first` and `last` are the earliest and the latest time, as YYYY-MM-DDThh:mm:ssZ, or blank.
    """

    count: int
    who: str
    what: str
    where: str
    first: str
    last: str
    sample: str

    def line(self) -> str:
        """Return three lines for a person."""
        times = self.first if self.first == self.last else f"{self.first} to {self.last}"
        about = (self.who, times, self.where)
        return f"{self.count:>7}  {self.what or 'no reason given'}\n" + "".join(
            f"         {each}\n" for each in (", ".join(filter(None, about)), self.sample) if each
        )


def reasons(deliveries: Iterable[Delivery]) -> list[Reason]:
    """Group messages by reason, the largest group first; numbers in reasons are not compared."""
    found: dict[tuple[str, str, str], Reason] = {}
    for delivery in deliveries:
        who, what, where = (
            cell(str(delivery.headers.get(name, ""))) for name in (WHO, WHAT, WHERE)
        )
        when = _time(delivery.headers.get(WHEN, ""))
        group = (who, _NUMBERS.sub("0", what), where)
        if group not in found:
            found[group] = Reason(0, who, what, where, when, when, _sample(delivery))
        reason = found[group]
        reason.count += 1
        # Messages without a time don't change it.
        reason.first = min(filter(None, (reason.first, when)), default="")
        reason.last = max(reason.last, when)
    return sorted(found.values(), key=lambda reason: -reason.count)


def mentions(delivery: Delivery, text: str) -> bool:
    """Return whether a message's error, its place or its step contains a text, in any case."""
    reason = " ".join(str(delivery.headers.get(name, "")) for name in (WHAT, WHERE, WHO))
    return text.casefold() in reason.casefold()


def _story(delivery: Delivery) -> tuple[Story | None, str]:
    """Return the story of a message; or None, and why the message is no story."""
    try:
        return load(Story, delivery), ""
    except Disposition as error:
        return None, error.why


def _sample(delivery: Delivery) -> str:
    story, _ = _story(delivery)
    return cell(story.label) if story else f"not a story, {len(delivery.body)} bytes"


def _value(name: str, value: object) -> str:
    time = _time(value) if name == WHEN else ""
    text = value if isinstance(value, str) else json.dumps(value, default=_plain)
    return cell(text) + (f" ({time})" if time else "")


def _time(value: object) -> str:
    """Return the time of a header with seconds since the epoch, in UTC; "" if it has none."""
    with suppress(ValueError, OverflowError, OSError):
        return f"{datetime.fromtimestamp(float(str(value)), UTC):%Y-%m-%dT%H:%M:%SZ}"
    return ""


def _plain(value: object) -> str:
    """Write a value that JSON lacks: a date as ISO, others as their repr."""
    return value.isoformat() if isinstance(value, datetime) else repr(value)
