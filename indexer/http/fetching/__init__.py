"""HTTP that is safe for any URL: addresses are checked, time and bytes are limited.

    url → Target → check → Dialer (resolve, check addresses, connect) → TLS → request
        → redirect? → check the target like a link, go on
        → body, capped as it comes → content encodings undone, capped → Response

The environment is not read unless an operator asks for it: no proxies, no .netrc. Only the TLS
settings outlive a call: each chain of redirects has its own cookies, each request a new connection.
"""

from indexer.http.fetching.client import Client
from indexer.http.fetching.exchange import PAGES, Request, Response
from indexer.http.fetching.options import FetchOptions

__all__ = ["PAGES", "Client", "FetchOptions", "Request", "Response"]
