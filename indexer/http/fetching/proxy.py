"""Going through a proxy, where an operator wants it: `http://[USER:PASSWORD@]HOST:PORT`.

A proxy looks names up itself, so it is the proxy that has to refuse private addresses then; only
those that a URL spells out are refused here.
"""

import base64
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from indexer.errors import BadURL, ConfigurationError
from indexer.http.urls.target import Target

ENVIRONMENT: Final = "environment"
"""The proxies that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name."""


class Proxy(NamedTuple):
    """Where it is, and the headers that it wants for itself."""

    target: Target
    headers: dict[str, str]


Route: TypeAlias = Callable[[Target], Proxy | None]
"""The proxy on the way to a target; None: there is none."""


def route(proxy: str) -> Route:
    """By what the operator says: nothing, a URL, or `environment`. Raises ConfigurationError."""
    if not proxy:
        return lambda _: None
    if proxy == ENVIRONMENT:
        return _environment()
    only = _proxy(proxy)
    return lambda _: only


def _environment() -> Route:
    # The one place where these are read: requests, curl and others agree on them.
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
        parts = urlsplit(url if "://" in url else f"http://{url}")
        user, _, place = parts.netloc.rpartition("@")
        if parts.scheme != "http":
            raise ValueError(parts.scheme)
        target = Target.parse(f"http://{place}/")
    except (BadURL, ValueError):
        # Not quoted: there may be a password in it.
        raise ConfigurationError(
            "--proxy: write it as http://HOST:PORT, or environment to do as HTTP_PROXY and "
            "HTTPS_PROXY say"
        ) from None
    if not user:
        return Proxy(target, {})
    word = base64.b64encode(unquote(user).encode()).decode()
    return Proxy(target, {"Proxy-Authorization": f"Basic {word}"})
