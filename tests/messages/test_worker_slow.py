"""The interfaces of programs, as the type checker sees them: wrong programs are refused."""

import pytest
from mypy import api

from tests.each_row import each_row
from tests.paths import ROOT

HEAD = """
from collections.abc import Generator, Sequence
from typing import Never

from indexer.errors import Disposition
from indexer.feeds.attempt import Attempt, Poll
from indexer.messages.job_worker import Checkpoint, Job, JobSteps, JobWorker
from indexer.messages.worker import BatchWorker, Done, Hold, Mark, Producer, Result, Skipped, Worker
from indexer.programs.app import (
    ProgramOptions, run_batch_worker, run_job_worker, run_producer, run_worker,
)
from indexer.stories.story import Story
"""

WORKER = """
class Program(Worker[Poll, Attempt]):
    takes = {takes}
    def __init__(self, options: ProgramOptions) -> None: ...
    def process(self, payload: {payload}) -> {result}:
        return {value}
run_worker(Program, ProgramOptions)
"""

HOLDER = """
class Program(Worker[Story, Story]):
    takes = Story
    def hold(self, payload: Story) -> Hold[Story]:
        return Hold(1.0, lambda: {value})
    def process(self, payload: Story) -> Story:
        return payload
"""

SERVER = """
class Program(Worker[Poll, Attempt]):
    takes = Poll
    def process(self, payload: Poll) -> None: ...
    def unserved(self, request: Attempt) -> Result[Attempt]:
        return {value}
"""

JOBS = """
class Program(JobWorker[Poll, Attempt, int]):
    takes = Poll
    keeps = int
    def __init__(self, options: ProgramOptions) -> None: ...
    def run(self, job: Job[Poll, int]) -> JobSteps[int, Attempt]:
        yield Checkpoint({progress}, [{value}])
        return Done([Attempt(poll=job.payload, started=job.payload.expires)], "read")
run_job_worker(Program, ProgramOptions)
"""

BATCHES = """
class Program(BatchWorker[Story, Never]):
    takes = Story
    def __init__(self, options: ProgramOptions) -> None: ...
    def add(self, payload: Story) -> None: ...
    def flush(self) -> Sequence[Result[Never] | Disposition]:
        return [{value}]
run_batch_worker(Program, ProgramOptions)
"""

PRODUCER = """
class Program(Producer[Poll]):
    def __init__(self, options: ProgramOptions) -> None: ...
    def produce(self) -> Generator[Poll | Skipped | Mark, None, None]:
        yield {value}
run_producer(Program, ProgramOptions)
"""


def worker(value: str, result: str = "Result[Attempt]", payload: str = "Poll") -> str:
    """A worker that takes polls and makes attempts."""
    return WORKER.format(takes="Poll", payload=payload, result=result, value=value)


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the type checker says of each program, from one run for all of them."""
    folder = tmp_path_factory.mktemp("programs")
    for name, program in PROGRAMS.items():
        (folder / f"{name}.py").write_text(HEAD + program)
    said, problem, _ = api.run(
        ["--strict", f"--config-file={ROOT / 'pyproject.toml'}", str(folder)]
    )
    assert not problem
    return {
        name: "\n".join(line for line in said.splitlines() if f"{name}.py" in line)
        for name in PROGRAMS
    }


RIGHT = {
    "right_worker": worker("[Attempt(poll=payload, started=payload.expires)]"),
    "right_status": worker("Done([Attempt(poll=payload, started=payload.expires)], 'fetched')"),
    "right_hold": HOLDER.format(value="payload"),
    "right_answer": SERVER.format(value="request"),
    "right_job": JOBS.format(
        progress="1", value="Attempt(poll=job.payload, started=job.payload.expires)"
    ),
    "right_batches": BATCHES.format(value="None"),
    "right_producer": PRODUCER.format(value="Mark()"),
}

WRONG = {
    "other_result": worker("payload", result="Poll"),
    "other_value": worker("payload"),
    "other_in_a_list": worker("[Story()]"),
    "other_in_done": worker("Done([Story()])"),
    "other_payload": worker("None", payload="Story"),
    "other_takes": WORKER.format(takes="Story", payload="Poll", result="None", value="None"),
    "other_from_hold": HOLDER.format(value="Mark()"),
    "other_answer": SERVER.format(value="Story()"),
    "other_from_job": JOBS.format(progress="1", value="job.payload"),
    "other_progress": JOBS.format(progress="'one'", value=""),
    "other_from_batches": BATCHES.format(value="Done([Story()])"),
    "other_from_producer": PRODUCER.format(value="Story()"),
    "other_loop": worker("None").replace("run_worker(", "run_producer("),
}

PROGRAMS = {**RIGHT, **WRONG}


@each_row("name", RIGHT)
def test_a_program_that_returns_what_it_says_is_accepted(
    name: str, refusals: dict[str, str]
) -> None:
    assert refusals[name] == ""


@each_row("name", WRONG)
def test_a_program_that_returns_something_else_is_refused(
    name: str, refusals: dict[str, str]
) -> None:
    assert "error:" in refusals[name]
