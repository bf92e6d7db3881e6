"""The answers of the simulated servers, in the form that the fetcher and the parser send on."""

import random
from collections.abc import Sequence
from datetime import timedelta

from benchmarks.simulation.arrivals import moment
from benchmarks.simulation.world import Host, Source
from indexer.feeds.attempt import Attempt, FeedAnswer, FeedDocument, Hop, NewItem, Poll, Unchanged


class Servers:
    """Answers polls, in the same way for all policies, apart from chance."""

    def __init__(self, sources: Sequence[Source], hosts: dict[str, Host], seed: int) -> None:
        self._sources = {source.id: source for source in sources}
        self._hosts = hosts
        self._chance = random.Random(seed)  # noqa: S311 - repeatable
        self._items: dict[int, list[NewItem]] = {}

    def ask(self, poll: Poll, at: float, *, conditional: bool) -> Attempt:
        """One attempt at a feed; `conditional` if the request has validators."""
        source = self._sources[poll.feed_id]
        attempt = Attempt(poll=poll, started=moment(at))
        attempt.answer = FeedAnswer(code=0, url=poll.url, conditional=conditional)
        if opens := self._hosts[source.host].opens(at):
            attempt.answer.retry_at = moment(opens)
            return _failed(attempt, "HTTP 429 Too Many Requests")
        for since, until, status in source.broken:
            if since <= at < until:
                return _failed(attempt, status)
        if source.drips and self._chance.random() < source.drips:
            return _failed(attempt, "job timeout")
        _redirect(source, attempt.answer)
        return self._found(source, attempt, attempt.answer, at)

    def _found(self, source: Source, attempt: Attempt, answer: FeedAnswer, at: float) -> Attempt:
        poll = attempt.poll
        until = source.origin.until(at)
        etag = f'"{until}"' if source.conditional else None
        if source.kind == "always-304":
            etag = '"always"'
        answer.etag = etag
        if source.max_age:
            answer.fresh_until = attempt.started + timedelta(minutes=source.max_age)
        if answer.conditional and poll.etag == etag:
            answer.code = 304
            attempt.unchanged = Unchanged.NOT_MODIFIED
            return attempt
        answer.code, answer.reason = 200, "OK"
        answer.md5 = f"{source.id}-{until}" + ("" if source.static else f"-{at}")
        if answer.md5 == poll.hash:
            attempt.unchanged = Unchanged.SAME_HASH
            return attempt
        items = self._shown(source, until, at)
        attempt.document = FeedDocument(
            format="rss20",
            update_minutes=source.update_minutes,
            entries=len(items),
            items=items,
        )
        return attempt

    def _shown(self, source: Source, until: int, at: float) -> list[NewItem]:
        """The newest items, in the order of publication."""
        known = self._items.setdefault(source.id, [])
        while len(known) < until:
            known.append(self._item(source, len(known)))
        items = known[max(0, until - source.window) : until]
        if source.dates != "now":
            return items
        return [
            NewItem(url=item.url, identity=item.identity, published_at=moment(at)) for item in items
        ]

    def _item(self, source: Source, number: int) -> NewItem:
        early = 60.0 if source.dates == "early" else 0.0
        published = moment(source.origin.times[number] - early)
        # Twins show the same stories.
        url = f"https://{source.host}/{id(source.origin):x}/{number}"
        return NewItem(
            url=url,
            identity=url,
            published_at=None if source.dates in ("none", "now") else published,
        )


def seconds(attempt: Attempt) -> float:
    """The seconds that an attempt takes."""
    return 180.0 if attempt.status == "job timeout" else 2.0


def _redirect(source: Source, answer: FeedAnswer) -> None:
    if source.kind == "moved" and not answer.url.endswith("/moved"):
        answer.url = f"https://{source.host}/{source.id}/moved"
        answer.hops = [Hop(301, answer.url)]


def _failed(attempt: Attempt, status: str) -> Attempt:
    attempt.status = status
    if not status.startswith("HTTP "):
        attempt.answer = None
    elif attempt.answer:
        attempt.answer.code = int(status.split()[1])
        attempt.answer.reason = status.split(maxsplit=2)[2]
    return attempt
