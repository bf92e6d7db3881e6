"""The places of an OPML file at which feeds may be lost, as its markup can't be read there."""

import re
from collections.abc import Iterator

from indexer.feeds.registry.feed_spec import SHOWN, FeedProblem
from indexer.news.syndication.markup import CDATA, Part, is_complete
from indexer.text.cleaning import one_line

MOST = 20
"""Damages that are reported: one open quote may hide all tags behind it."""

STRAY = "<"
SECTIONS = {"<!--": "a comment", CDATA: "a CDATA section"}

_TAG = re.compile(r"/?[^\W\d]")


class Damages:
    """Finds damages, while the parts of a file pass by in their order."""

    def __init__(self) -> None:
        self._line = 1
        self._stray = 0
        self._section = ("", 0)
        self._number = 0
        self._has_tags = self._opened = self._closed = False

    def of(self, part: Part) -> Iterator[FeedProblem]:
        """The damage that a part reveals: a tag without an end, which is read as text."""
        text, slash, name, raw, section = part
        if self._stray and _TAG.match(text):
            yield from self._damage(f"<{text}", "a tag that does not end, or with a wrong quote")
        self._line += text.count("\n")
        self._stray = self._line if section == STRAY else 0
        if section and section != STRAY:
            self._follow(section)
        self._has_tags |= bool(name)
        if name.lower() == "opml":
            self._opened = True
            self._closed = bool(slash) or raw.endswith("/")
        self._line += raw.count("\n") + section.count("\n")

    def at_the_end(self) -> Iterator[FeedProblem]:
        """The damage that the end of the file reveals: a part is missing."""
        opener, line = self._section
        if opener in SECTIONS:
            yield FeedProblem("", f"{SECTIONS[opener]} that does not end", f"line {line}")
        elif not self._has_tags and not self._number:
            yield FeedProblem("", "no <opml> in it")
        elif self._opened and not self._closed:
            where = f"line {self._line}"
            yield FeedProblem("", "the file ends before </opml>: it was cut off", where)

    def _follow(self, section: str) -> None:
        """Remember the line at which an open section began; it comes in several parts."""
        opener = next((each for each in SECTIONS if section.startswith(each)), "")
        if is_complete(section):
            self._section = ("", 0)
        elif not self._section[0]:
            self._section = (opener, self._line)

    def _damage(self, what: str, why: str) -> Iterator[FeedProblem]:
        self._number += 1
        if self._number <= MOST:
            yield FeedProblem(one_line(what, SHOWN), why, f"line {self._stray}")
