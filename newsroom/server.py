"""The newsroom's HTTP server: many hosts, distinguished by the Host header.

    with Newsroom() as room:
        room.inputs       the URLs of the feeds: http://harbour-herald.example/feed/, …
        room.addresses    the addresses of hosts: harbour-herald.example=127.0.0.1:PORT, …

The URLs have no port: a client connects to these addresses without resolving the names.
"""

import threading
from collections.abc import Iterator

from newsroom.reply import Reply, failure
from newsroom.serving import Handler, Server, Serving
from newsroom.site import Site, load_site

NOT_HERE = failure(404)
WRONG_HOST = failure(421)


class Newsroom(Serving):
    """Serves a site while its block runs, on `port`, or on any free port if it is 0.

    Only this machine reaches it, unless another `address` is given to listen at.
    """

    def __init__(self, port: int = 0, site: Site | None = None, address: str = "127.0.0.1") -> None:
        super().__init__(port, address)
        self._site = site or load_site()

    def server(self, address: tuple[str, int]) -> Server:
        """A server with the site."""
        return _Server(self._site, address)

    @property
    def addresses(self) -> list[str]:
        """HOST=ADDRESS:PORT of every host, for the fetcher's option `resolve`."""
        return [f"{name}=127.0.0.1:{self.port}" for name in self._site.names]

    @property
    def inputs(self) -> list[str]:
        """The URLs of all feeds and lists, without port."""
        return list(self._site.inputs)


class _Server(Server):
    """A server with the replies of a site."""

    def __init__(self, site: Site, address: tuple[str, int]) -> None:
        self.site = site
        self.names = frozenset(site.names)
        self._seen: set[str] = set()
        self._seeing = threading.Lock()
        super().__init__(address, _Handler)

    def reply(self, host: str, target: str) -> Reply:
        """The reply to a request. Unknown parameters, such as those of campaigns, are ignored."""
        if host not in self.names:
            return WRONG_HOST
        url = f"http://{host}{target}"
        found = self.site.replies.get(url) or self.site.replies.get(url.partition("?")[0])
        if not found:
            return NOT_HERE
        return found.first if found.first and self._is_first(url) else found

    def _is_first(self, url: str) -> bool:
        with self._seeing:
            first = url not in self._seen
            self._seen.add(url)
        return first


class _Handler(Handler):
    """Answers the requests of one connection."""

    server: _Server

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        host = self.headers.get("Host", "").partition(":")[0].lower()
        reply = self.server.reply(host, self.path)
        if reply.delay:
            self.server.closing.wait(reply.delay)
        if reply.headers.get("ETag", "") == self.headers.get("If-None-Match"):
            reply = Reply(status=304, headers=reply.headers)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.size:
            self._stream(reply, with_body)
        else:
            self._whole(reply, with_body)

    def _whole(self, reply: Reply, with_body: bool) -> None:
        body = reply.body
        if reply.packed:
            self.send_header("Vary", "Accept-Encoding")
            if "gzip" in self.headers.get("Accept-Encoding", ""):
                self.send_header("Content-Encoding", "gzip")
                body = reply.packed
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _stream(self, reply: Reply, with_body: bool) -> None:
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if with_body:
            for part in _parts(reply):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")


def _parts(reply: Reply) -> Iterator[bytes]:
    sent = 0
    while sent < reply.size:
        part = reply.body[: reply.size - sent]
        yield part
        sent += len(part)
