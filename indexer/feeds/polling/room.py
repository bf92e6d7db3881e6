"""Which of the feeds that are ready have room at their source, host and domain: as SQL.

    the oldest that are ready → how many of theirs are under way or come first → those with room

The statements are built once. Their parameters are NOW, LIMIT (feeds that are wanted) and WINDOW
(ready feeds that are looked at).
"""

from typing import Any, Final

from sqlalchemy import (
    CTE,
    ColumnElement,
    DateTime,
    Integer,
    Subquery,
    and_,
    bindparam,
    case,
    func,
    literal,
    select,
)

from indexer.feeds.models import IS_POLLED, feeds, paces

NOW: Final = "now"
LIMIT: Final = "limit"
WINDOW: Final = "window"

_NOW: Final = bindparam(NOW, type_=DateTime)

LIMITED: Final = {
    "sources_id": feeds.c.sources_id,
    "host": feeds.c.host,
    "domain": feeds.c.domain,
    # Where redirects lead is visited, too.
    "final_host": func.coalesce(feeds.c.final_host, feeds.c.host),
}
"""That of which each value has room for so many at once."""


def ready(limit: str = LIMIT) -> CTE:
    """The feeds that have been ready for longest; on PostgreSQL those that nobody else has.

    As many as the parameter of that name says.
    """
    columns = [feeds.c.id, feeds.c.ready_at, *_limited()]
    return (
        select(*columns)
        .where(IS_POLLED, feeds.c.ready_at <= _NOW)
        .order_by(feeds.c.ready_at)
        .limit(bindparam(limit, type_=Integer))
        .with_for_update(skip_locked=True)
        .cte("ready")
    )


def chances(concurrency: int) -> CTE:
    """Of each ready feed its `excess`: how many more than have room would come before it.

    `blocked_until`: its host is not to be visited before; then there is no room at all.
    """
    ranks = _ranks(ready(WINDOW), concurrency)
    most: ColumnElement[int] = case((ranks.c.blocked_until.is_not(None), 1), else_=0)
    for name in LIMITED:
        most = case((ranks.c[f"by_{name}"] > most, ranks.c[f"by_{name}"]), else_=most)
    columns = [ranks.c.id, ranks.c.ready_at, ranks.c.blocked_until, most.label("excess")]
    return select(*columns).cte("chances")


def _ranks(ready: CTE, concurrency: int) -> CTE:
    """The same for each of what limits it; what has no source, host or domain has no limit."""
    source: Any = ready
    under_way = _under_way()
    columns: list[ColumnElement[Any]] = [ready.c.id, ready.c.ready_at]
    for name in LIMITED:
        busy = _numbers(under_way, name)
        source = source.outerjoin(busy, busy.c.value == ready.c[name])
        # Every rank in the same order: who comes first is first for its source, host and domain.
        order = (ready.c.ready_at, ready.c.id)
        rank = func.row_number().over(partition_by=ready.c[name], order_by=order)
        excess = rank + func.coalesce(busy.c.number, 0) - concurrency
        columns.append(case((ready.c[name].is_(None), 0), else_=excess).label(f"by_{name}"))
    pause = paces.alias("pause")
    source = source.outerjoin(
        pause, and_(pause.c.key == literal("host:") + ready.c.host, pause.c.blocked_until > _NOW)
    )
    return select(*columns, pause.c.blocked_until).select_from(source).cte("ranks")


def allowed(chances: CTE) -> CTE:
    """Those that have room, oldest first."""
    return (
        select(chances.c.id)
        .where(chances.c.excess <= 0)
        .order_by(chances.c.ready_at)
        .limit(bindparam(LIMIT, type_=Integer))
        .cte("allowed")
    )


def _under_way() -> CTE:
    """The feeds whose lease has not ended."""
    under_way = select(*_limited()).where(feeds.c.lease_expires > _NOW).cte("under_way")
    # Read once, and by the index of leases.
    return under_way.prefix_with("MATERIALIZED")


def _limited() -> list[ColumnElement[Any]]:
    return [value.label(name) for name, value in LIMITED.items()]


def _numbers(under_way: CTE, name: str) -> Subquery:
    """How many of them each value of a column has."""
    column = under_way.c[name]
    numbers = select(column.label("value"), func.count().label("number")).group_by(column)
    return numbers.subquery(f"busy_{name}")
