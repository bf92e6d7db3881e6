"""The parts of fetching that can fail, and the causes of network errors in one line for a log."""

import http.client
import socket
import ssl
from enum import StrEnum

from indexer.http.connections.bounded import Allowance
from indexer.text.cleaning import one_line


class FetchFailure(StrEnum):
    """The part of fetching that failed, for callers that treat failures differently."""

    UNKNOWN_HOST = "unknown host"  # the name server knows no such name
    LOOK_UP_NOW = "name look-up, for now"
    LOOK_UP = "name look-up"
    CONNECT_TIMEOUT = "connect timeout"
    READ_TIMEOUT = "read timeout"  # silence, before the response's head or in its body
    DEADLINE = "deadline"  # the time for the whole response was over
    TLS = "TLS"
    CONNECTION = "connection"  # refused, reset, closed early, or invalid HTTP
    BODY = "body"  # cut off, too long, or with another encoding than declared
    PROXY = "proxy"  # unreachable, or it refuses us
    URL = "URL"  # of the request, or of a redirect
    VALUE = "value"  # another part of the request is invalid
    ADDRESS = "address"  # refused
    SIZE = "size"
    REDIRECTS = "redirects"  # too many, or in a circle
    OTHER = "other"


_LOOK_UP = {
    socket.EAI_NONAME: ("no such host", FetchFailure.UNKNOWN_HOST),
    socket.EAI_AGAIN: ("the name look-up failed for now", FetchFailure.LOOK_UP_NOW),
}
# The message of http.client's OSError if a proxy refuses CONNECT: the error has no class.
_NO_TUNNEL = "Tunnel connection failed"


def reason(  # noqa: PLR0911 - a table: one return a row
    error: BaseException, late: str = "no answer in time"
) -> str:
    """The cause of an error of a socket, of TLS or of HTTP; `late` is the text for a timeout."""
    root = _root(error)
    match root:
        case ssl.SSLCertVerificationError():
            return f"TLS: {root.verify_message}"
        case ssl.SSLError():
            return f"TLS: {(root.reason or str(root)).replace('_', ' ').lower()}"
        case socket.gaierror():
            return _look_up(root)[0]
        case TimeoutError():
            return late
        case http.client.RemoteDisconnected():
            return "closed without an answer"
        case http.client.IncompleteRead():
            return "the answer ends too early"
        case http.client.HTTPException():
            return f"not HTTP: {one_line(str(root) or type(root).__name__, 80)}"
        case OSError():
            return (root.strerror or str(root) or type(root).__name__).lower()
        case _:
            return one_line(str(root) or type(root).__name__, 80)


def failure(
    error: BaseException, otherwise: FetchFailure, late: FetchFailure = FetchFailure.READ_TIMEOUT
) -> FetchFailure:
    """The kind of an error: `late` for a timeout, `otherwise` if the error shows no kind."""
    match root := _root(error):
        case ssl.SSLError():
            return FetchFailure.TLS
        case socket.gaierror():
            return _look_up(root)[1]
        case TimeoutError():
            return late
        case OSError() if str(root).startswith(_NO_TUNNEL):
            return FetchFailure.PROXY
        case _:
            return otherwise


def late(allowance: Allowance) -> FetchFailure:
    """The failure that a timeout stands for: the whole time is over, or one pause was too long."""
    return FetchFailure.DEADLINE if allowance.is_over else FetchFailure.READ_TIMEOUT


def _look_up(error: socket.gaierror) -> tuple[str, FetchFailure]:
    other = (error.strerror or "the name look-up failed", FetchFailure.LOOK_UP)
    return _LOOK_UP.get(error.errno or 0, other)


def _root(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error
