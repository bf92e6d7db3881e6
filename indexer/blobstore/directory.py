"""A blobstore in a directory: keys are paths below it."""

import errno
import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Self
from urllib.parse import unquote, urlsplit

from indexer.blobstore import (
    CHUNK_BYTES,
    BlobEntry,
    ObjectVersion,
    StoreCredentials,
    checked_key,
    ensure_expected,
    ensure_same,
    sha256_of,
)
from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError
from indexer.files.whole_files import ASIDE, move_into_place, replacing
from indexer.system.loggers import get_logger
from indexer.text.cleaning import is_text

log = get_logger()


class Directory:
    """Objects are files, written whole or not at all, also if the power fails."""

    def __init__(self, root: Path) -> None:
        self._root = root.absolute()
        self.url = self._root.as_uri()

    @classmethod
    def at(cls, url: str, _credentials: StoreCredentials) -> Self:
        """The store of a path or file:// URL. The first `put` makes the directory."""
        return cls(path_of(url))

    def put(self, key: str, file: BinaryIO, sha256: str = "") -> str:
        """See `Blobstore.put`. The digest isn't kept."""
        path = self._path(key)
        with _translated(key):
            self._check_inside(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, file, sha256)
        return path.as_uri()

    def rename_in(self, key: str, file: Path) -> str:
        """Make a file an object, by renaming it; return its URL, "" on another file system."""
        path = self._path(key)
        with _translated(key):
            self._check_inside(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                move_into_place(file, path)
            except OSError as error:
                if error.errno == errno.EXDEV:
                    return ""
                raise
        return path.as_uri()

    def open(self, key: str, version: str = "") -> BinaryIO:
        """See `Blobstore.open`. A replaced version can't be opened."""
        path = self._existing(key)
        with _translated(key):
            file = path.open("rb")
        # The version of the file that is open: the path may get another file at any time.
        if version and version != version_of(os.fstat(file.fileno())):
            file.close()
            raise NotFound(f"{key}: that version was replaced")
        return file

    def stat(self, key: str) -> ObjectVersion:
        """See `Blobstore.stat`. The time is the file's time of modification."""
        path = self._existing(key)
        with _translated(key):
            stat = path.stat()
        return ObjectVersion(
            version_of(stat), datetime.fromtimestamp(stat.st_mtime, UTC), stat.st_size
        )

    def versions(self, key: str) -> Sequence[ObjectVersion]:
        """See `Blobstore.versions`. A directory keeps one version."""
        return [self.stat(key)]

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        """See `Blobstore.entries`. Symbolic links to files outside are left out."""
        for name in walk(self._root, prefix):
            path = self._root / name
            if not _is_aside(name) and self._holds(path):
                # Another process may delete the file before it is looked at.
                with suppress(FileNotFoundError):
                    stat = path.stat()
                    yield BlobEntry(name, version_of(stat), stat.st_size)

    def delete(self, key: str) -> None:
        """See `Blobstore.delete`. The object's directories stay."""
        path = self._path(key)
        with _translated(key):
            # Of the directory, not of the object: a link that leads out may be deleted itself.
            self._check_inside(path.parent)
            path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        if _is_aside(checked_key(key)):
            raise StorageError(f"not a key: {key!r}: such names are for unfinished files")
        return self._root / key

    def _existing(self, key: str) -> Path:
        """The path of an object to read. Raises NotFound for a directory."""
        path = self._path(key)
        with _translated(key):
            self._check_inside(path)
            if path.is_dir():
                raise NotFound(f"{key}: a directory, not an object")
        return path

    def _check_inside(self, path: Path) -> None:
        if not self._holds(path):
            raise AccessDenied(f"{path} leads out of {self._root}")

    def _holds(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self._root.resolve())


def path_of(url: str) -> Path:
    """The path of a file:// URL, or of a path as text. Raises ConfigurationError."""
    if not url:
        raise ConfigurationError("the name of a directory is blank")
    if not url.lower().startswith("file:"):
        return Path(url)
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
        raise ConfigurationError(f"{url}: the URL of a file has three slashes: file:///path")
    return Path(unquote(parts.path))


def walk(directory: Path, prefix: str = "") -> Iterator[str]:
    """The regular files below a directory, by relative names with `/`, in byte order.

    Those that begin with `prefix`: other directories are not listed. Symbolic links to directories
    are not followed; names that are not Unicode are left out. A missing directory has no files.
    Raises StorageError.
    """
    for name in _listed(directory):
        if name.endswith("/") and (prefix.startswith(name) or name.startswith(prefix)):
            below = walk(directory / name, prefix[len(name) :])
            yield from (name + rest for rest in below)
        elif name.startswith(prefix):
            yield name


def version_of(stat: os.stat_result) -> str:
    """The version of a file: its size and its time of modification."""
    return f"{stat.st_size}-{stat.st_mtime_ns}"


def _listed(directory: Path) -> list[str]:
    """The sorted names in a directory.

    Names of directories end in `/`: so `a-b` sorts before `a/b`, as keys do in S3.
    """
    try:
        with os.scandir(directory) as found:
            names = [
                f"{each.name}/" if each.is_dir(follow_symlinks=False) else each.name
                for each in found
                if each.is_file() or each.is_dir(follow_symlinks=False)
            ]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _ours(str(directory), error) from error
    for name in names:
        if not is_text(name):
            log.warning(
                "left out: its name is not Unicode", directory=str(directory), name=ascii(name)
            )
    return sorted(filter(is_text, names))


def _is_aside(key: str) -> bool:
    return any(part.startswith(ASIDE) for part in key.split("/"))


def _write(path: Path, file: BinaryIO, sha256: str) -> None:
    with replacing(path) as written:
        digest = _copy(file, written)
        ensure_expected(str(path), digest, sha256)
        # Read back: a failing disk or memory must not leave a broken archive.
        written.seek(0)
        ensure_same(str(path), digest, sha256_of(written))


def _copy(file: BinaryIO, to: BinaryIO) -> str:
    """Copy the rest of a file; returns the sha256 of the bytes read, as hex."""
    digest = hashlib.sha256()
    while chunk := file.read(CHUNK_BYTES):
        digest.update(chunk)
        to.write(chunk)
    return digest.hexdigest()


@contextmanager
def _translated(key: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _ours(key, error) from error


def _ours(name: str, error: OSError) -> StorageError:
    why = f"{name}: {error.strerror or error}"
    if isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError):
        return NotFound(why)
    if isinstance(error, PermissionError):
        return AccessDenied(why)
    return StorageError(why)
