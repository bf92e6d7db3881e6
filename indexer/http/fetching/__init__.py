"""Requests that are safe for any URL: addresses are checked, time and bytes are limited.

    Request → Target → Chain → secrets of its origin → Transport: a connection, the request, Answer
        → redirect? → check the target like a link, go on
        → body, capped as it comes → content encodings undone, capped → Response, Stream, file

The environment is not read unless an operator asks for it: no proxies, no .netrc. A client keeps
connections and the addresses of names for a short time; cookies live as long as their chain.
"""

from indexer.http.fetching.exchange import PAGES, Request, Response
from indexer.http.fetching.options import FetchOptions

__all__ = ["PAGES", "FetchOptions", "Request", "Response"]
