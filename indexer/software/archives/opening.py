"""The choice of an archive by its place: a path, or the URL of a repository."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from indexer.errors import InputError
from indexer.http.urls.parts import without_credentials
from indexer.software.archives.archive_options import SourceArchiveOptions
from indexer.software.archives.clone import cloned
from indexer.software.archives.directory import DirectoryArchive
from indexer.software.archives.git import GitArchive, is_repository
from indexer.software.archives.json_lines import ENDINGS, JsonLinesArchive
from indexer.software.archives.members import is_packed
from indexer.software.archives.source_archive import SourceArchive
from indexer.software.archives.tarball import TarballArchive
from indexer.text.unpacking import input_errors


def is_remote(place: str) -> bool:
    """Whether a place is a URL of the web, or of another protocol of git."""
    scheme = place.partition("://")[0].lower() if "://" in place else ""
    # `git@host:path` is how ssh is written for git; a file may have such a name, too.
    return scheme not in ("", "file") or ("@" in place.partition(":")[0] and ":" in place)


class OpenArchives:
    """Opens archives one after the other. A file of lines stays open until another one is opened.

    Its objects are noted once, and not for each batch of origins; a changed file is opened again.
    """

    def __init__(self, options: SourceArchiveOptions) -> None:
        self._options = options
        self._kept: tuple[str, int, int] | None = None
        self._lines: JsonLinesArchive | None = None
        self._stack = ExitStack()

    @contextmanager
    def opened(self, place: str) -> Iterator[SourceArchive]:
        """Open an archive, as `opened` does."""
        version = _version(place)
        if self._lines is not None and self._kept == version:
            yield self._lines
            return
        with ExitStack() as stack:
            archive = stack.enter_context(opened(place, self._options))
            if isinstance(archive, JsonLinesArchive):
                self.close()
                self._kept, self._lines, self._stack = version, archive, stack.pop_all()
            yield archive

    def close(self) -> None:
        """Close the file of lines that is open."""
        self._kept = self._lines = None
        self._stack.close()


def _version(place: str) -> tuple[str, int, int]:
    try:
        found = path_of_place(place).stat()
    except OSError:
        return place, 0, 0
    return place, found.st_mtime_ns, found.st_size


@contextmanager
def opened(place: str, options: SourceArchiveOptions) -> Iterator[SourceArchive]:
    """Open an archive for the time of the context.

    Raises InputError for a place without an archive, FetchError for a clone that fails,
    ConfigurationError for a missing program or library.
    """
    with ExitStack() as stack:
        if is_remote(place) and not Path(place).exists():
            path = stack.enter_context(cloned(place, options.fetch, options.limits))
            yield stack.enter_context(closing(GitArchive(path, without_credentials(place))))
        else:
            yield stack.enter_context(closing(on_disk(path_of_place(place))))


def on_disk(path: Path) -> SourceArchive:
    """Open what is at a path. Raises InputError, ConfigurationError."""
    if path.is_dir():
        return GitArchive(path) if is_repository(path) else DirectoryArchive(path)
    if not path.exists():
        raise InputError(f"{path}: no such file or directory")
    if path.name.lower().endswith(ENDINGS):
        return JsonLinesArchive(path)
    if is_packed(path.name):
        return TarballArchive(path)
    with input_errors(str(path)), path.open("rb") as file:
        if file.read(1) == b"{":
            return JsonLinesArchive(path)
    raise InputError(f"{path}: neither a repository, a directory, a tarball nor lines of JSON")


def path_of_place(place: str) -> Path:
    """Return the path of a place on disk: a path, or a file:// URL."""
    if place.lower().startswith("file://"):
        return Path(unquote(urlsplit(place).path))
    return Path(place)
