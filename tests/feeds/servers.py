"""Servers of feeds, most of them broken: their bytes, and how they treat connections."""

import gzip
import socket
import struct
import threading

from tests.http.fetching.raw import Talk, drip, flood

RSS = b"<rss version='2.0'><channel><title>News</title></channel></rss>"
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


def answer(status: str = "200 OK", *headers: str, body: bytes = RSS) -> bytes:
    """A response with its length."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def found(location: str, status: str = "302 Found", *headers: str) -> bytes:
    """A redirect."""
    return answer(status, f"Location: {location}", *headers, body=b"")


def encoded(name: str, body: bytes) -> bytes:
    """A response with a Content-Encoding."""
    return answer("200 OK", f"Content-Encoding: {name}", body=body)


def in_turn(*answers: bytes) -> Talk:
    """Send one response after the other, and the last one for ever."""
    left = list(answers)
    lock = threading.Lock()

    def talk(sock: socket.socket) -> None:
        with lock:
            say = left.pop(0) if len(left) > 1 else left[0]
        sock.sendall(say)

    return talk


def reset(sock: socket.socket) -> None:
    """Reset the connection."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def silent(start: bytes = b"") -> Talk:
    """Send these bytes, and nothing more."""
    return drip(start, b"", 0.5)


GZIPPED = gzip.compress(RSS)
BOMB = gzip.compress(bytes(3_000_000))

__all__ = ["BOMB", "CHUNKED", "GZIPPED", "OK", "RSS", "drip", "flood", "silent"]
