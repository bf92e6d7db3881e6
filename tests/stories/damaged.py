"""Messages whose page is damaged in a way that only its reading finds."""

from indexer.messages.wire import PackedBody
from indexer.stories.story import Story

HEADERS = 12
"""Bytes of the headers of zstandard's frame and of its first block, which have the lengths."""


def with_damaged_page(story: Story) -> bytes:
    """The message of a story with a page that can't be unpacked."""
    packed = PackedBody(b"<p>A paragraph of a page.</p>\n" * 200).packed
    head = story.dump().partition(b"\n")[0]
    return head + b"\n" + packed[:HEADERS] + b"\xff" * (len(packed) - HEADERS)
