"""The part of an answer that a request wants: single ranges (RFC 9110, 14)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from newsroom.repositories.exchange import Answer

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


@dataclass(frozen=True, slots=True)
class Part:
    """The bytes from `start` until before `stop`, and the status and headers that tell it."""

    status: int
    start: int
    stop: int
    headers: Mapping[str, str] = field(default_factory=dict)


def part_of(found: Answer, headers: Mapping[str, str]) -> Part:
    """The part that Range and If-Range ask for; the whole, if they can't be honoured."""
    size = found.content.size
    whole = Part(found.status, 0, size)
    asked = _RANGE.fullmatch(headers.get("range", ""))
    if not asked or not found.ranges or found.status != 200 or asked[0] == "bytes=-":
        return whole
    condition = headers.get("if-range")
    validators = (found.headers.get("ETag"), found.headers.get("Last-Modified"))
    if condition and found.if_range and condition not in validators:
        return whole
    if not asked[1]:
        start, stop = max(size - int(asked[2]), 0), size
    else:
        start, stop = int(asked[1]), min(int(asked[2] or size) + 1, size)
    if start >= stop:
        return Part(416, 0, 0, {"Content-Range": f"bytes */{size}"})
    return Part(206, start, stop, {"Content-Range": f"bytes {start}-{stop - 1}/{size}"})
