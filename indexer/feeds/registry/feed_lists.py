"""Reads and writes lists of feeds: OPML, CSV, or one URL per line. A bad line costs only itself.

id,url,sources_id,name         CSV, as the directory exports it; a first row with names may have
7,https://a.example/feed,,A    the columns in any order, and unknown columns are ignored

https://a.example/feed         one URL per line
# blank lines and comments are ignored
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import BinaryIO, Literal, TextIO, TypeAlias

from indexer.errors import InputError
from indexer.feeds.feed import Feed
from indexer.feeds.registry.feed_spec import SHOWN, FeedProblem, FeedSpec, as_id, as_moment
from indexer.feeds.registry.opml import is_opml, read_opml, write_opml
from indexer.text.cleaning import one_line
from indexer.text.decoding.texts import head_text, lines, text_pieces
from indexer.text.tables import BLANK, MAX_LINE, BadRow, Layout, Rows
from indexer.text.unpacking import head_of

MAX_LIST_BYTES = 1 << 30
"""The largest list, unpacked."""

Format: TypeAlias = Literal["opml", "csv", "urls"]

COLUMNS = ("id", "url", "sources_id", "name")
"""The columns of a CSV without a row of names."""

WRITTEN = (*COLUMNS, "active", "created_at")
"""The columns of a CSV that is written."""

SYNONYMS = {
    "feed_id": "id",
    "feeds_id": "id",
    "feed_url": "url",
    "xmlurl": "url",
    "link": "url",
    "source": "sources_id",
    "source_id": "sources_id",
    "sources": "sources_id",
    "title": "name",
    "text": "name",
    "feed_name": "name",
    "admin_rss_enabled": "active",
}
"""Names of these columns in other programs' lists."""

_DELIMITERS = ",;\t|"
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_NO = frozenset({"0", "false", "f", "no", "n", "off"})
_ROW_OF_CSV = re.compile(r"""^\s*"?\d*"?\s*([,;\t|])\s*"?https?://""", re.IGNORECASE)
_CSV_NAME = re.compile(r"\.(csv|tsv)(\.gz|\.gzip)?$", re.IGNORECASE)
_OPML_NAME = re.compile(r"\.opml(\.gz|\.gzip)?$", re.IGNORECASE)


def read_list(name: str, file: BinaryIO) -> Iterator[FeedSpec | FeedProblem]:
    """Yield the feeds of a list of any kind, from an unpacked file, while it is being read.

    A line that can't be a feed gives a problem with its number; `checked` tests the URLs. Raises
    InputError for a file that is no list, also while it is being read.
    """
    head = head_of(file)
    kind = list_format(name, head)
    if kind is None:
        raise InputError(
            f"{name}: not a list of feeds: neither OPML, nor CSV, nor one URL per line"
        )
    pieces = text_pieces(head, file, detect=kind == "opml")
    if kind == "opml":
        return _placed(name, read_opml(pieces))
    found = lines(pieces, MAX_LINE)
    return _placed(name, _read_csv(found) if kind == "csv" else _read_urls(found))


def list_format(name: str, head: bytes) -> Format | None:
    """Tell the kind of a list by its first bytes, and its name where they don't show it.

    Returns None for a file that is no list.
    """
    text = head_text(head).lstrip() if head.strip() else ""
    if head.strip() and not text:
        return None
    if text.startswith("<"):
        return "opml" if is_opml(text) else None
    rows = [line for line in islice(text.splitlines(), 50) if line.strip() and line[0] != "#"]
    if not rows:
        return "opml" if _OPML_NAME.search(name) else "urls"
    if _header(rows[0]) or _ROW_OF_CSV.match(rows[0]) or _CSV_NAME.search(name):
        return "csv"
    is_list = any(row.strip().lower().startswith(("http://", "https://")) for row in rows)
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
            yield FeedProblem(_shown(text), "not a URL of http or https", f"line {number}")


def _read_csv(found: Iterable[str | None]) -> Iterator[FeedSpec | FeedProblem]:
    numbered = _Numbered(found)
    first = next((line for line in numbered if line and line.strip() and line[0] != "#"), "")
    delimiter, columns, is_header = _layout(first)
    if "url" not in columns:
        where = f"line {numbered.number}"
        yield FeedProblem(_shown(first), "no column is named url", where)
        return
    if not is_header:
        numbered.lines = chain([first], numbered.lines)
        numbered.number -= 1
    layout = Layout(delimiter, columns.index("url"))
    rows = Rows(numbered, layout)
    while True:
        # `rows` reads ahead, to join quoted cells of several lines.
        line = numbered.number - rows.ahead + 1
        row = next(rows, None)
        if row is None:
            return
        spec = _spec(row, columns)
        if isinstance(spec, FeedProblem):
            yield spec._replace(where=f"line {line}")
        elif spec:
            yield spec


class _Numbered(Iterator[str | None]):
    """Lines, and the number of those taken."""

    def __init__(self, found: Iterable[str | None]) -> None:
        self.lines = iter(found)
        self.number = 0

    def __next__(self) -> str | None:
        line = next(self.lines)
        self.number += 1
        return line


def _spec(row: Sequence[str] | BadRow, columns: Sequence[str]) -> FeedSpec | FeedProblem | None:
    """Read the feed of a row; None for a blank row."""
    if isinstance(row, BadRow):
        return None if row is BLANK else FeedProblem("", row.why)
    if not any(cell.strip() for cell in row) or row[0].startswith("#"):
        return None
    cells = {name: cell.strip() for name, cell in zip(columns, row, strict=False)}
    url = cells.get("url", "")
    if not url:
        return FeedProblem(_shown(",".join(row)), "no URL")
    numbers: dict[str, int | None] = {}
    for name in ("id", "sources_id"):
        text = cells.get(name, "")
        numbers[name] = as_id(text)
        # Exports of databases write missing numbers as words.
        if text and numbers[name] is None and text.lower() not in ("null", "none"):
            return FeedProblem(_shown(url), f"{name} is not a number: {_shown(text)}")
    active = cells.get("active", "").lower() not in _NO
    created = as_moment(cells.get("created_at", ""))
    return FeedSpec(
        url, cells.get("name", ""), numbers["sources_id"], numbers["id"], active, created
    )


def _layout(line: str) -> tuple[str, Sequence[str], bool]:
    """Return the delimiter, our names of the columns, and whether the first row has names."""
    if header := _header(line):
        return *header, True
    if sample := _ROW_OF_CSV.match(line):
        return sample[1], COLUMNS, False
    delimiter = _delimiter(line)
    if line.lower().startswith(("http:", '"http:', "https:", '"https:')):
        return delimiter, ("url", "name"), False
    names = _names(line, delimiter)
    return (delimiter, names, True) if set(names) & set(WRITTEN) else (delimiter, COLUMNS, False)


def _header(line: str) -> tuple[str, Sequence[str]] | None:
    """Return the delimiter and our names of the columns; None for a row without their names."""
    for delimiter in _DELIMITERS:
        names = _names(line, delimiter)
        known = set(names) & set(WRITTEN)
        if "url" in known and (len(known) > 1 or len(names) == 1):
            return delimiter, names
    return None


def _names(line: str, delimiter: str) -> Sequence[str]:
    cells = [cell.strip().strip('"').strip().lower() for cell in line.split(delimiter)]
    return [SYNONYMS.get(cell, cell) for cell in cells]


def _delimiter(line: str) -> str:
    return max(_DELIMITERS, key=line.count)


def _shown(text: str) -> str:
    return one_line(text, SHOWN)
