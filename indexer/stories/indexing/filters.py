"""Conditions on stories that options and parameters name: dates, languages, domains."""

from collections.abc import Sequence
from datetime import date, timedelta

from indexer.search.language.tree import Between, OneOf, Tree


def filters(
    start: date | None = None,
    end: date | None = None,
    languages: Sequence[str] = (),
    domains: Sequence[str] = (),
) -> list[Tree]:
    """The conditions on a story: the first and last date of publication, any of the values."""
    found: list[Tree] = []
    if start or end:
        # Between excludes its end, and the calendar's last day has none after it.
        after = end + timedelta(days=1) if end and end < date.max else None
        bounds = [each.isoformat() if each else None for each in (start, after)]
        found.append(Between("publication_date", *bounds))
    named = {"language": languages, "canonical_domain": domains}
    found += [OneOf(name, tuple(map(str.lower, some))) for name, some in named.items() if some]
    return found
