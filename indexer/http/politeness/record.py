"""The file that keeps the state of sites between two runs, and a table of it for people."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from indexer.errors import InputError
from indexer.files.whole_files import write_whole
from indexer.http.politeness.scoreboard import Scoreboard
from indexer.http.politeness.site import Site, SiteLimits


class _File(msgspec.Struct):
    """The content of the file. Times of sites are relative to `saved` (seconds since the epoch)."""

    saved: float
    sites: dict[str, Site]


_decoder = msgspec.json.Decoder(_File)


def save(path: Path, board: Scoreboard, clock: float, now: float) -> None:
    """Write the state of all sites to a file, whole or not at all. Raises OSError.

    `clock` is the time of the scoreboard's clock, `now` the same moment in seconds since the epoch.
    """
    sites = {name: site.moved(-clock) for name, site in board.sites().items()}
    _write(path, msgspec.json.encode(_File(now, sites)))


def load(path: Path, board: Scoreboard, clock: float, now: float) -> None:
    """Take over the state of sites from a file, as far as it still matters.

    A missing file is no error. Raises InputError for a file that can't be read.
    """
    try:
        file = _decoder.decode(path.read_bytes())
    except FileNotFoundError:
        return
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no record of sites: {error}") from error
    # The computer's clock may have been set back since.
    passed = max(0.0, now - file.saved)
    for name, site in file.sites.items():
        board.adopt(name, site.moved(clock - passed))


def dump(path: Path, board: Scoreboard, limits: SiteLimits, clock: float) -> None:
    """Write a table of all sites for people, columns separated by tabs.

    Raises OSError.
    """
    _write(path, "\n".join(_table(board, limits, clock)).encode() + b"\n")


def _table(board: Scoreboard, limits: SiteLimits, clock: float) -> Iterator[str]:
    yield "site\tactive\theld\tnext\tinterval\tlatency\tback-off\tblocked\tdown"
    for name, site in board.sites().items():
        numbers = (
            max(0.0, site.next_start - clock),
            site.interval(limits),
            site.latency or 0.0,
            site.back_off,
            max(0.0, site.blocked - clock),
            max(0.0, site.down - clock),
        )
        columns = (name, str(site.active), str(site.held), *(f"{each:.1f}" for each in numbers))
        yield "\t".join(columns)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data, durable=False)
