"""The options of programs and commands that read archives of source code."""

from dataclasses import dataclass

from indexer.http.fetching.options import FetchOptions
from indexer.system.options import Options, group, option


@dataclass(frozen=True, slots=True)
class CloneLimits:
    """The most received bytes of a clone, and its time in seconds."""

    bytes: int = 500_000_000
    seconds: float = 600.0


class SourceArchiveOptions(Options):
    """Options of programs and commands that read archives of source code."""

    fetch: FetchOptions = group(FetchOptions)
    max_clone_bytes: int = option(
        CloneLimits().bytes, "most bytes received for a clone", "SOFTWARE_MAX_CLONE_BYTES"
    )
    max_clone_seconds: float = option(
        CloneLimits().seconds, "seconds for a clone", "SOFTWARE_MAX_CLONE_SECONDS"
    )

    @property
    def limits(self) -> CloneLimits:
        """The limits of a clone."""
        return CloneLimits(self.max_clone_bytes, self.max_clone_seconds)
