"""Messages to be sent, some at a time: what one transaction writes, and a crash may repeat."""

from collections.abc import Iterable, Iterator

from indexer.messages.message import Send

MESSAGES, BYTES = 500, 16 * 1024 * 1024
"""How much is in a portion: one message at least, and no more than one beyond the bytes."""


def portions(sends: Iterable[Send]) -> Iterator[list[Send]]:
    """What an iterable yields, in lists that are small enough to be held, and sent at once."""
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
