"""Runs jobs of some steps; each step is an output."""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from indexer.messages.job_worker import Checkpoint, Job, JobSteps, JobWorker
from indexer.programs.app import ProgramOptions, run_job_worker
from indexer.system.options import option
from tests.toy.task import Command, Task


class StepsOptions(ProgramOptions):
    """Options of the program."""

    step_seconds: float = option(0.0, "duration of a step", "TOY_STEP_SECONDS")
    most_deaths: int = option(20, "deaths until a job is quarantined", "TOY_MOST_DEATHS")
    died: Path = option(Path("died"), "marker", "TOY_DIED")


class Steps(JobWorker[Task, Task, int]):
    """A job of any number of steps. `hang` waits before the first one until it is stopped; `die`
    dies in the first one each time, `once` in the second one the first time.
    """

    name = "steps"
    takes = Task
    keeps = int
    heeds = Command

    def __init__(self, options: StepsOptions) -> None:
        self._seconds = options.step_seconds
        self._died = options.died
        self.max_deaths = options.most_deaths

    def identity(self, payload: Task) -> str:
        return payload.id

    def repeated(self, job: Job[Task, int]) -> Sequence[Task]:
        return [Task(job.id, text=job.state)]

    def run(self, job: Job[Task, int]) -> JobSteps[int, Task]:
        if job.payload.text == "hang":
            job.stopping.wait()
        for number in range((job.progress or 0) + 1, job.payload.steps + 1):
            time.sleep(self._seconds)
            text = job.payload.text
            if text == "die" or (text == "once" and number == 2 and not self._died.exists()):
                self._died.touch()
                os._exit(70)
            yield Checkpoint(number, [Task(job.id, text=f"step {number}")])
        return Task(job.id, text="all")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    return run_job_worker(Steps, StepsOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
