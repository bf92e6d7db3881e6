"""Time as an argument: a clock that only tests move."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)


class Clock:
    """A clock that stands still; a call returns seconds, as `time.monotonic` does."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def utc(self) -> datetime:
        """The time, as `datetime.now(UTC)` returns it."""
        return START + timedelta(seconds=self.seconds - 1000.0)

    def time(self) -> float:
        """The seconds since 1970, as `time.time` returns them."""
        return self.utc().timestamp()

    def sleep(self, seconds: float) -> None:
        """Move the time forward."""
        self.seconds += seconds
