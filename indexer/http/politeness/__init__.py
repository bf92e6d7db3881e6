"""Politeness: when a site may be visited next. Nothing here sleeps; the clock is an argument.

    arrival → Scoreboard.reserve(site) → seconds to wait, or Requeue("busy"), Retry("skipped")
    start   → with Scoreboard.visit(site) as visit: …   or Requeue("busy"), Retry("skipped2")
                  visit.succeeded(seconds) | visit.throttled(retry_after) | visit.unreachable()

The rules are those of stories.md 6.2. `site` has the rules for one site, also for its Retry-After,
`scoreboard` the state of all sites, `record` the file in which the state outlives the program,
`traffic` the gauges.
"""

from indexer.http.politeness.scoreboard import Scoreboard, Visit
from indexer.http.politeness.site import SiteLimits, retry_after
from indexer.http.politeness.traffic import Traffic

__all__ = ["Scoreboard", "SiteLimits", "Traffic", "Visit", "retry_after"]
