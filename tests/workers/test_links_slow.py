"""The links of all flavors: each step takes the payloads that the steps before it make."""

from functools import cache
from importlib import import_module
from typing import Any, get_args, get_origin

from indexer.feeds.attempt import NewStory
from indexer.messages.job_worker import JobWorker
from indexer.messages.worker import BatchWorker, Producer, Worker
from indexer.stories.story import Story
from pipeline import PIPELINES

KINDS = (Worker, BatchWorker, JobWorker, Producer)

SAME_FORMAT = {(NewStory, Story)}
"""Payloads of two families in the same format, see `tests/feeds/test_attempt.py`."""


@cache
def types_of(module: str) -> tuple[Any, Any]:
    """The payloads that a program takes (None: it is a producer) and makes."""
    programs = [
        each
        for each in vars(import_module(module)).values()
        if isinstance(each, type) and issubclass(each, KINDS) and each.__module__ == module
    ]
    [program] = programs
    [base] = vars(program)["__orig_bases__"]
    given = get_args(base)
    return (None, given[0]) if issubclass(get_origin(base), Producer) else given[:2]


def test_each_step_takes_what_the_steps_before_it_make() -> None:
    wrong = []
    for pipeline in PIPELINES:
        programs = {step.name: pipeline.program(step) for step in pipeline.steps}
        for step in pipeline.steps:
            for target in step.targets:
                made, taken = types_of(programs[step.name])[1], types_of(programs[target])[0]
                if made is not taken and (made, taken) not in SAME_FORMAT:
                    wrong.append(f"{step.name} makes {made}, {target} takes {taken}")
    assert wrong == []
