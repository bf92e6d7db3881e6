"""Profiles a program of the feeds pipeline; `python -m benchmarks.feeds --profile` starts it.

The profile of all its threads together is DIRECTORY/NAME.prof, for `python -m pstats`.
"""

import cProfile
import os
import pstats
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from pipeline import flavor

DIRECTORY = "BENCH_PROFILES"


def main() -> int:
    """Run the program of the step PROCESS_NAME. Returns its exit status."""
    name = os.environ["PROCESS_NAME"]
    pipeline = flavor("feeds")
    step = next(step for step in pipeline.steps if step.name == name)
    run: Callable[[], int] = import_module(pipeline.program(step)).main
    profiles = [cProfile.Profile()]

    def begin(frame: FrameType, event: str, argument: Any) -> None:  # noqa: ARG001 - the signature
        """Called at the first event of a new thread: profiles the thread from then on."""
        profile = cProfile.Profile()
        profiles.append(profile)
        profile.enable()

    threading.setprofile(begin)
    try:
        return profiles[0].runcall(run)
    finally:
        threading.setprofile(None)
        _write(profiles, Path(os.environ[DIRECTORY]) / f"{name}.prof")


def _write(profiles: list[cProfile.Profile], path: Path) -> None:
    first, *others = profiles
    sums = pstats.Stats(first)
    for profile in others:
        if profile.getstats():
            sums.add(profile)
    sums.dump_stats(path)


if __name__ == "__main__":
    sys.exit(main())
