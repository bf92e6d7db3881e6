"""The hours of the week at which a feed publishes: a weight for each hour, 1 on average."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cached_property

HOURS, DAYS = 24, 7

MONDAY = datetime(1970, 1, 5)
_MINUTE = timedelta(minutes=1)

DOUBT = 14.0
"""Evenly distributed stories that are added to those seen, so that few stories say little."""


def hour_of(moment: datetime) -> int:
    """Hours since MONDAY: modulo 168 the hour of the week."""
    return int((moment - MONDAY) / _MINUTE // 60)


class WeeklyPattern:
    """Weights from the stories of each hour of the day and each day of the week."""

    def __init__(self, hours: Sequence[float], days: Sequence[float]) -> None:
        self._hours, self._days = hours, days

    def minutes(self, since: datetime, until: datetime) -> float:
        """The minutes between two moments, multiplied by their weights."""
        rest, sum = (until - since) / _MINUTE, 0.0
        for length, weight in self.parts(since):
            if rest <= length:
                break
            sum += length * weight
            rest -= length
        return sum + max(rest, 0.0) * weight

    def parts(self, since: datetime) -> Iterator[tuple[float, float]]:
        """The rest of this hour, and all that follow without end: minutes and weight."""
        minute = (since - MONDAY) / _MINUTE
        hour = int(minute // 60)
        yield (hour + 1) * 60 - minute, self._weight(hour)
        while True:
            hour += 1
            yield 60.0, self._weight(hour)

    def _weight(self, hour: int) -> float:
        return self._of_hour[hour % HOURS] * self._of_day[hour // HOURS % DAYS]

    @cached_property
    def _of_hour(self) -> list[float]:
        """Smoothed with both neighbours: publication times vary around an hour."""
        raw = _weights(self._hours)
        return [(raw[h - 1] + 2 * raw[h] + raw[(h + 1) % HOURS]) / 4 for h in range(HOURS)]

    @cached_property
    def _of_day(self) -> list[float]:
        return _weights(self._days)


def _weights(stories: Sequence[float]) -> list[float]:
    """Weights with a mean of 1, all near 1 while few stories have been seen."""
    even = DOUBT / len(stories)
    mean = (sum(stories) + DOUBT) / len(stories)
    return [(number + even) / mean for number in stories]
