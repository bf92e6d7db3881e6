"""The current time, in the format of the feeds database."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The current UTC time, without a zone."""
    return datetime.now(UTC).replace(tzinfo=None)
