"""Finds and opens archives of stories in files, directories, buckets and lists of names."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import BinaryIO

from indexer.errors import FetchError, InputError
from indexer.inputs.inputs import Input, Inputs
from indexer.text.unpacking import input_errors

PATTERNS = ("*.warc", "*.warc.gz")
"""Names of archives in directories and buckets."""

STORES = ("ARCHIVER", "QUEUER")
"""Prefixes of the variables with credentials for buckets; the first complete set is used."""


def archives(
    names: Sequence[str], unread: Callable[[InputError], None] | None = None
) -> Iterator[Input]:
    """The archives with these names, at least one. Raises InputError, ConfigurationError.

    `unread` receives the errors of names that lead to no archive; without it the first one is
    raised.
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
    """The compressed bytes of an archive. Opening and reading raise InputError."""
    # Not unpacked: after a damaged record, a reader continues at the next gzip member.
    with input_errors(archive.name), closing(archive.source.open()) as file:
        yield file


def _not_from_the_web(url: str) -> BinaryIO:
    raise FetchError(f"{url}: archives are not read from the web; download it first")
