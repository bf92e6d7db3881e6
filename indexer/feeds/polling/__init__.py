"""Which feed is polled next, and when: schedule, leases, limits per host, statistics.

Only `claiming`, `paces`, `statistics` and `watching` query the database; the other modules
compute. No module here sends a request.
"""
