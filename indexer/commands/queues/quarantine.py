"""What is in a queue, for a person: its messages one by one, or grouped by why they are there."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from indexer.commands.console.terminal import cell, line_of_json
from indexer.errors import Disposition
from indexer.loops.inbox import load
from indexer.messages.message import Delivery
from indexer.stories.story import Story

LINE_LENGTH = 300
"""How much of a story's first line is shown to people."""

WHO, WHEN, WHAT, WHERE = "x-mc-who", "x-mc-when", "x-mc-what", "x-mc-where"

NO_STORY = "not a story: "
"""How it is told, also by what could not read it."""

_NUMBERS = re.compile(r"\b0x[0-9a-f]+\b|\d+")
"""What differs between errors that are the same."""


def lines(number: int, delivery: Delivery) -> list[str]:
    """A message as text: what it is, its headers, and the first line of the story."""
    story, why = _story(delivery)
    shown = [
        f"{number}  {cell(story.label) if story else NO_STORY + cell(why.removeprefix(NO_STORY))}",
        f"   key {cell(delivery.key)}, {len(delivery.body)} bytes, delivered {delivery.deliveries}",
    ]
    headers = {**delivery.headers, **delivery.others}
    shown += [f"   {cell(name, 100)}: {_value(name, value)}" for name, value in headers.items()]
    first = delivery.body.partition(b"\n")[0][: 4 * LINE_LENGTH].decode("utf-8", "replace")
    return [*shown, f"   {cell(first, LINE_LENGTH)}"]


def message_as_json(number: int, delivery: Delivery) -> str:
    """A message as a line of JSON; what isn't a story has an `error`, and null for a story."""
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
    """Messages that are where they are for the same reason; the first of them as a sample.

    `first` and `last` are when that happened, as YYYY-MM-DDThh:mm:ssZ in UTC, or blank.
    """

    count: int
    who: str
    what: str
    where: str
    first: str
    last: str
    sample: str

    def line(self) -> str:
        """For a person."""
        times = self.first if self.first == self.last else f"{self.first} to {self.last}"
        about = (self.who, times, self.where)
        return f"{self.count:>7}  {self.what or 'no reason given'}\n" + "".join(
            f"         {each}\n" for each in (", ".join(filter(None, about)), self.sample) if each
        )

    def json(self) -> str:
        """For a program."""
        return line_of_json(asdict(self))


def reasons(deliveries: Iterable[Delivery]) -> list[Reason]:
    """The reasons that messages tell of, the most frequent first; numbers in them don't count."""
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
        reason.first = min(filter(None, (reason.first, when)), default="")
        reason.last = max(reason.last, when)
    return sorted(found.values(), key=lambda reason: -reason.count)


def gives(delivery: Delivery, text: str) -> bool:
    """Whether a message's reason, place or step has that text in it, in whatever case."""
    told = " ".join(str(delivery.headers.get(name, "")) for name in (WHAT, WHERE, WHO))
    return text.casefold() in told.casefold()


def _story(delivery: Delivery) -> tuple[Story | None, str]:
    """The story of a message; None, and why, if it isn't one."""
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
    """Seconds since the epoch, as text, as a time in UTC; "" if they aren't."""
    with suppress(ValueError, OverflowError, OSError):
        return f"{datetime.fromtimestamp(float(str(value)), UTC):%Y-%m-%dT%H:%M:%SZ}"
    return ""


def _plain(value: object) -> str:
    """Of what JSON has no form for: dates as ISO, others as their repr."""
    return value.isoformat() if isinstance(value, datetime) else repr(value)
