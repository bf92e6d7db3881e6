"""The stages that stories, feeds and operators wait for: one module each, ours and alternatives.

A module of this folder has `stages(pages)`, a context manager of the `Stage`s that it measures; the
server of a stage, its files and processes live as long as the context.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pkgutil import iter_modules

from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.stage import Stage, Unmeasured

Stages = Callable[[Sequence[CorpusPage]], AbstractContextManager[Sequence[Stage | Unmeasured]]]

ORDER = (
    "parsing",
    "messages",
    "importing",
    "archiving",
    "reading",
    "fetching",
    "queueing",
    "indexing",
    "searching",
    "polling",
    "starting",
    "whole",
)
"""The order of the table; a module that is not named comes last."""


def names() -> list[str]:
    """The modules of this folder, in the order of the table."""
    found = [module.name for module in iter_modules(__path__)]
    return sorted(found, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


def opened(name: str) -> Stages:
    """The function `stages` of a module."""
    found: Stages = import_module(f"{__name__}.{name}").stages
    return found
