"""Messages divided into portions, each of which is published in one transaction."""

from collections.abc import Iterable, Iterator

from indexer.messages.message import Send

MESSAGES, BYTES = 500, 16 * 1024 * 1024
"""The limits of a portion. It is complete with the message that reaches one of them."""


def portions(sends: Iterable[Send]) -> Iterator[list[Send]]:
    """The messages in lists that fit in memory, and are published at once."""
    portion: list[Send] = []
    size = 0
    for send in sends:
        portion.append(send)
        size += len(send.body)
        if len(portion) >= MESSAGES or size >= BYTES:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion
