"""Archives of stories, wherever they are: files, directories, buckets, lists of them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import BinaryIO

from indexer.errors import FetchError, InputError
from indexer.inputs.inputs import Input, Inputs
from indexer.text.unpacking import input_errors

PATTERNS = ("*.warc", "*.warc.gz")
"""What archives in directories and buckets are named like."""

STORES = ("ARCHIVER", "QUEUER")
"""Whose credentials are tried for buckets."""


def archives(
    names: Sequence[str], unread: Callable[[InputError], None] | None = None
) -> Iterator[Input]:
    """The archives of those names, at least one. Raises InputError, ConfigurationError.

    With `unread` a name that nothing is found of is no error: it is told, and the rest found.
    """
    inputs = Inputs(fetch=_not_from_the_web, stores=STORES, only=PATTERNS)
    found = False
    for each in inputs.available(names, unread) if unread else inputs.find(names):
        found = True
        yield each
    if not found:
        raise InputError(f"no archives ({' or '.join(PATTERNS)}) in {', '.join(names)}")


@contextmanager
def opened(archive: Input) -> Iterator[BinaryIO]:
    """The bytes of an archive, as they are. What fails, now or later, is an InputError."""
    # Not unpacked: readers go on behind a damaged record where the next gzip member starts.
    with input_errors(archive.name), closing(archive.source.open()) as file:
        yield file


def _not_from_the_web(url: str) -> BinaryIO:
    raise FetchError(f"{url}: archives are not read from the web: download it first")
