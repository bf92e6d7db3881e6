"""Reads the documents that were fetched, and tests their items.

An attempt without a document, which only fetchers of older versions send here, passes unchanged.
A document in which our reader finds no item with a link is read by feedparser, in a process of its
own; a warning of the event says so.

With --save-rss-files, documents are kept in saved-input-files in the data directory; with
--save-parse-errors, those that are not feeds are kept in parse-errors. Of each, the newest thousand
are kept.

statuses:
  parsed             the document was read: its items go on to the story saver
  passed             there is nothing to parse: not modified, the same as before, or not fetched
  parse-error        the document is not a feed, or empty
  caught-exception   reading the document failed with an unexpected exception

example:
  story-indexer program feed-parser --broker-url sqlite:///data/queues.sqlite3
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from indexer.errors import BadFeed, StorageError
from indexer.feeds import statuses
from indexer.feeds.attempt import Attempt, FeedDocument
from indexer.feeds.reading.acceptance import AcceptanceOptions, accept
from indexer.feeds.reading.reading import MAX_BYTES, read
from indexer.files.whole_files import write_whole
from indexer.messages.worker import Done, Worker
from indexer.news.counting import STORIES
from indexer.news.normalized_urls import library_urls
from indexer.news.syndication.second_reader import SecondReader
from indexer.programs.app import ProgramOptions, run_worker
from indexer.system.loggers import get_logger
from indexer.system.options import option
from indexer.text.cleaning import one_line

log = get_logger("feed-parser")

PARSED, PASSED = "parsed", "passed"
PARSE_ERROR, CAUGHT_EXCEPTION = "parse-error", "caught-exception"

MOST_KEPT = 1000
"""The maximum of files in a directory; the oldest are deleted."""

DETAIL_LENGTH = 500

MOST_NAMED, MAX_NAMED = 5, 500
"""Feeds that are reported for a web page in place of a feed, and the characters of each URL."""


@dataclass
class KeptBodies:
    """A directory of documents, named by time and feed; it is created with the first document."""

    directory: Path
    most: int = MOST_KEPT

    def keep(self, feed_id: int, started: datetime, parts: list[bytes]) -> None:
        """Write each part of a body to a file. Raises StorageError."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            for number, part in enumerate(parts):
                name = f"{started:%Y%m%dT%H%M%S}-{feed_id}-{number}"
                # Not durable: losing such a file in a crash does no harm, and fsync is slow.
                write_whole(self.directory / name, part, durable=False)
            self._prune()
        except OSError as error:
            raise StorageError(f"{self.directory}: {error.strerror or error}") from error

    def _prune(self) -> None:
        # Names begin with the time, so the oldest come first. Dots begin unfinished files.
        names = sorted(path.name for path in self.directory.iterdir() if path.name[0] != ".")
        for name in names[: -self.most]:
            (self.directory / name).unlink(missing_ok=True)


class FeedParserOptions(ProgramOptions, AcceptanceOptions):
    """Options of the feed parser."""

    max_document_bytes: int = option(
        MAX_BYTES, "largest document, after unpacking gzip", "MAX_DOCUMENT_BYTES"
    )
    save_rss_files: bool = option(False, "keep the documents that are read", "SAVE_RSS_FILES")
    save_parse_errors: bool = option(
        False, "keep the documents that are no feeds", "SAVE_PARSE_ERRORS"
    )


class FeedParser(Worker[Attempt, Attempt]):
    """Parses the bodies of attempts. Thread-safe."""

    name = "feed-parser"
    counted_as = STORIES
    takes = Attempt
    threads = 2
    prefetch = 32

    def __init__(self, options: FeedParserOptions) -> None:
        self._options = options
        self._second = SecondReader()
        data = options.data
        self._documents = KeptBodies(data / "saved-input-files") if options.save_rss_files else None
        self._failures = KeptBodies(data / "parse-errors") if options.save_parse_errors else None
        # Loaded before the threads begin: otherwise each of them loads it.
        library_urls()

    def process(self, attempt: Attempt) -> Done[Attempt]:
        """Return the attempt with its document, or with the status of the failure."""
        if not attempt.pages:
            return Done([attempt], PASSED)
        ending = self._parse(attempt)
        _keep(self._documents, attempt)
        if ending != PARSED:
            _keep(self._failures, attempt)
        # The bodies go no further: the saver's queue has only what was read from them.
        attempt.pages, attempt.parts = [], []
        return Done([attempt], ending)

    def close(self) -> None:
        self._second.close()

    def _parse(self, attempt: Attempt) -> str:
        try:
            return self._read(attempt)
        except Exception as error:
            # A retry would fail again, and the attempt has to end: so the failure is its result.
            attempt.status = statuses.CAUGHT_EXCEPTION
            attempt.detail = one_line(repr(error), DETAIL_LENGTH)
            log.exception("a document can't be read", feed=attempt.label)
            return CAUGHT_EXCEPTION

    def _read(self, attempt: Attempt) -> str:
        try:
            attempt.document = self._document(attempt)
        except BadFeed as error:
            attempt.status, attempt.detail = statuses.PARSE_ERROR, error.detail
            attempt.root, attempt.feeds = one_line(error.root, MAX_NAMED), _named(attempt)
            log.info("not a feed", feed=attempt.label, why=error.detail, root=error.root)
            return PARSE_ERROR
        return PARSED

    def _document(self, attempt: Attempt) -> FeedDocument:
        url, limit = attempt.poll.url, self._options.max_document_bytes
        reading = read(attempt.pages, attempt.parts, url, attempt.started, limit, self._second)
        accepted = accept(reading.entries, url, self._options)
        return FeedDocument(
            format=reading.format,
            title=reading.title,
            update_minutes=reading.update_minutes,
            entries=len(reading.entries),
            items=accepted.items,
            skipped=accepted.skipped,
            warnings=reading.warnings,
        )


def _named(attempt: Attempt) -> list[str]:
    """Return the feeds that a web page links to: the feed may have moved to one of them."""
    # The import, with that of SQLAlchemy, would double the time in which the program starts.
    from indexer.feeds.registry.feed_links import feeds_of_page  # noqa: PLC0415 - rarely needed

    found = feeds_of_page(attempt.pages[0].url, attempt.parts[0])
    return [one_line(spec.url, MAX_NAMED) for spec in found[:MOST_NAMED]]


def _keep(kept: KeptBodies | None, attempt: Attempt) -> None:
    if kept is None:
        return
    try:
        kept.keep(attempt.poll.feed_id, attempt.started, attempt.parts)
    except StorageError as error:
        # Kept documents are only for people to look at.
        log.warning("a document can't be kept", feed=attempt.label, why=str(error))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_worker(FeedParser, FeedParserOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
