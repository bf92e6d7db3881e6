"""The operator's HTTP proxy: `http://[USER:PASSWORD@]HOST:PORT`.

A proxy resolves names itself, so the proxy has to refuse private addresses. Only addresses that
are written in a URL are refused here.
"""

import base64
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import unquote
from urllib.request import getproxies, proxy_bypass

from indexer.errors import BadURL, ConfigurationError
from indexer.http.urls.parts import split
from indexer.http.urls.target import Target

ENVIRONMENT: Final = "environment"
"""The option's value for: use HTTP_PROXY, HTTPS_PROXY and NO_PROXY."""


class Proxy(NamedTuple):
    """The address of a proxy, and the headers for the proxy itself."""

    target: Target
    headers: dict[str, str]


Route: TypeAlias = Callable[[Target], Proxy | None]
"""The proxy for a target; None for a direct connection."""


def route(proxy: str) -> Route:
    """The route for the option's value: "", a URL, or `environment`. Raises ConfigurationError."""
    if not proxy:
        return lambda _: None
    if proxy == ENVIRONMENT:
        return _environment()
    only = _proxy(proxy)
    return lambda _: only


def _environment() -> Route:
    # Only here, and not as options: curl, requests and others agree on the names.
    found = getproxies()
    proxies: dict[str, Proxy] = {
        scheme: _proxy(found[scheme]) for scheme in ("http", "https") if scheme in found
    }

    def route(target: Target) -> Proxy | None:
        if proxy_bypass(target.host.strip("[]")):
            return None
        return proxies.get(target.scheme)

    return route


def _proxy(url: str) -> Proxy:
    try:
        parts = split(url if "://" in url else f"http://{url}")
        if parts is None or parts.scheme != "http":
            raise BadURL("not a proxy")
        user, _, place = parts.authority.rpartition("@")
        target = Target.parse(f"http://{place}/")
    except BadURL:
        # The message does not quote the URL: it may hold a password.
        raise ConfigurationError(
            "--proxy: write it as http://HOST:PORT, or environment to use HTTP_PROXY and "
            "HTTPS_PROXY"
        ) from None
    if not user:
        return Proxy(target, {})
    word = base64.b64encode(unquote(user).encode()).decode()
    return Proxy(target, {"Proxy-Authorization": f"Basic {word}"})
