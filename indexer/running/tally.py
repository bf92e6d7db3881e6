"""The counts of a run: outcomes by step, kind and status; files made; CPU and memory."""

import threading
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from indexer.messages.outcome import OutcomeKind


class Usage(NamedTuple):
    """The usage of a program and its children: CPU seconds, peak memory in bytes."""

    cpu: float
    peak: int


class Tally:
    """Adds up the reports of many programs. Thread-safe."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._made: list[str] = []
        self._reasons: dict[str, str] = {}
        self._inputs: Counter[str] = Counter()
        self._usage: list[tuple[str, Usage]] = []
        self._lock = threading.Lock()

    def add(self, step: str, kind: str, status: str) -> None:
        """Count one outcome."""
        with self._lock:
            self._counts[(step, kind, status)] += 1

    def add_made(self, url: str) -> None:
        """Add a file that a program has made."""
        with self._lock:
            self._made.append(url)

    def add_reason(self, status: str, why: str) -> None:
        """Add a message that was dropped, and why; the first one of its status is kept."""
        with self._lock:
            self._reasons.setdefault(status, why)

    def add_inputs(self, status: str, number: int) -> None:
        """Add inputs of a program that has ended, by the result of reading them."""
        with self._lock:
            self._inputs[status] += number

    def used(self, step: str, usage: Usage) -> None:
        """Add the usage of a program that has ended."""
        with self._lock:
            self._usage.append((step, usage))

    def usage(self, step: str) -> Usage:
        """The usage of a step's programs: CPU seconds of all, peak memory of the largest."""
        with self._lock:
            used = [usage for name, usage in self._usage if name == step]
        return Usage(sum(u.cpu for u in used), max((u.peak for u in used), default=0))

    @property
    def made(self) -> list[str]:
        """The URLs of the files that the programs have made."""
        with self._lock:
            return list(self._made)

    @property
    def reasons(self) -> Mapping[str, str]:
        """By status, the first message that was discarded or skipped, and why."""
        with self._lock:
            return dict(self._reasons)

    @property
    def inputs(self) -> Mapping[str, int]:
        """The inputs of programs that have ended, by the result of reading them."""
        with self._lock:
            return dict(self._inputs)

    @property
    def events(self) -> int:
        """The number of outcomes so far."""
        with self._lock:
            return self._counts.total()

    def by_status(self, kind: OutcomeKind, step: str = "") -> Mapping[str, int]:
        """The outcomes of a kind by status, largest number first; of one step, or of all."""
        counts: Counter[str] = Counter()
        with self._lock:
            for (its_step, its_kind, status), count in self._counts.items():
                if its_kind == kind and (not step or its_step == step):
                    counts[status] += count
        return dict(counts.most_common())

    def count(self, kind: OutcomeKind, step: str = "") -> int:
        """The number of outcomes of a kind; of one step, or of all."""
        return sum(self.by_status(kind, step).values())
