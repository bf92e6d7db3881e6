"""Splits long sequences into lists of limited length."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of that size, the last one shorter; one list is in memory."""
    remaining = iter(items)
    while some := list(islice(remaining, size)):
        yield some
