"""SQL that finds ready feeds whose source, host and domain are below the concurrency limit.

    oldest ready feeds → leased feeds, plus ready ones that come first → those below the limit

The statements are built once. Their parameters are NOW, LIMIT (feeds wanted) and WINDOW (ready
feeds examined).
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

from indexer.database.leases import is_leased
from indexer.feeds.models import IS_POLLED, feeds, paces

NOW: Final = "now"
LIMIT: Final = "limit"
WINDOW: Final = "window"

_NOW: Final = bindparam(NOW, type_=DateTime)

LIMITED: Final = {
    "sources_id": feeds.c.sources_id,
    "host": feeds.c.host,
    "domain": feeds.c.domain,
    # Redirects are followed, so the host where they ended last is visited, too.
    "final_host": func.coalesce(feeds.c.final_host, feeds.c.host),
}
"""Columns that limit how many feeds of one value are polled at once."""


def ready(limit: str = LIMIT) -> CTE:
    """The feeds that became ready first; `limit` names the parameter for their number.

    On PostgreSQL rows that another transaction has locked are skipped.
    """
    return (
        select(feeds.c.id, feeds.c.ready_at, *_limited())
        .where(IS_POLLED, feeds.c.ready_at <= _NOW)
        .order_by(feeds.c.ready_at)
        .limit(bindparam(limit, type_=Integer))
        .with_for_update(skip_locked=True)
        .cte("ready")
    )


def excess(concurrency: int) -> CTE:
    """For each ready feed its `excess`: its place among those above the limit, if positive.

    A feed whose host is blocked has its `blocked_until`, and is always above the limit.
    """
    ranks = _ranks(ready(WINDOW), concurrency)
    # The greatest of all columns; SQLite and PostgreSQL name that function differently.
    most: ColumnElement[int] = case((ranks.c.blocked_until.is_not(None), 1), else_=0)
    for name in LIMITED:
        most = case((ranks.c[f"by_{name}"] > most, ranks.c[f"by_{name}"]), else_=most)
    columns = [ranks.c.id, ranks.c.ready_at, ranks.c.blocked_until, most.label("excess")]
    return select(*columns).cte("excess")


def within_limits(excess: CTE) -> CTE:
    """The feeds that may be polled now, oldest first."""
    return (
        select(excess.c.id)
        .where(excess.c.excess <= 0)
        .order_by(excess.c.ready_at)
        .limit(bindparam(LIMIT, type_=Integer))
        .cte("allowed")
    )


def _ranks(ready: CTE, concurrency: int) -> CTE:
    """The excess of each ready feed by each limited column; a null value has no limit."""
    source: Any = ready
    # Read once, by the index of leases; otherwise each of the four joins would read it again.
    under_way = select(*_limited()).where(is_leased(feeds, _NOW)).cte("under_way")
    under_way = under_way.prefix_with("MATERIALIZED")
    columns: list[ColumnElement[Any]] = [ready.c.id, ready.c.ready_at]
    for name in LIMITED:
        busy = _numbers(under_way, name)
        source = source.outerjoin(busy, busy.c.value == ready.c[name])
        # All ranks use the same order: otherwise two feeds could each wait for the other.
        order = (ready.c.ready_at, ready.c.id)
        rank = func.row_number().over(partition_by=ready.c[name], order_by=order)
        excess = rank + func.coalesce(busy.c.number, 0) - concurrency
        columns.append(case((ready.c[name].is_(None), 0), else_=excess).label(f"by_{name}"))
    block = paces.alias("block")
    source = source.outerjoin(
        block, and_(block.c.key == literal("host:") + ready.c.host, block.c.blocked_until > _NOW)
    )
    return select(*columns, block.c.blocked_until).select_from(source).cte("ranks")


def _limited() -> list[ColumnElement[Any]]:
    return [value.label(name) for name, value in LIMITED.items()]


def _numbers(under_way: CTE, name: str) -> Subquery:
    """How many leased feeds each value of a column has."""
    column = under_way.c[name]
    numbers = select(column.label("value"), func.count().label("number")).group_by(column)
    return numbers.subquery(f"busy_{name}")
