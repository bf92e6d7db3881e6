"""Which feed is polled next, and when: schedule, leases, limits per host, statistics.

Only `claiming`, `paces`, `fetch_soon`, `statistics` and `watching` query the
database; the other modules compute. No module here sends a request.
"""
