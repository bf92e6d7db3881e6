"""Writes stories to a WARC file, in a layout that never changes (stories.md 7.4).

warcinfo, then for each story: response (the page) and metadata (JSON that refers to the response)
"""

import json
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from http import HTTPStatus
from typing import Any, BinaryIO

from indexer.errors import ArchiveError
from indexer.stories.story import Story
from indexer.text.dates import utc_now
from indexer.warc.record import digest
from indexer.warc.writer import Writer, new_id, target_uri

MAX_STORIES = 5000
"""Most stories in an archive (seed: WARC file format)."""

METADATA_TYPE = "application/x.mediacloud-indexer+json"

SOFTWARE = "story-indexer"

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_ENCODING = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+()-]{0,63}")


def archive_name(prefix: str, moment: datetime, serial: int, host: str = "") -> str:
    """The name of an archive: PREFIX-YYYYMMDDhhmmss-SERIAL-HOST.warc.gz (stories.md 7.3)."""
    parts = (prefix, f"{moment.astimezone(UTC):%Y%m%d%H%M%S}", str(serial), host or hostname())
    return "-".join(_NOT_IN_NAMES.sub("_", part) for part in parts) + ".warc.gz"


def archive_key(name: str, moment: datetime) -> str:
    """The key of an archive in a store: YYYY/MM/DD/NAME, with the date of its name."""
    return f"{moment.astimezone(UTC):%Y/%m/%d}/{name}"


def hostname() -> str:
    """The name of this machine or container."""
    return socket.gethostname() or "localhost"


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """The two records of a story. A redelivered story has the same `identity`."""

    story: Story
    page: bytes
    metadata: bytes
    page_digest: str
    metadata_digest: str

    @classmethod
    def of(cls, story: Story, extra: Mapping[str, object] | None = None) -> "ArchiveEntry":
        """The records of a story; `extra` has further objects for the metadata record.

        Raises ArchiveError if the story has no page, or a value that JSON can't represent.
        """
        page = story.raw_html.html
        if page is None:
            raise ArchiveError("a story without a page can't be archived")
        own = story.metadata()
        # The story's own objects come first, and win over those of `extra` with the same name.
        metadata = _json(own | dict(extra or {}) | own)
        return cls(story, page, metadata, digest(page), digest(metadata))

    @property
    def identity(self) -> str:
        """The digests of the page and of the metadata."""
        return f"{self.page_digest} {self.metadata_digest}"


class StoryArchiveWriter:
    """Writes one archive to a file that the caller opens and closes. Holds no story in memory.

    `most` replaces MAX_STORIES, for files that are not kept as archives.
    """

    def __init__(
        self,
        file: BinaryIO,
        name: str,
        *,
        host: str = "",
        clock: Callable[[], datetime] = utc_now,
        new_id: Callable[[], str] = new_id,
        most: int | None = None,
    ) -> None:
        self._clock = clock
        self._most = MAX_STORIES if most is None else most
        self._writer = Writer(file, clock=clock, new_id=new_id)
        self.stories = 0
        fields = {
            "hostname": target_uri(host or hostname()),
            "software": SOFTWARE,
            "format": "WARC file version 1.0",
        }
        self._writer.info(name, fields)

    @property
    def size(self) -> int:
        """The compressed bytes written so far."""
        return self._writer.size

    def write(self, entry: ArchiveEntry) -> None:
        """Append the records of a story. Raises ArchiveError if the archive is full."""
        if self.stories >= self._most:
            raise ArchiveError(f"an archive holds at most {self._most} stories")
        story = entry.story
        # A URL that is too long is cut here; the JSON has the whole one.
        uri = target_uri(story.url or "")
        moment = fetch_time(story) or self._clock()
        head = {"Content-Type": _content_type(story), "Content-Length": str(len(entry.page))}
        page = self._writer.response(
            uri, _status(story), head, entry.page, date=moment, payload_digest=entry.page_digest
        )
        self._writer.metadata(
            page,
            uri,
            METADATA_TYPE,
            entry.metadata,
            date=moment,
            payload_digest=entry.metadata_digest,
        )
        self.stories += 1


def fetch_time(story: Story) -> datetime | None:
    """The time at which the page was fetched; None if it is unknown or impossible."""
    stamp = story.http_metadata.fetch_timestamp
    if stamp is None:
        return None
    try:
        moment = datetime.fromtimestamp(stamp, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    # WARC-Date has four digits for the year.
    return moment if moment.year >= 1000 else None


def _status(story: Story) -> str:
    # Stories have no reason phrase; archives have had "HUH?" in its place from the beginning.
    code = story.http_metadata.response_code
    return "200 OK" if code == HTTPStatus.OK else f"{code} HUH?"


def _content_type(story: Story) -> str:
    """text/html, with the encoding if its name is safe in a header."""
    for encoding in (story.http_metadata.encoding, story.raw_html.encoding):
        if encoding and _ENCODING.fullmatch(encoding):
            return f"text/html; encoding={encoding}"
    return "text/html"


def _json(value: object) -> bytes:
    """Readable JSON in UTF-8, with lone surrogates escaped."""
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)
    except ValueError as error:
        raise ArchiveError(f"the metadata of a story can't be JSON: {error}") from error
    return text.encode("utf-8", "backslashreplace")


def _plain(value: Any) -> str:
    """A value of a type that JSON lacks: dates in ISO format, others as repr (stories.md 7.4)."""
    return value.isoformat() if isinstance(value, date) else repr(value)
