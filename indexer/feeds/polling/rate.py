"""A feed's rate of new stories, learned from its polls and stored in `feeds.rate`.

    polls → stories per minute; stories by hour of the day and by day of the week; recent stories

Old stories count less. `interval` computes the next poll from a rate.
"""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import fmean
from typing import Any

import msgspec

from indexer.feeds.polling.backoff import Backoff
from indexer.feeds.polling.schedule_options import ScheduleOptions
from indexer.feeds.polling.weekly_pattern import DAYS, HOURS, WeeklyPattern, hour_of

FORMAT = 1

HALF_LIFE = timedelta(days=14)
"""The age at which a story counts half."""

WEEK_HALF_LIFE = timedelta(days=56)
"""The half-life of the weekly pattern: it needs more stories than the mean rate."""

LONGEST_LOOK = timedelta(days=28)
"""Time and dates before that are ignored."""

LEAST_SPAN = timedelta(hours=6)
"""The shortest time that the items of a first document are spread over: some feeds give all items
the time of the request."""

LATELY_HALF_LIFE = timedelta(hours=2)
"""The half-life of recent stories: more follow when many have just come."""

ALARM_SHORTER = 0.5
"""After a poll without overlap, the limit of the next waits, as a part of the time before it."""

CALM = timedelta(days=5)
"""The time without a missed poll in which that limit doubles."""

ALARM_LEAST = 60.0
"""Minutes, the least value of that limit: some feeds replace all their items once a day, however
often they are polled."""

_MINUTE = timedelta(minutes=1)


class Rate(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The JSON of `feeds.rate`.

    `stories` came in `minutes`, weighted by the weekly pattern. `lately` is the decayed number of
    recent stories, `window` the number of items in the document. After a poll without overlap no
    wait is longer than `limit` minutes.
    """

    v: int = FORMAT
    stories: float = 0.0
    minutes: float = 0.0
    window: int = 0
    lately: float = 0.0
    hours: list[float] = msgspec.field(default_factory=lambda: [0.0] * HOURS)
    days: list[float] = msgspec.field(default_factory=lambda: [0.0] * DAYS)
    limit: float | None = None
    backoff: Backoff | None = None

    @property
    def sane(self) -> bool:
        """Whether `dump` could have written it: operators may edit the column."""
        sums = [self.stories, self.minutes, self.lately, self.window]
        numbers = [*sums, *self.hours, *self.days]
        return (
            self.v == FORMAT
            and (len(self.hours), len(self.days)) == (HOURS, DAYS)
            and all(math.isfinite(number) and 0 <= number < _HUGE for number in numbers)
            and (self.limit is None or 0 < self.limit < _HUGE)
            and (self.backoff is None or self.backoff.sane)
        )


_HUGE = 1e9

_json = msgspec.json.Decoder(Rate)


class News(msgspec.Struct, frozen=True):
    """The new stories of a successful poll, with the publication dates of its items.

    `window`: the number of items, None for an unchanged document. `since`: the previous poll, None
    for a first one. `missed`: no item of the previous poll is left.
    """

    since: datetime | None
    until: datetime
    stories: int = 0
    dates: Sequence[datetime] = ()
    window: int | None = None
    missed: bool = False


def load(text: str | None) -> Rate:
    """Decode a rate; an empty one if the text is not valid."""
    try:
        rate = _json.decode(text or "{}")
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return Rate()
    return rate if rate.sane else Rate()


def dump(rate: Rate) -> str:
    """Encode a rate, with four digits of each number to keep the column small."""
    columns = {name: _short(value) for name, value in msgspec.to_builtins(rate).items()}
    return msgspec.json.encode(columns).decode()


def learn(rate: Rate, news: News, options: ScheduleOptions) -> Rate:
    """The rate after one more poll."""
    learned = _next(rate, news, news.since) if news.since else rate
    if not rate.minutes:
        learned = _of_dates(news) or learned
    return msgspec.structs.replace(
        learned,
        window=rate.window if news.window is None else news.window,
        limit=_limit(rate, news, options),
        backoff=None,
    )


def _of_dates(news: News) -> Rate | None:
    """A first rate from the dates of a first document; None for fewer than two dates."""
    dates = [date for date in news.dates if news.until - LONGEST_LOOK < date <= news.until]
    if len(dates) < 2:
        return None
    span = max(news.until - min(dates), LEAST_SPAN)
    hours, days = [0.0] * HOURS, [0.0] * DAYS
    _place(hours, days, dates, 1.0)
    return Rate(stories=len(dates) - 1.0, minutes=span / _MINUTE, hours=hours, days=days)


def _next(rate: Rate, news: News, since: datetime) -> Rate:
    # Not below 0: the clock may have gone back between two polls.
    passed = max(news.until - since, timedelta())
    since = max(since, news.until - LONGEST_LOOK)
    kept, kept_week = 0.5 ** (passed / HALF_LIFE), 0.5 ** (passed / WEEK_HALF_LIFE)
    hours = [number * kept_week for number in rate.hours]
    days = [number * kept_week for number in rate.days]
    week = WeeklyPattern(rate.hours, rate.days)
    if news.stories and since < news.until:
        dates = [date for date in news.dates if since < date <= news.until]
        if dates:
            _place(hours, days, dates, news.stories / len(dates))
        # Over more than a day, stories without dates say nothing about hours.
        elif passed <= timedelta(days=1):
            _spread(hours, days, week, since, news)
    return Rate(
        stories=rate.stories * kept + news.stories,
        minutes=rate.minutes * kept + week.minutes(since, max(since, news.until)),
        lately=rate.lately * 0.5 ** (passed / LATELY_HALF_LIFE) + _lately(news, passed),
        hours=hours,
        days=days,
    )


def _lately(news: News, passed: timedelta) -> float:
    """The recent stories of a poll, decayed by their age."""
    if not news.stories or not passed:
        return 0.0
    ages = [news.until - date for date in news.dates if news.until - passed < date <= news.until]
    if ages:
        return news.stories * fmean(0.5 ** (age / LATELY_HALF_LIFE) for age in ages)
    # Without dates: the mean of the decay over the time since the previous poll.
    past = passed / LATELY_HALF_LIFE
    return news.stories * (1 - math.pow(0.5, past)) / (past * math.log(2))


def _place(hours: list[float], days: list[float], dates: Sequence[datetime], each: float) -> None:
    for date in dates:
        hour = hour_of(date)
        hours[hour % HOURS] += each
        days[hour // HOURS % DAYS] += each


def _spread(
    hours: list[float], days: list[float], week: WeeklyPattern, since: datetime, news: News
) -> None:
    """Distribute stories without dates over the time since the last poll, by the weekly pattern."""
    rest = (news.until - since) / _MINUTE
    all = week.minutes(since, news.until)
    hour = hour_of(since)
    for length, weight in week.parts(since):
        share = news.stories * min(rest, length) * weight / all
        hours[hour % HOURS] += share
        days[hour // HOURS % DAYS] += share
        rest -= length
        hour += 1
        if rest <= 0:
            break


def _limit(rate: Rate, news: News, options: ScheduleOptions) -> float | None:
    if news.since is None:
        return None
    passed = max(news.until - news.since, timedelta()) / _MINUTE
    # Bounded, as a float overflows at 2.0 ** 1024.
    limit = (rate.limit or math.inf) * 2.0 ** min(passed * _MINUTE / CALM, 64.0)
    if news.missed:
        limit = max(min(passed, limit) * ALARM_SHORTER, ALARM_LEAST, options.shortest)
    return limit if limit < options.longest else None


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.4g}")
    return [_short(each) for each in value] if isinstance(value, list) else value
