"""The limits of a message in AMQP 0-9-1. The embedded broker keeps them too, so that a pipeline
that works on a laptop works in production."""

from indexer.errors import BrokerError
from indexer.messages.message import Headers, Send

MAX_KEY_BYTES = 255
MAX_HEADER_BYTES = 64 * 1024
MAX_BODY_BYTES = 128 * 1024 * 1024
"""The default limit of RabbitMQ (`max_message_size`)."""

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def check(send: Send) -> None:
    """Raise BrokerError if a message is beyond the limits; its text names the limit."""
    # A lone surrogate can't be encoded: publishing would fail in the middle of a batch.
    for name in (send.exchange, send.key, *send.headers):
        if name.encode("utf-8", "ignore").decode() != name:
            raise BrokerError(f"a routing key, exchange or header not in Unicode: {name!a:.50}")
    if len(_encode(send.key)) > MAX_KEY_BYTES or len(_encode(send.exchange)) > MAX_KEY_BYTES:
        raise BrokerError(f"a routing key or exchange above {MAX_KEY_BYTES} bytes: {send.key:.50}…")
    if len(send.body) > MAX_BODY_BYTES:
        raise BrokerError(f"a message of {len(send.body)} bytes: the limit is {MAX_BODY_BYTES}")
    if sum(_size(name, value) for name, value in send.headers.items()) > MAX_HEADER_BYTES:
        raise BrokerError(f"headers above {MAX_HEADER_BYTES} bytes: {', '.join(send.headers):.200}")


def storable(headers: Headers) -> dict[str, str | int]:
    """The headers; a lone surrogate, which UTF-8 can't encode, is replaced by its escape."""
    return {
        name: _encode(value).decode() if isinstance(value, str) else value
        for name, value in headers.items()
    }


def _size(name: str, value: str | int) -> int:
    if isinstance(value, str):
        return len(name.encode()) + len(_encode(value))
    if not isinstance(value, int) or not _SMALLEST <= value <= _LARGEST:
        raise BrokerError(f"header {name}: not a text, nor an integer of 64 bits")
    return len(name.encode()) + 8


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
