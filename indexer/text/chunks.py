"""Many things, some at a time."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in lists of that size, the last one shorter; holds one list at a time."""
    remaining = iter(items)
    while some := list(islice(remaining, size)):
        yield some
