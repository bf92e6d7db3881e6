"""The feeds of the simulation: their kinds, their rates, and the behaviour of their servers."""

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.simulation import arrivals
from benchmarks.simulation.arrivals import DAY, Weight

BACKLOG = 60 * DAY
"""Minutes from the beginning of the feeds to the start of the simulation."""

KINDS = {
    "busy": 4,
    "daily": 27,
    "weekly": 25,
    "bursty": 6,
    "digest": 4,
    "dead": 20,
    "always-304": 2,
    "moved": 4,
    "duplicated": 5,
    "dripping": 2,
    "outage": 1,
}
"""Percent of the feeds."""

ZONES = (-8, -6, -5, -5, -3, 0, 1, 1, 2, 3, 5, 8)


@dataclass(slots=True)
class Origin:
    """The stories of one publisher; several feeds may show them."""

    times: Sequence[float]
    found: list[float | None]
    """The moment at which each story was found first."""
    shown: float = -BACKLOG
    """The moment at which a feed showed the stories last; forgetting counts from it."""

    def until(self, minute: float) -> int:
        """The number of stories until a moment."""
        return bisect_right(self.times, minute)


@dataclass(slots=True)
class Source:
    """One feed on its server."""

    id: int
    kind: str
    host: str
    origin: Origin
    window: int = 25
    dates: str = "true"
    """Dates of the items: `true`, `none`, `now`, or `early`, an hour before they appear."""
    conditional: bool = False
    static: bool = True
    """Whether the document is the same, byte for byte, as long as it has no new items."""
    max_age: float = 0.0
    update_minutes: int | None = None
    broken: Sequence[tuple[float, float, str]] = ()
    """Failures: from minute, to minute, status."""
    drips: float = 0.0


@dataclass(slots=True)
class Host:
    """A server, and the periods in which it refuses requests."""

    closed: Sequence[tuple[float, float]] = ()

    def opens(self, minute: float) -> float | None:
        """The end of the period that refuses a request now; None if none does."""
        for since, until in self.closed:
            if since <= minute < until:
                return until
        return None


@dataclass(slots=True)
class World:
    """All feeds and their servers, for a number of days."""

    days: float
    sources: list[Source]
    hosts: dict[str, Host]


def build(feeds: int, days: float, seed: int) -> World:
    """The same world for the same numbers."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    hosts = _hosts(chance, feeds, days)
    kinds = _kinds(chance, feeds)
    sources: list[Source] = []
    for id, (kind, host) in enumerate(zip(kinds, hosts.names, strict=True), start=1):
        source = _source(chance, id, kind, host, days)
        twins = [other for other in sources if other.kind in ("busy", "daily")]
        if kind == "duplicated" and twins:
            source.origin = chance.choice(twins).origin
        sources.append(source)
    return World(days, sources, hosts.hosts)


@dataclass(slots=True)
class _Hosts:
    names: list[str]
    hosts: dict[str, Host]


def _hosts(chance: random.Random, feeds: int, days: float) -> _Hosts:
    """A tenth of the feeds on one host, a tenth on ten hosts, the others on one host each.

    The hosts with many feeds refuse requests now and then.
    """
    names = [f"host{n}.example" for n in range(feeds)]
    names[: feeds // 10] = ["crowd.example"] * (feeds // 10)
    for n in range(feeds // 10, feeds // 5):
        names[n] = f"group{n % 10}.example"
    hosts = {name: Host() for name in names}
    for name, host in hosts.items():
        if not name.startswith("host"):
            lengths = (20.0, 60.0, 240.0, 1440.0) if name == "crowd.example" else (10.0, 360.0)
            choose = partial(chance.choice, lengths)
            host.closed = list(arrivals.spans(chance, days * DAY, 4 * DAY, choose))
    chance.shuffle(names)
    return _Hosts(names, hosts)


def _kinds(chance: random.Random, feeds: int) -> list[str]:
    kinds = [kind for kind, share in KINDS.items() for _ in range(round(share * feeds / 100))]
    kinds += ["daily"] * (feeds - len(kinds))
    chance.shuffle(kinds)
    return kinds[:feeds]


def _source(chance: random.Random, id: int, kind: str, host: str, days: float) -> Source:
    weight = _hours(chance)
    broken = _broken(chance, kind, days * DAY)
    times = _times(chance, kind, days * DAY, weight)
    if kind == "outage":
        (since, until, _), *_ = broken
        times = [at for at in times if not since <= at < until]
    return Source(
        id=id,
        kind=kind,
        host=host,
        origin=Origin(times, [None] * len(times)),
        window=chance.choice((10, 10, 15, 20, 25, 25, 30, 50)),
        dates=chance.choices(("true", "none", "now", "early"), (80, 12, 3, 5))[0],
        conditional=kind == "always-304" or chance.random() < 0.6,
        static=chance.random() < 0.7,
        max_age=chance.choice((0, 0, 0, 0, 0, 5, 10, 30, 60)),
        update_minutes=chance.choices((None, 60, 30, 1440), (50, 42, 5, 3))[0],
        drips=0.4 if kind == "dripping" else 0.0,
        broken=broken,
    )


def _hours(chance: random.Random) -> Weight:
    if chance.random() < 0.15:
        return arrivals.always
    return arrivals.working(chance.choice(ZONES))


def _times(chance: random.Random, kind: str, until: float, weight: Weight) -> list[float]:
    since = -BACKLOG
    if kind == "dead":
        return arrivals.steady(chance, since, -40 * DAY, 1.5, weight)
    if kind == "bursty":
        return arrivals.bursts(chance, since, until, weight)
    if kind == "digest":
        return arrivals.digests(chance, since, until)
    if kind == "busy":
        a_day = min(arrivals.lognormal(chance, 35, 1.9), 250)
    elif kind == "weekly":
        a_day = arrivals.lognormal(chance, 0.25, 2.0)
    else:
        a_day = min(arrivals.lognormal(chance, 2.5, 2.2), 15)
    return arrivals.steady(chance, since, until, a_day, weight)


def _broken(chance: random.Random, kind: str, until: float) -> list[tuple[float, float, str]]:
    """Outages: hours now and then for all, for good for some of the dead, weeks for some."""
    if kind == "dead" and chance.random() < 0.45:
        status = chance.choice(
            ("HTTP 404 Not Found", "unknown hostname", "HTTP 403 Forbidden", "HTTP 410 Gone")
        )
        return [(-BACKLOG, 2 * until, status)]
    if kind == "outage":
        since = chance.uniform(0.02, 0.2) * until
        return [(since, since + 18 * DAY, "HTTP 500 Internal Server Error")]
    return [
        (*span, chance.choice(("HTTP 503 Service Unavailable", "read timeout", "SSL error")))
        for span in arrivals.spans(
            chance, until, 20 * DAY, lambda: arrivals.lognormal(chance, 60, 3.0)
        )
    ]
