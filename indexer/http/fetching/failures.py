"""The parts of fetching that can fail: a `FetchError` carries one of them as `failure`."""

from enum import StrEnum


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
