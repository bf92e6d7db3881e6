"""Feeds: a database of feeds is polled politely, and every new story is handed on exactly once.

    scheduler → feed fetcher → feed parser → story saver → API, daily files, the stories pipeline

    claim   ready feeds are leased to one attempt each             claiming, paces
    fetch   conditional, bounded; every ending has a status        conditional, redirects, statuses
    parse   only what has changed: items, tested one by one        reading, acceptance, identity
    save    stories, refs, event and next time in one transaction  saving, schedule, rate

What is decided is decided by pure functions of a `Feed` and an `Attempt`; the database is touched
in `claiming`, `paces`, `saving` and the modules that list, sync and prune.
"""
