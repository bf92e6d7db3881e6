"""Samples of what a producer makes, for tests and staging: a random part, a number of payloads."""

import random
from collections.abc import Callable, Iterable, Iterator

from indexer.errors import ConfigurationError
from indexer.messages.worker import Mark, Out, Skipped

DROPPED = "dropped"
"""The status of a payload that sampling leaves out."""

SAMPLE_PERCENT = 10.0
"""The part that `--sample-size` takes, so that its sample isn't all from the first file."""


class Sampler:
    """Selects a random part of the payloads: `random_sample` percent, at most `max_messages`.

    `sample_size` means ten percent, and at most that many. Without any of the three, all payloads.
    """

    def __init__(
        self,
        max_messages: int | None = None,
        random_sample: float | None = None,
        sample_size: int | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        if sample_size is not None and (max_messages is not None or random_sample is not None):
            raise ConfigurationError(
                "--sample-size is --random-sample 10 with --max-messages: give it without them"
            )
        if random_sample is not None and not 0 <= random_sample <= 100:
            raise ConfigurationError(f"--random-sample is a percentage: not {random_sample}")
        self._left = max_messages if sample_size is None else sample_size
        self._percent = random_sample if sample_size is None else SAMPLE_PERCENT
        self._chance = chance
        self.active = self._left is not None or self._percent is not None

    @property
    def done(self) -> bool:
        """Whether it has selected as many payloads as it may."""
        return self._left is not None and self._left <= 0

    def sample(self, items: Iterable[Out | Skipped | Mark]) -> Iterator[Out | Skipped | Mark]:
        """The items, with Skipped in place of payloads that are left out; ends when it is done."""
        # Checked before the first item: taking one makes the producer open an input.
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
