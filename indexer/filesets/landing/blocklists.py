"""The URLs that are not fetched, and those that show that a site wants cookies (spec 3.1).

The lists are files beside this module, for datasets: an operator can give files of his own.
"""

from collections.abc import Iterable
from pathlib import Path

from indexer.errors import ConfigurationError, FilesetError
from indexer.system.options import Options, option

_HERE = Path(__file__).parent
_ARCHIVE = "archive.org"


class BlocklistOptions(Options):
    """Part of the options of programs that fetch the pages of datasets."""

    blocked_urls: Path = option(
        _HERE / "blocked_urls.txt",
        "file with parts of URLs that are not fetched, one a line",
        "FILESETS_BLOCKED_URLS",
    )
    cookie_walls: Path = option(
        _HERE / "cookie_walls.txt",
        "file with parts of URLs that ask for cookies, one a line",
        "FILESETS_COOKIE_WALLS",
    )


class Blocklists:
    """Checks URLs before and after they are fetched."""

    def __init__(self, options: BlocklistOptions) -> None:
        """Raises ConfigurationError if a file can't be read."""
        self._urls = _entries(options.blocked_urls)
        self._cookies = _entries(options.cookie_walls)

    def check_before(self, base_url: str) -> None:
        """Raise FilesetError (`skip-url-blocklist`) for a URL that must not be fetched.

        Entries of archive.org apply to the end of a chain only: its items are datasets.
        """
        _check(base_url, (each for each in self._urls if _ARCHIVE not in each))

    def check_after(self, terminal_url: str) -> None:
        """Raise FilesetError for a URL to which redirects led.

        Its status is `skip-url-blocklist` or `blocked-cookie`.
        """
        _check(terminal_url, self._urls)
        _check(terminal_url, self._cookies, "blocked-cookie")


def _check(url: str, entries: Iterable[str], status: str = "skip-url-blocklist") -> None:
    found = next((each for each in entries if each.lower() in url.lower()), "")
    if found:
        raise FilesetError(status, f"the URL has {found!r}")


def _entries(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"the blocklist {path} can't be read: {error}") from error
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
