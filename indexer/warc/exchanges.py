"""HTTP exchanges as they went over the wire, and their records in a WARC file.

WireExchange → a `response` record, then its `request` record (ISO 28500:2017, 6.3 and 6.5)

The stored bytes are those of the exchange, and both digests are of the stored bytes. The payload
is everything behind the head, with its transfer coding: warcio and fastwarc verify it so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from io import SEEK_END
from typing import BinaryIO

from indexer.warc.record import HTTP_END, digest_of, pieces
from indexer.warc.writer import Writer, target_uri

MAX_HEAD = 1 << 20
"""The most bytes of a head. HTTP clients and servers allow fewer."""

_BLANK_LINE = re.compile(rb"\n[ \t\r]*\n")


class Truncation(StrEnum):
    """Reasons for which a response ends early: the values of WARC-Truncated (5.13)."""

    LENGTH = "length"
    TIME = "time"
    DISCONNECT = "disconnect"
    UNSPECIFIED = "unspecified"


@dataclass(frozen=True, slots=True)
class WireExchange:
    """A request and its response, byte for byte, without TLS.

    `time` is aware. `address` is the IP address of the peer, "" if it is unknown. `request` and
    `response` are seekable files, which the exchange's maker closes: heads, and bodies with their
    transfer and content codings. Interim responses (1xx) are not part of `response`: readers would
    take the first one for the answer. `response` is empty if there was none. `redacted`: the
    parts of `request` and of `response` that were changed to remove secrets.
    """

    url: str
    time: datetime
    address: str
    method: str
    request: BinaryIO
    response: BinaryIO
    truncation: Truncation | None = None
    redacted: Mapping[str, Sequence[str]] = field(default_factory=dict)


def write_exchange(writer: Writer, exchange: WireExchange) -> None:
    """Append the records of an exchange: the response, unless it is empty, and the request.

    Nothing is redacted here. The field X-Redacted, an extension, names redacted parts: `head`,
    `body`, and `codings` if the body is stored without its codings. Raises ArchiveError.
    """
    concurrent = {}
    if exchange.response.seek(0, SEEK_END):
        headers = _headers(exchange, "response", exchange.response)
        if exchange.truncation:
            headers["WARC-Truncated"] = exchange.truncation
        response = writer.record("response", headers, exchange.response, exchange.time)
        concurrent = {"WARC-Concurrent-To": response}
    headers = _headers(exchange, "request", exchange.request) | concurrent
    writer.record("request", headers, exchange.request, exchange.time)


def _headers(exchange: WireExchange, kind: str, message: BinaryIO) -> dict[str, str]:
    headers = {"WARC-Target-URI": target_uri(exchange.url)}
    if exchange.address:
        headers["WARC-IP-Address"] = exchange.address
    if changes := exchange.redacted.get(kind):
        headers["X-Redacted"] = ", ".join(changes)
    headers["Content-Type"] = f"application/http; msgtype={kind}"
    headers["WARC-Block-Digest"] = digest_of(pieces(message))
    if (start := _payload_start(message)) is not None:
        headers["WARC-Payload-Digest"] = digest_of(pieces(message, start))
    return headers


def _payload_start(message: BinaryIO) -> int | None:
    """The offset behind the head; None if readers don't agree on it.

    For warcio a head ends at the first blank line, for fastwarc and `Record.http` at CR LF CR LF.
    """
    message.seek(0)
    head, end, _ = message.read(MAX_HEAD).partition(HTTP_END)
    if not end or _BLANK_LINE.search(head):
        return None
    return len(head) + len(end)
