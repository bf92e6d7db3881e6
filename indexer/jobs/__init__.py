"""Durable jobs: work of hours, in a database that outlives every process (SQLite or PostgreSQL).

    message → job stored → message acknowledged
    claimed (lease, heartbeat) → checkpoint: progress + outputs, one transaction → outputs sent → …
    → ended: status + last outputs, one transaction → outputs sent → closed

A job that stops early, because its process died or the program ends, is claimed by another process
and goes on from its last checkpoint. Nothing here runs a job (`loops.jobs`) or knows a broker.
"""
