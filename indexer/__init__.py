"""The library: the core, which knows no family, and the families' domain code, in rooms.

    produce → [queue] → load → hold? → process → Outcome(status, sends) → settle → [queues]

A room imports rooms of lower floors only. From the ground up:

    errors                                the one tree of exceptions
    text  system                          input as text; what a process asks of its machine
    files                                 locks, files written whole or not at all, journals
    messages  database  warc              what travels; SQL; WARC records
    blobstore  metrics                    where files are kept; numbers, declared once
    spool  http                           files to be uploaded; URLs, addresses, polite fetching
    broker  search                        queues and indexes: one interface, two backends each
    loops                                 the loops around workers
    programs  running                     how a program starts and ends; a pipeline on this machine
    inputs  news                          what producers read; what stories and feeds share
    stories  feeds  pipeview  operations  the families: none imports another
    commands                              the `story-indexer` command: imported by nothing

`tests/test_architecture.py` enforces the floors. `docs/architecture.md` draws them.
"""
