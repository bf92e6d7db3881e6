"""Inputs, as they are named on the command line.

file, directory        a directory means all files below it, in descending order of their names:
                       names usually begin with a date, so that the newest come first
file:///path           the same as a URL
https://host/file      downloaded
s3://bucket/prefix*    all objects whose key starts with the prefix, in descending order; also b2://
@list                  a file with one name a line; blank lines and lines with # are ignored
-                      standard input

Inputs compressed with gzip are unpacked.
"""

import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit, urlunsplit

from indexer.blobstore import REMOTE, check_store_url
from indexer.blobstore.credentials import Fallback, open_all
from indexer.blobstore.directory import path_of, walk
from indexer.errors import ConfigurationError, InputError
from indexer.inputs.sources import Download, Fetch, LocalFile, Source, StandardInput, StoredObject
from indexer.system.loggers import get_logger
from indexer.text.cleaning import is_text
from indexer.text.unpacking import HEAD, head_of, input_errors, packed, unpacked
from indexer.warc import CDXJ

log = get_logger()

MAX_UNPACKED_BYTES = 16 << 30
MAX_LIST_BYTES = 64 << 20

STANDARD_INPUT = "-"
WEB = ("http", "https")


@dataclass(frozen=True, slots=True)
class Input:
    """One file to read.

    `name` is its absolute path or full URL, without credentials. `depth` is 0 for an input of the
    command line; an input that another one names has a depth of one more.
    """

    name: str
    source: Source
    depth: int = 0
    max_bytes: int = MAX_UNPACKED_BYTES

    @property
    def tracked(self) -> bool:
        """Whether a second reading gives the same content, so that it can be skipped or resumed."""
        return self.source.tracked

    def version(self) -> str:
        """A text that changes with the content; a web input is downloaded. Raises InputError."""
        with input_errors(self.name):
            return self.source.version()

    def close(self) -> None:
        """Release the download of `version`, if the input isn't opened."""
        self.source.close()

    def open(self, *, unpack: bool = True) -> BinaryIO:
        """The content, unpacked or as it is. Raises InputError, also while it is being read."""
        opened = unpacked if unpack else packed
        with input_errors(self.name):
            return opened(self.name, self.source.open(), self.max_bytes)

    def head(self, size: int = HEAD) -> bytes:
        """The first bytes of the content, to detect its kind. Raises InputError."""
        with input_errors(self.name):
            opened = unpacked(self.name, self.source.begin(), self.max_bytes)
        with opened as file:
            return head_of(file, size)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Finds inputs by name.

    `fetch` opens URLs. `stores` names the sets of credentials to try for buckets, in turn. With
    `exact`, a bucket's URL names one object, not a prefix. Names in directories and buckets have to
    match one of the patterns `only`, if there are any. With `may_be_empty`, a directory without
    files is no error: files may come later. Replay indexes in directories and buckets are left out.
    """

    fetch: Fetch
    stores: Sequence[str] = ("QUEUER",)
    exact: bool = False
    only: Sequence[str] = ()
    max_bytes: int = MAX_UNPACKED_BYTES
    may_be_empty: bool = False

    def find(self, names: Sequence[str]) -> Iterator[Input]:
        """The inputs of these names, in turn; a directory or bucket is listed when it is reached.

        Raises at once as `named` does; later InputError, for a directory or bucket without inputs.
        """
        return (found for name in self.named(names) for found in self._find(name))

    def available(
        self, names: Sequence[str], unread: Callable[[InputError], None]
    ) -> Iterator[Input]:
        """The inputs of these names that exist; `unread` gets the errors of all others.

        Raises at once ConfigurationError for a name that can't be an input's.
        """
        given: list[str] = []
        # Lists are read at once, so that a name that can't work is found before the run begins.
        for name in names:
            with _reporting(unread):
                given.extend(_listed([name]))
        return self._available(without_indexes(given), unread)

    def named(self, names: Sequence[str]) -> list[str]:
        """The names, and the names in lists.

        Raises InputError for missing files, ConfigurationError for a name that can't be an input's.
        """
        given = list(_listed(names))
        if missing := [name for name in given if not _may_exist(name)]:
            raise InputError(f"no such file or directory: {', '.join(missing)}")
        return without_indexes(given)

    def on_the_web(self, url: str, depth: int = 0) -> Input:
        """The input of a URL that another input names. Raises InputError unless it is a web URL."""
        if urlsplit(url).scheme.lower() not in WEB:
            raise InputError(f"{url}: only http:// and https:// may be named in a file")
        return Input(_public(url), Download(url, self.fetch), depth, self.max_bytes)

    def _available(
        self, names: Sequence[str], unread: Callable[[InputError], None]
    ) -> Iterator[Input]:
        for name in names:
            with _reporting(unread):
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
            like = f" like {' or '.join(self.only)}" if self.only else ""
            raise InputError(f"{path}: no files{like} are there")
        if not found:
            log.warning("no files", directory=str(path))
        # Names begin with a date, as a rule: the newest come first.
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

    def _wanted(self, name: str) -> bool:
        parts = name.split("/")
        # Editors and copying programs keep unfinished files under hidden names.
        hidden = any(part.startswith(".") for part in parts)
        return not (hidden or parts[-1].endswith(CDXJ)) and (
            not self.only or any(fnmatchcase(parts[-1], pattern) for pattern in self.only)
        )


def without_indexes(names: Sequence[str]) -> list[str]:
    """The names without replay indexes whose archives are named, too: a shell's `*` names both."""
    all_names = {*names}
    return [
        name for name in names if not (name.endswith(CDXJ) and name.removesuffix(CDXJ) in all_names)
    ]


@contextmanager
def _reporting(unread: Callable[[InputError], None]) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        unread(error)


def _scheme(name: str) -> str:
    """The scheme of a URL in lower case; \"\" for a path."""
    return name.partition("://")[0].lower() if "://" in name else ""


def _listed(names: Sequence[str]) -> Iterator[str]:
    """The names, and the names in the lists that are given with `@`."""
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
    """The name, if it can be an input's. Raises ConfigurationError."""
    scheme = _scheme(name)
    if scheme not in ("", "file", *WEB, *REMOTE):
        raise ConfigurationError(f"{name}: inputs are files, or URLs of http(s), s3, b2 or file")
    check_store_url(name)
    if scheme in REMOTE and "*" in name.removesuffix("*"):
        raise ConfigurationError(f"{name}: a * can only be at the end")
    if "\0" in name or not name or not is_text(name):
        raise ConfigurationError(f"{name!r} is not the name of an input")
    return name


def _may_exist(name: str) -> bool:
    """Whether a name is an existing local file, or not local, so that only reading can tell."""
    local = name != STANDARD_INPUT and _scheme(name) in ("", "file")
    return not local or path_of(name).exists()


def _public(url: str) -> str:
    """The URL without a user and password."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
