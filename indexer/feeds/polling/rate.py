"""How often a feed has news, learned from its polls: what is kept of them in `feeds.rate`.

    polls → stories and the time they came in; by hour of the day, by day of the week; just now

What is old counts less. When the next poll is worth a request is said in `interval`.
"""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import fmean

import msgspec

from indexer.feeds.polling.backoff import Backoff
from indexer.feeds.polling.schedule_options import ScheduleOptions
from indexer.feeds.polling.week import DAYS, HOURS, Week, hour_of

FORMAT = 1

HALF_LIFE = timedelta(days=14)
"""Stories of that age count half."""

WEEK_HALF_LIFE = timedelta(days=56)
"""The same, of the hours of the week at which they come."""

LONGEST_LOOK = timedelta(days=28)
"""What happened before is not looked at."""

LEAST_SPAN = timedelta(hours=6)
"""What a first document shows is taken to have come in no less: its dates may mean nothing."""

LATELY_HALF_LIFE = timedelta(hours=2)
"""The same, of those that came just now: where many come, more follow."""

ALARM_SHORTER = 0.5
"""Of the time between two polls without overlap: the most that the next waits take."""

CALM = timedelta(days=5)
"""Time without an alarm in which that doubles: of one a week not much is left."""

ALARM_LEAST = 60.0
"""Minutes: some feeds show nothing of what they did a day ago, however often they are asked."""

_MINUTE = timedelta(minutes=1)


class Rate(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What is known of a feed: the JSON of `feeds.rate`.

    `stories` came in `minutes`, each counted as the week leads to expect; `window` is how many the
    feed shows, `lately` how many came just now; `limit`: no wait takes more minutes, after an
    alarm.
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
        """Whether it is one that could have been dumped."""
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
    """What a successful poll has shown: so many new stories, published at `dates`, as far as known.

    `window`: how many the document shows, None if it is unchanged. `since`: the poll before;
    None if there was none.
    """

    since: datetime | None
    until: datetime
    stories: int = 0
    dates: Sequence[datetime] = ()
    window: int | None = None
    missed: bool = False


def load(text: str | None) -> Rate:
    """What is known; nothing, if it can't be read."""
    try:
        rate = _json.decode(text or "{}")
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return Rate()
    return rate if rate.sane else Rate()


def dump(rate: Rate) -> str:
    """Small: four digits of each number."""
    short = msgspec.structs.replace(
        rate,
        stories=_short(rate.stories),
        minutes=_short(rate.minutes),
        lately=_short(rate.lately),
        hours=[_short(number) for number in rate.hours],
        days=[_short(number) for number in rate.days],
        limit=None if rate.limit is None else _short(rate.limit),
    )
    return msgspec.json.encode(short).decode()


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
    """What would be known by now, by the dates of a first document; None if they don't tell."""
    dates = [date for date in news.dates if news.until - LONGEST_LOOK < date <= news.until]
    if len(dates) < 2:
        return None
    span = max(news.until - min(dates), LEAST_SPAN)
    hours, days = [0.0] * HOURS, [0.0] * DAYS
    _place(hours, days, dates, 1.0)
    return Rate(stories=len(dates) - 1.0, minutes=span / _MINUTE, hours=hours, days=days)


def _next(rate: Rate, news: News, since: datetime) -> Rate:
    passed = max(news.until - since, timedelta())
    since = max(since, news.until - LONGEST_LOOK)
    kept, kept_week = 0.5 ** (passed / HALF_LIFE), 0.5 ** (passed / WEEK_HALF_LIFE)
    hours = [number * kept_week for number in rate.hours]
    days = [number * kept_week for number in rate.days]
    week = Week(rate.hours, rate.days)
    if news.stories and since < news.until:
        dates = [date for date in news.dates if since < date <= news.until]
        if dates:
            _place(hours, days, dates, news.stories / len(dates))
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
    """The stories of a poll, those that are older the less."""
    if not news.stories or not passed:
        return 0.0
    ages = [news.until - date for date in news.dates if news.until - passed < date <= news.until]
    if ages:
        return news.stories * fmean(0.5 ** (age / LATELY_HALF_LIFE) for age in ages)
    # Evenly over the time between.
    past = passed / LATELY_HALF_LIFE
    return news.stories * (1 - math.pow(0.5, past)) / (past * math.log(2))


def _place(hours: list[float], days: list[float], dates: Sequence[datetime], each: float) -> None:
    for date in dates:
        hour = hour_of(date)
        hours[hour % HOURS] += each
        days[hour // HOURS % DAYS] += each


def _spread(hours: list[float], days: list[float], week: Week, since: datetime, news: News) -> None:
    """Stories without dates: over the time in which they came, as is to be expected."""
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
    limit = (rate.limit or math.inf) * 2.0 ** min(passed * _MINUTE / CALM, 64.0)
    if news.missed:
        limit = max(min(passed, limit) * ALARM_SHORTER, ALARM_LEAST, options.shortest)
    return limit if limit < options.longest else None


def _short(number: float) -> float:
    return float(f"{number:.4g}")
