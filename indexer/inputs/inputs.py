"""Inputs: what is read is named on the command line, and may be almost anywhere.

file, directory        a directory stands for the files below it, the newest (last) name first
file:///path           the same as a URL
https://host/file      downloaded
s3://bucket/prefix*    every object whose key starts so, the last key first; b2:// too
@list                  a file with one name a line; blank lines and those with # don't count
-                      standard input

What is compressed with gzip is unpacked.
"""

import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit, urlunsplit

import structlog

from indexer.blobstore import REMOTE
from indexer.blobstore.credentials import open_all
from indexer.blobstore.directory import path_of, walk
from indexer.blobstore.fallback import Fallback
from indexer.errors import ConfigurationError, InputError
from indexer.inputs.sources import Download, Fetch, LocalFile, Source, StandardInput, StoredObject
from indexer.text.cleaning import is_text
from indexer.text.unpacking import HEAD, head_of, input_errors, packed, unpacked

log = structlog.get_logger()

MAX_UNPACKED_BYTES = 16 << 30
MAX_LIST_BYTES = 64 << 20

STANDARD_INPUT = "-"
WEB = ("http", "https")


@dataclass(frozen=True, slots=True)
class Input:
    """One file to read.

    `name` is its absolute path or full URL, without credentials. `depth` is 0 for those that
    were asked for, and one more than that of the file which named it for all others.
    """

    name: str
    source: Source
    depth: int = 0
    max_bytes: int = MAX_UNPACKED_BYTES

    @property
    def tracked(self) -> bool:
        """Whether it is the same when it is read again, so that it can be skipped or resumed."""
        return self.source.tracked

    def version(self) -> str:
        """What changes when the content does; the web's are fetched to know. Raises InputError."""
        with input_errors(self.name):
            return self.source.version()

    def close(self) -> None:
        """Let go of what was fetched for `version`, if it isn't to be opened."""
        self.source.close()

    def open(self, *, unpack: bool = True) -> BinaryIO:
        """The content, unpacked or as it is. Raises InputError, also while it is read."""
        opened = unpacked if unpack else packed
        with input_errors(self.name):
            return opened(self.name, self.source.open(), self.max_bytes)

    def head(self, size: int = HEAD) -> bytes:
        """The first bytes of the content, to tell what it is. Raises InputError."""
        with input_errors(self.name):
            opened = unpacked(self.name, self.source.begin(), self.max_bytes)
        with opened as file:
            return head_of(file, size)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Finds inputs by name.

    `fetch` opens URLs; `stores` are the names whose credentials are tried for buckets, in turn.
    `exact`: the URL of a bucket names one object, not all that start so. `only`: patterns, of
    which the names in directories and buckets have to match one. `may_be_empty`: a directory
    without files is no error, as files may come.
    """

    fetch: Fetch
    stores: Sequence[str] = ("QUEUER",)
    exact: bool = False
    only: Sequence[str] = ()
    max_bytes: int = MAX_UNPACKED_BYTES
    may_be_empty: bool = False

    def find(self, names: Sequence[str]) -> Iterator[Input]:
        """The inputs of those names, one after the other, each looked for when it is its turn.

        At once raises what `named` does; later InputError for what isn't in a directory or bucket.
        """
        return (found for name in self.named(names) for found in self._find(name))

    def available(
        self, names: Sequence[str], unread: Callable[[InputError], None]
    ) -> Iterator[Input]:
        """The inputs of those names that are there; `unread` is told of the others.

        At once raises ConfigurationError for what is no name.
        """
        given: list[str] = []
        for name in names:
            with _telling(unread):
                given.extend(_listed([name]))
        return self._available(given, unread)

    def named(self, names: Sequence[str]) -> list[str]:
        """The names, with those that are in lists.

        Raises InputError for files that don't exist, ConfigurationError for what is no name.
        """
        given = list(_listed(names))
        if missing := [name for name in given if not _may_exist(name)]:
            raise InputError(f"no such file or directory: {', '.join(missing)}")
        return given

    def on_the_web(self, url: str, depth: int = 0) -> Input:
        """The input of a URL that another input names. Raises InputError if it is no web URL."""
        if urlsplit(url).scheme.lower() not in WEB:
            raise InputError(f"{url}: only http:// and https:// may be named in a file")
        return Input(_public(url), Download(url, self.fetch), depth, self.max_bytes)

    def _available(
        self, names: Sequence[str], unread: Callable[[InputError], None]
    ) -> Iterator[Input]:
        for name in names:
            with _telling(unread):
                yield from self._find(name)

    def _find(self, name: str) -> Iterator[Input]:
        scheme = _scheme(name)
        if name == STANDARD_INPUT:
            yield Input("standard input", StandardInput(), max_bytes=self.max_bytes)
        elif scheme in WEB:
            yield self.on_the_web(name)
        elif scheme in REMOTE:
            yield from self._in_bucket(name)
        else:
            yield from self._local(path_of(name).absolute())

    def _local(self, path: Path) -> Iterator[Input]:
        with input_errors(str(path)):
            is_directory = stat.S_ISDIR(path.stat().st_mode)
        if not is_directory:
            yield Input(str(path), LocalFile(path), max_bytes=self.max_bytes)
            return
        with input_errors(str(path)):
            found = [name for name in walk(path) if self._wanted(name)]
        if not found and not self.may_be_empty:
            raise InputError(f"{path}: no files{self._only} are there")
        if not found:
            log.warning("no files", directory=str(path))
        for name in reversed(found):
            yield Input(str(path / name), LocalFile(path / name), max_bytes=self.max_bytes)

    def _in_bucket(self, url: str) -> Iterator[Input]:
        parts = urlsplit(url, allow_fragments=False)
        bucket = f"{parts.scheme}://{parts.netloc}"
        prefix = url[len(bucket) + 1 :]
        store = Fallback(open_all(bucket, *self.stores))
        with input_errors(url):
            found = [
                entry
                for entry in store.entries(prefix.removesuffix("*"))
                if (entry.key == prefix if self.exact else self._wanted(entry.key))
            ]
        if not found:
            raise InputError(f"{url}: nothing is there")
        for entry in reversed(found):
            yield Input(f"{bucket}/{entry.key}", StoredObject(store, entry), 0, self.max_bytes)

    @property
    def _only(self) -> str:
        """Which files are wanted, for a message."""
        return f" like {' or '.join(self.only)}" if self.only else ""

    def _wanted(self, name: str) -> bool:
        parts = name.split("/")
        # Hidden files are editors' and other programs' own.
        hidden = any(part.startswith(".") for part in parts)
        return not hidden and (
            not self.only or any(fnmatchcase(parts[-1], pattern) for pattern in self.only)
        )


@contextmanager
def _telling(unread: Callable[[InputError], None]) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        unread(error)


def _scheme(name: str) -> str:
    """The scheme of a URL in lower case; blank for a path."""
    return name.partition("://")[0].lower() if "://" in name else ""


def _listed(names: Sequence[str]) -> Iterator[str]:
    """The names, and those in the files that are named with `@`."""
    for name in names:
        yield from _lines(name[1:]) if name.startswith("@") else [_checked(name)]


def _lines(name: str) -> Iterator[str]:
    try:
        if Path(name).stat().st_size > MAX_LIST_BYTES:
            raise InputError(f"@{name}: a list of names has at most {MAX_LIST_BYTES} bytes")
        text = Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"@{name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"@{name}: not a list of names: it is not UTF-8 text") from error
    for line in text.splitlines():
        if (each := line.strip()) and not each.startswith("#"):
            if each.startswith("@"):
                raise InputError(f"@{name}: a list can't name another: {each}")
            yield _checked(each)


def _checked(name: str) -> str:
    """The name, if it is one. Raises ConfigurationError."""
    scheme = _scheme(name)
    if scheme not in ("", "file", *WEB, *REMOTE):
        raise ConfigurationError(f"{name}: inputs are files, or URLs of http(s), s3, b2 or file")
    if scheme in REMOTE and "*" in name.removesuffix("*"):
        raise ConfigurationError(f"{name}: a * can only be at the end")
    if "\0" in name or not name or not is_text(name):
        raise ConfigurationError(f"{name!r} is not the name of an input")
    return name


def _may_exist(name: str) -> bool:
    """Whether it is a local file, or so far away that only reading can tell."""
    local = name != STANDARD_INPUT and _scheme(name) in ("", "file")
    return not local or path_of(name).exists()


def _public(url: str) -> str:
    """The URL without a user and password."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
