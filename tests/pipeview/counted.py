"""Short ways to make crumbs, to count them, and to read the counts."""

import uuid
from collections import Counter
from datetime import date

from indexer.pipeview.crumbs import Crumb
from indexer.pipeview.store import CrumbStore, Selection

TODAY = date(2026, 1, 15)


def a_crumb(
    status: str = "success",
    *,
    day: str = "2026-01-15",
    feed: int | None = 7,
    source: int | None = 1,
    domain: str | None = "site.example",
    app: str = "fetcher",
) -> Crumb:
    """One crumb."""
    return Crumb(
        date=date.fromisoformat(day),
        feed_id=feed,
        source_id=source,
        domain=domain,
        app=app,
        status=status,
    )


def put(store: CrumbStore, *crumbs: Crumb, id: str = "", today: date = TODAY) -> bool:
    """Count a message of crumbs, by default a new one; return whether it was counted now."""
    id = id or uuid.uuid4().hex
    return store.add({id: Counter(crumbs)}, today) == {id}


def rows(store: CrumbStore, *columns: str, **values: str | int | None) -> list[tuple[object, ...]]:
    """Return the sums by some columns: their values, stories, rows."""
    return [tuple(row.values()) for row in store.sums(columns, Selection(values))]
