"""Messages of stories as archive entries, and back: the data that a dump keeps beside a story.

    dump     Delivery → Entry: response, metadata with rabbitmq_headers and queue_data → file
    load     ArchivedStory → Send: the story as it was, its headers restored

The metadata has the three objects of every archive (stories.md 7.4), and two more.
`rabbitmq_headers` has all headers of the message, the broker's included. `queue_data` has the data
that other archives lose:

    exchange, routing_key   the address to send the message to its queue again
    key                     the routing key that the message was first published with
    page                    whether the story had a page: an empty page differs from none
    encoding                the page's encoding, as far as it was known
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from indexer.errors import ArchiveError, Quarantine
from indexer.http.urls.parts import host_of, is_within
from indexer.loops.inbox import load
from indexer.messages.message import DEFAULT_KEY, KEY_HEADER, Delivery, Headers, Send, first_key
from indexer.stories.archiving.story_archive_reader import ArchivedStory
from indexer.stories.archiving.story_archive_writer import ArchiveEntry
from indexer.stories.story import DUMP_OBJECTS, RawHTML, Story
from indexer.text.cleaning import is_text

HEADERS, QUEUE_DATA = DUMP_OBJECTS

OURS = "x-mc-"
"""The prefix of the headers that are restored (stories.md 9.1)."""

_OURS = re.compile(OURS + "[!-~]{1,200}")


def entry_of(key: str, delivery: Delivery, exchange: str = "") -> ArchiveEntry:
    """The archive entry of a message in the queue `key`, or sent to an exchange with that key.

    Raises Quarantine if the message is not a story, or can't be written.
    """
    story = load(Story, delivery)
    html, encoding = story.raw_html.html, story.raw_html.encoding
    queue_data = {
        "exchange": exchange,
        "routing_key": key,
        "key": first_key(delivery),
        "page": html is not None,
        "encoding": encoding,
    }
    headers = {name: _finite(value) for name, value in delivery.others.items()}
    page = RawHTML(html=html or b"", encoding=encoding)
    extra = {HEADERS: headers | dict(delivery.headers), QUEUE_DATA: queue_data}
    try:
        return ArchiveEntry.of(msgspec.structs.replace(story, raw_html=page), extra)
    except ArchiveError as error:
        raise Quarantine("bad-story", str(error)) from error


def _finite(value: object) -> object:
    """The value; JSON has no infinity and no NaN, so these become texts."""
    match value:
        case Mapping():
            return {str(name): _finite(each) for name, each in value.items()}
        case list() | tuple():
            return [_finite(each) for each in value]
        case float() if not math.isfinite(value):
            return repr(value)
        case _:
            return value


def send_of(archived: ArchivedStory, target: str, *, exchange: bool, reset: bool) -> Send:
    """The message of a story of an archive; `reset` leaves its retries and errors out.

    The x-mc-* headers are restored, so that a dumped message is the same again.
    """
    data = _object(archived, QUEUE_DATA)
    headers = _headers(archived)
    key = str(headers.get(KEY_HEADER) or _key(data))
    if reset:
        headers = {KEY_HEADER: key} if KEY_HEADER in headers else {}
    body = restored(archived).dump()
    if exchange:
        return Send(target, key, body, headers)
    # Sent to a queue by name, the message loses its key. Most have the default one: not kept.
    kept = {} if key == DEFAULT_KEY or KEY_HEADER in headers else {KEY_HEADER: key}
    return Send("", target, body, {**headers, **kept})


def kept_in(archived: ArchivedStory) -> str:
    """The queue that a story was in, or was sent to; "" if it was sent to an exchange."""
    data = _object(archived, QUEUE_DATA)
    return "" if data.get("exchange") else _text(data.get("routing_key")) or ""


def restored(archived: ArchivedStory) -> Story:
    """The dumped story, byte for byte; for other archives, the story as it was read."""
    story, data = archived.story, _object(archived, QUEUE_DATA)
    if not isinstance(data.get("page"), bool):
        return story
    html = story.raw_html.html if data["page"] else None
    # The reader of archives fills in a missing date; the dumped story may have had none.
    date = _text(_object(archived, "content_metadata").get("parsed_date"))
    return msgspec.structs.replace(
        story,
        raw_html=RawHTML(html=html, encoding=_text(data.get("encoding"))),
        content_metadata=msgspec.structs.replace(story.content_metadata, parsed_date=date),
    )


def _text(value: object) -> str | None:
    """The value, if it is a text that can be encoded: JSON may hold lone surrogates."""
    return value if isinstance(value, str) and is_text(value) else None


def _headers(archived: ArchivedStory) -> Headers:
    return {
        name: value
        for name, value in _object(archived, HEADERS).items()
        if _OURS.fullmatch(name) and isinstance(value, str | int)
    }


def _key(data: Mapping[str, object]) -> str:
    """The first routing key of a story; a queue's name means that the first is unknown."""
    key = data.get("key")
    if not data.get("exchange") and key == data.get("routing_key"):
        return DEFAULT_KEY
    return _text(key) or DEFAULT_KEY


def _object(archived: ArchivedStory, name: str) -> Mapping[str, object]:
    found = archived.metadata.get(name)
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class DomainFilter:
    """Selects stories of some domains and their subdomains; without `include`, of all domains."""

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()

    def match(self, story: Story) -> bool:
        """Whether a story is selected, by the hosts of its link, final URL and canonical URL."""
        urls = (story.rss_entry.link, story.http_metadata.final_url, story.content_metadata.url)
        hosts = [host for url in urls if url and (host := host_of(url))]
        included = not self.include or any(is_within(host, self.include) for host in hosts)
        return included and not any(is_within(host, self.exclude) for host in hosts)
