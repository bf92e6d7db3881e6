"""Reads and writes lists of feeds: OPML, CSV, or one URL per line. A bad line costs only itself.

id,url,sources_id,name         CSV, as the directory exports it; a row with names may have
7,https://a.example/feed,,A    the columns in any order, and unknown columns are ignored

https://a.example/feed         one URL per line
# blank lines and comments are ignored
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import BinaryIO, Literal, TextIO, TypeAlias

from indexer.errors import InputError
from indexer.feeds.feed import Feed
from indexer.feeds.registry.feed_spec import (
    FOR_READERS,
    FeedProblem,
    FeedSpec,
    as_id,
    as_moment,
    refusal,
    shown,
)
from indexer.feeds.registry.opml import is_opml, read_opml, write_opml
from indexer.text.cleaning import one_line
from indexer.text.decoding.texts import head_text, lines, table_pieces, text_pieces
from indexer.text.tables.columns import Columns, HeaderRow, is_csv_name, sample_of, separator
from indexer.text.tables.rows import BLANK, MAX_LINE, BadRow, Layout, Rows
from indexer.text.unpacking import head_of

MAX_LIST_BYTES = 1 << 30
"""The largest list, unpacked."""

Format: TypeAlias = Literal["opml", "csv", "urls"]

COLUMNS = ("id", "url", "sources_id", "name")
"""The columns of a CSV without a row of names."""

WRITTEN = (*COLUMNS, "active", "created_at")
"""The columns of a CSV that is written."""

FEED_COLUMNS = Columns(
    {
        "id": ("id", "feed_id", "feeds_id"),
        "url": ("feed_url", "xml_url", "rss_url", "url", "link"),
        "sources_id": ("sources_id", "source_id", "sources", "source"),
        "name": ("name", "feed_name", "title", "text"),
        "active": ("active", "admin_rss_enabled"),
        "created_at": ("created_at",),
    }
)
"""The columns that are read, by the names of our lists and of other programs'."""

_SCHEMES = ("http://", "https://", FOR_READERS)
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_NO = frozenset({"0", "false", "f", "no", "n", "off"})
_ROW_OF_CSV = re.compile(r"""^\s*"?\d*"?\s*([,;\t|])\s*"?(?:feed:|https?://)""", re.IGNORECASE)
_OPML_NAME = re.compile(r"\.opml(\.gz|\.gzip)?$", re.IGNORECASE)


def read_list(
    name: str, file: BinaryIO, columns: Columns = FEED_COLUMNS
) -> Iterator[FeedSpec | FeedProblem]:
    """Yield the feeds of a list of any kind, from an unpacked file, while it is being read.

    A line that can't be a feed gives a problem with its number; `checked` tests the URLs. Raises
    InputError for a file that is no list, also while it is being read.
    """
    head = head_of(file)
    match list_format(name, head, columns):
        case "opml":
            return _placed(name, read_opml(text_pieces(head, file)))
        case "csv":
            found = lines(table_pieces(head, file), MAX_LINE)
            return _placed(name, _read_csv(found, sample_of(head), columns))
        case "urls":
            return _placed(name, _read_urls(lines(table_pieces(head, file), MAX_LINE)))
    raise InputError(f"{name}: not a list of feeds: neither OPML, nor CSV, nor one URL per line")


def list_format(name: str, head: bytes, columns: Columns = FEED_COLUMNS) -> Format | None:
    """Tell the kind of a list by its first bytes, and its name where they don't show it.

    Returns None for a file that is no list.
    """
    text = head_text(head).lstrip() if head.strip() else ""
    if head.strip() and not text:
        return None
    if text.startswith("<"):
        return "opml" if is_opml(text, named=bool(_OPML_NAME.search(name))) else None
    sample = sample_of(head)
    _, first = _first(sample)
    if not first:
        return "opml" if _OPML_NAME.search(name) else "urls"
    if is_csv_name(name) or _ROW_OF_CSV.match(first):
        return "csv"
    if columns.header(sample) or columns.complaint(sample):
        return "csv"
    rows = [line for line in sample if line.strip()]
    is_list = any(row.strip().lower().startswith(_SCHEMES) for row in rows)
    return "urls" if is_list else None


def write_list(feeds: Iterable[Feed], file: TextIO, format: Format, now: datetime) -> int:
    """Write feeds as a list that `read_list` reads again. Returns the number of feeds."""
    if format == "opml":
        return write_opml(feeds, file, now)
    return _write_csv(feeds, file) if format == "csv" else _write_urls(feeds, file)


def _write_csv(feeds: Iterable[Feed], file: TextIO) -> int:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(WRITTEN)
    number = 0
    for feed in feeds:
        number += 1
        created = feed.created_at.isoformat() if feed.created_at else ""
        name = one_line(feed.name or "")
        active = "true" if feed.active else "false"
        table.writerow([feed.id, feed.url, feed.sources_id, name, active, created])
    return number


def _write_urls(feeds: Iterable[Feed], file: TextIO) -> int:
    number = 0
    for feed in feeds:
        number += 1
        file.write(f"{feed.url}\n")
    return number


def _placed(name: str, found: Iterable[FeedSpec | FeedProblem]) -> Iterator[FeedSpec | FeedProblem]:
    for each in found:
        if isinstance(each, FeedProblem):
            yield each._replace(where=": ".join(part for part in (name, each.where) if part))
        else:
            yield each


def _read_urls(found: Iterable[str | None]) -> Iterator[FeedSpec | FeedProblem]:
    for number, line in enumerate(found, start=1):
        if line is None:
            yield FeedProblem("", f"longer than {MAX_LINE} characters", f"line {number}")
            continue
        text = _COMMENT.sub("", line).strip()
        if not text:
            continue
        url, _, rest = text.partition("\t")
        if url.lower().startswith(("http://", "https://")) and " " not in url:
            yield FeedSpec(url, rest.strip())
        else:
            why = refusal(url) or "not a URL of http or https"
            yield FeedProblem(shown(text), why, f"line {number}")


def _read_csv(
    found: Iterable[str | None], sample: Sequence[str], columns: Columns
) -> Iterator[FeedSpec | FeedProblem]:
    header = columns.header(sample) or _without_header(sample)
    if header is None:
        nothing = FeedProblem(shown(_first(sample)[1]), "neither names of columns, nor a URL")
        why = columns.complaint(sample)
        yield FeedProblem("", why) if why else nothing
        return
    for missing in columns.missing(header):
        yield FeedProblem("", f"no column is named {missing}")
    numbered = _Numbered(found)
    rows = Rows(islice(numbered, header.layout.above, None), header.layout)
    while True:
        # `rows` reads ahead, to join quoted cells of several lines.
        line = numbered.number - rows.ahead + 1
        row = next(rows, None)
        if row is None:
            return
        spec = _spec(row, header.places)
        if isinstance(spec, FeedProblem):
            yield spec._replace(where=f"line {max(line, header.layout.above + 1)}")
        elif spec:
            yield spec


def _without_header(sample: Sequence[str]) -> HeaderRow | None:
    """The columns of a table without names: ours in their order, or a URL and a name."""
    delimiters, first = _first(sample)
    delimiter = max(delimiters, key=first.count)
    names: Sequence[str] = COLUMNS
    if row := _ROW_OF_CSV.match(first):
        delimiter = row[1]
    elif first.strip(' "').lower().startswith(_SCHEMES):
        names = ("url", "name")
    else:
        return None
    places = {name: place for place, name in enumerate(names)}
    return HeaderRow(Layout(delimiter, places["url"], separator(sample)[1]), places)


def _first(sample: Sequence[str]) -> tuple[str, str]:
    """The possible delimiters, and the first line that is neither blank nor a comment."""
    delimiters, start = separator(sample)
    rows = (line for line in sample[start:] if line.strip() and line[0] != "#")
    return delimiters, next(rows, "")


class _Numbered(Iterator[str | None]):
    """Lines, and the number of those taken."""

    def __init__(self, found: Iterable[str | None]) -> None:
        self._lines = iter(found)
        self.number = 0

    def __next__(self) -> str | None:
        line = next(self._lines)
        self.number += 1
        return line


def _spec(row: Sequence[str] | BadRow, places: Mapping[str, int]) -> FeedSpec | FeedProblem | None:
    """Read the feed of a row; None for a blank row."""
    if isinstance(row, BadRow):
        return None if row is BLANK else FeedProblem("", row.why)
    if not any(cell.strip() for cell in row) or row[0].startswith("#"):
        return None
    cells = {name: row[place].strip() for name, place in places.items() if place < len(row)}
    url = cells.get("url", "")
    if not url:
        return FeedProblem(shown(",".join(row)), "no URL")
    numbers: dict[str, int | None] = {}
    for name in ("id", "sources_id"):
        text = cells.get(name, "")
        numbers[name] = as_id(text)
        # Exports of databases write missing numbers as words.
        if text and numbers[name] is None and text.lower() not in ("null", "none"):
            return FeedProblem(shown(url), f"{name} is not a number: {shown(text)}")
    active = cells.get("active", "").lower() not in _NO
    created = as_moment(cells.get("created_at", ""))
    return FeedSpec(
        url, cells.get("name", ""), numbers["sources_id"], numbers["id"], active, created
    )
