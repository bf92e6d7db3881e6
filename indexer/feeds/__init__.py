"""Feeds: polls the feeds of a database politely, and sends each new story once.

    scheduler → feed fetcher → feed parser → story saver → API, daily files, the stories pipeline

    claim   each ready feed is leased to one attempt                  polling
    fetch   conditional, bounded; every result has a status           fetching
    parse   only changed documents; items are tested one by one       reading, identity
    save    stories, refs, event and next poll in one transaction     saving, polling.schedule

Decisions are pure functions of a `Feed` and an `Attempt`. Few modules query the database:
`polling.claiming`, `polling.paces`, `saving`, and those that list, sync and prune.
"""
