"""HTTP that is safe to point at any URL: where it goes and what it takes are bounded.

    url → Target → check → Dialer (resolve, check addresses, connect) → TLS → request
        → redirect? → check the target like a link, go on
        → body, capped as it comes → content encodings undone, capped → Response

Nothing of the environment is used, unless an operator says so: no proxies, no .netrc. Nothing is
kept between two calls but the TLS settings: each chain of redirects has its own cookies, each
request its own connection.
"""

from indexer.http.fetching.client import Client
from indexer.http.fetching.options import FetchOptions
from indexer.http.fetching.request import PAGES, Request
from indexer.http.fetching.response import Response

__all__ = ["PAGES", "Client", "FetchOptions", "Request", "Response"]
