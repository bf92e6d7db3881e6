"""The time, as the database of feeds has it."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The moment, UTC, without a zone."""
    return datetime.now(UTC).replace(tzinfo=None)
