"""At which hours of the week a feed has news: a weight for each hour, 1 on average."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cached_property

HOURS, DAYS = 24, 7

MONDAY = datetime(1970, 1, 5)
_MINUTE = timedelta(minutes=1)

DOUBT = 14.0
"""Stories that are taken to have come evenly, whatever the hours of those that were seen."""


def hour_of(moment: datetime) -> int:
    """Hours since a Monday."""
    return int((moment - MONDAY) / _MINUTE // 60)


class Week:
    """The stories of each hour of the day and day of the week, and what they lead to expect."""

    def __init__(self, hours: Sequence[float], days: Sequence[float]) -> None:
        self._hours, self._days = hours, days

    def minutes(self, since: datetime, until: datetime) -> float:
        """The minutes between two moments, each counted as often as stories are to be expected."""
        rest, sum = (until - since) / _MINUTE, 0.0
        for length, weight in self.parts(since):
            if rest <= length:
                break
            sum += length * weight
            rest -= length
        return sum + max(rest, 0.0) * weight

    def parts(self, since: datetime) -> Iterator[tuple[float, float]]:
        """The rest of this hour, and all that follow: minutes, weight."""
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
        """Neighbours count for each other: nobody publishes by the hour sharply."""
        raw = _weights(self._hours)
        return [(raw[h - 1] + 2 * raw[h] + raw[(h + 1) % HOURS]) / 4 for h in range(HOURS)]

    @cached_property
    def _of_day(self) -> list[float]:
        return _weights(self._days)


def _weights(stories: Sequence[float]) -> list[float]:
    """1 on average; all 1 as long as little has been seen."""
    even = DOUBT / len(stories)
    mean = (sum(stories) + DOUBT) / len(stories)
    return [(number + even) / mean for number in stories]
