"""The state of a job, for people and programs that need no database."""

from enum import StrEnum


class JobState(StrEnum):
    """The state of a job, as it is shown; the last three are endings."""

    WAITING = "waiting"
    RUNNING = "running"
    STOPPING = "stopping"
    CANCELLING = "cancelling"
    DONE = "done"
    DISCARDED = "discard"
    QUARANTINED = "quarantine"
