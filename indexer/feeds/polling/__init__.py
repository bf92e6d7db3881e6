"""Which feed is polled next, and when: schedule, leases, limits for each host, statistics.

`claiming`, `paces`, `soon`, `statistics` and `watching` query the database; all else is arithmetic.
Nothing here sends a request.
"""
