"""What a run has done so far: counts of outcomes, by step, kind and status."""

import threading
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from indexer.messages.outcome import OutcomeKind


class Usage(NamedTuple):
    """What a program has used: CPU seconds with its children's, peak memory in bytes."""

    cpu: float
    peak: int


class Tally:
    """Counts from the reports of many programs. Thread-safe."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._archives: list[str] = []
        self._usage: list[tuple[str, Usage]] = []
        self._lock = threading.Lock()

    def add(self, step: str, kind: str, status: str) -> None:
        """Count one outcome."""
        with self._lock:
            self._counts[(step, kind, status)] += 1

    def archive(self, url: str) -> None:
        """Note a finished file."""
        with self._lock:
            self._archives.append(url)

    def used(self, step: str, usage: Usage) -> None:
        """Note what a program used, when it has ended."""
        with self._lock:
            self._usage.append((step, usage))

    def usage(self, step: str) -> Usage:
        """What a step's programs used: CPU seconds of all, peak memory of the largest."""
        with self._lock:
            used = [usage for name, usage in self._usage if name == step]
        return Usage(sum(u.cpu for u in used), max((u.peak for u in used), default=0))

    @property
    def archives(self) -> list[str]:
        """URLs of the finished files."""
        with self._lock:
            return list(self._archives)

    @property
    def events(self) -> int:
        """How many outcomes there were: it changes when anything happens."""
        with self._lock:
            return self._counts.total()

    def by_status(self, kind: OutcomeKind, step: str = "") -> Mapping[str, int]:
        """Counts of a kind of outcome by status, of one step or of all, largest first."""
        counts: Counter[str] = Counter()
        with self._lock:
            for (its_step, its_kind, status), count in self._counts.items():
                if its_kind == kind and (not step or its_step == step):
                    counts[status] += count
        return dict(counts.most_common())

    def count(self, kind: OutcomeKind, step: str = "") -> int:
        """How many outcomes of a kind there were, at one step or at all."""
        return sum(self.by_status(kind, step).values())
