"""Only some of what could be queued: for tests and staging (stories.md 3.8)."""

import random
from collections.abc import Callable, Iterable, Iterator

from indexer.errors import ConfigurationError
from indexer.messages.worker import Mark, P, Skipped

DROPPED = "dropped"

SAMPLE_PERCENT = 10.0
"""Of what `--sample-size` takes its part, so that it isn't all of the first file."""


class Sampler:
    """Lets a random part of the payloads through, and at most so many.

    `sample_size` is short for ten percent, and at most so many. None of the three: all.
    """

    def __init__(
        self,
        max_stories: int | None = None,
        random_sample: float | None = None,
        sample_size: int | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        if sample_size is not None and (max_stories is not None or random_sample is not None):
            raise ConfigurationError(
                "--sample-size is --random-sample 10 with --max-stories: give it without them"
            )
        if random_sample is not None and not 0 <= random_sample <= 100:
            raise ConfigurationError(f"--random-sample is a percentage: not {random_sample}")
        self._left = max_stories if sample_size is None else sample_size
        self._percent = random_sample if sample_size is None else SAMPLE_PERCENT
        self._chance = chance
        self.active = self._left is not None or self._percent is not None

    @property
    def done(self) -> bool:
        """Whether it has let through all that it will."""
        return self._left is not None and self._left <= 0

    def sample(self, items: Iterable[P | Skipped | Mark]) -> Iterator[P | Skipped | Mark]:
        """The items, the payloads that are left out as Skipped; ends when it is done."""
        if self.done:
            return
        for item in items:
            if isinstance(item, Skipped | Mark) or self._wants():
                yield item
            else:
                yield Skipped(DROPPED, item.label)
            if self.done:
                return

    def _wants(self) -> bool:
        if self._percent is not None and self._chance() * 100 >= self._percent:
            return False
        if self._left is not None:
            self._left -= 1
        return True
