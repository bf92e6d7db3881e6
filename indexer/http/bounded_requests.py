"""GET requests by `requests` to servers of the operator's own, within limits of time and bytes.

    requests → its adapter → urllib3's pools → sockets of a Dialer with an Allowance

The environment's CA bundles and proxies apply, as operators know them from curl and requests, but
no proxy leads to this machine. No redirects; no .netrc, which would replace given credentials.
"""

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import certifi
import requests
from requests.adapters import HTTPAdapter
from requests.utils import select_proxy
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError

from indexer.errors import BadResponse, ConfigurationError, FetchError
from indexer.http.connections.bounded import (
    Allowance,
    BoundedSocket,
    BoundedTLSSocket,
    tls_context,
)
from indexer.http.connections.connection import PinnedConnection, PinnedTLSConnection
from indexer.http.connections.dialer import Dialer, Names
from indexer.http.connections.failures import reason
from indexer.http.fetching.encodings import PIECE, capped, decoded
from indexer.http.urls.addresses import ANYWHERE
from indexer.http.urls.special_addresses import embedded
from indexer.http.urls.target import Target

_HEAD_BYTES = 262_144
_BAD_PROXY = "can't use the proxy: HTTP_PROXY and HTTPS_PROXY have to be http://HOST:PORT"
_PROXY_REFUSES = "the proxy refuses us (407): check HTTP_PROXY and HTTPS_PROXY"
_NO_TUNNEL = "Tunnel connection failed: 407"


class AnswerLimits(NamedTuple):
    """The limits of one answer: seconds to connect, without a byte and in all; bytes."""

    connect: float
    read: float
    total: float
    max_bytes: int


class BoundedAnswer(NamedTuple):
    """An answer. `headers` ignores the case of names; `body` is without content encodings."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def get(url: str, headers: Mapping[str, str], limits: AnswerLimits) -> BoundedAnswer:
    """The answer to a GET, whatever its status.

    Raises TooLarge, FetchError, and ConfigurationError for an environment that can't be used.
    """
    allowance = Allowance(limits.total, limits.read)
    # Twice the size: the framing of chunks counts too, and may be as long as their content.
    allowance.grant(2 * limits.max_bytes + _HEAD_BYTES)
    with _named_errors(allowance), closing(_Adapter(limits.connect, allowance)) as adapter:
        # Prepared without a session, which would read .netrc.
        request = requests.Request("GET", url, headers=dict(headers)).prepare()
        answer = adapter.send(request, timeout=(limits.connect, limits.read), **_environment(url))
        if answer.status_code == requests.codes.proxy_authentication_required:
            raise ConfigurationError(_PROXY_REFUSES)
        most = limits.max_bytes
        sent = capped(answer.raw.stream(PIECE, decode_content=False), most)
        encoding = answer.headers.get("content-encoding", "")
        body = b"".join(capped(decoded(sent, encoding, most), most))
        return BoundedAnswer(answer.status_code, answer.headers, body)


def _environment(url: str) -> Mapping[str, Any]:
    """The settings of the environment for a URL. Raises ConfigurationError."""
    with requests.Session() as session:
        settings = session.merge_environment_settings(url, {}, True, None, None)
    bundle = settings["verify"]
    if isinstance(bundle, str) and not Path(bundle).exists():
        raise ConfigurationError(f"REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE: there is no {bundle}")
    if select_proxy(url, settings["proxies"]) and _is_this_machine(Target.parse(url)):
        settings["proxies"] = {}
    return settings


def _is_this_machine(target: Target) -> bool:
    """Whether the host has a loopback address."""
    try:
        places = Names().places(target.host.strip("[]"), target.port)
    except (OSError, UnicodeError):
        return False  # Where only the proxy knows other hosts' names, this machine's are known.
    addresses = (ipaddress.ip_address(address[0]) for _, address in places)
    all_forms = (form for each in addresses for form in (each, *embedded(each)))
    return any(each.is_loopback or each.is_unspecified for each in all_forms)


class _Adapter(HTTPAdapter):
    """The adapter of one request: its sockets have one allowance."""

    def __init__(self, connect_timeout: float, allowance: Allowance) -> None:
        self._dialer = Dialer(ANYWHERE, timeout=connect_timeout)
        self._allowance = allowance
        self._pools = {
            "http": _pool(HTTPConnectionPool, self._connection),
            "https": _pool(HTTPSConnectionPool, self._tls_connection),
        }
        super().__init__()

    def init_poolmanager(self, *given: Any, **options: Any) -> None:
        super().init_poolmanager(*given, **options)
        self.poolmanager.pool_classes_by_scheme = self._pools

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        manager = super().proxy_manager_for(proxy, **options)
        manager.pool_classes_by_scheme = self._pools
        return manager

    def _connection(self, **options: Any) -> PinnedConnection:
        opened = PinnedConnection(**options)
        opened.dial = partial(self._dial, opened)
        return opened

    def _tls_connection(self, **options: Any) -> PinnedTLSConnection:
        context = tls_context(verify=True, authorities=certifi.where())
        # A class attribute, since ssl makes the socket of TLS itself.
        own = {"allowance": self._allowance}
        context.sslsocket_class = type("_TLSSocket", (BoundedTLSSocket,), own)
        opened = PinnedTLSConnection(**options, ssl_context=context)
        opened.dial = partial(self._dial, opened)
        return opened

    def _dial(self, opened: PinnedConnection | PinnedTLSConnection) -> BoundedSocket:
        # The host and port are the proxy's, if there is one.
        host = f"[{opened.host}]" if ":" in opened.host else opened.host
        try:
            target = Target.parse(f"http://{host}:{opened.port}/")
            return self._dialer.dial(target, self._dialer.places(target), self._allowance)
        except FetchError as error:
            if opened.proxy is None:
                raise
            raise FetchError(f"the proxy: {error}") from error


def _pool(pool: type[HTTPConnectionPool], connection: Callable[..., Any]) -> type[Any]:
    """A class of pools with these connections."""
    return type(pool.__name__, (pool,), {"ConnectionCls": staticmethod(connection)})


@contextmanager
def _named_errors(allowance: Allowance) -> Iterator[None]:
    """Turns the errors of requests and of urllib3 into FetchError and ConfigurationError."""
    try:
        yield
    except FetchError:
        raise
    except ValueError:
        # `from None`: the URL of a proxy may hold a password, and these errors quote it.
        raise ConfigurationError(_BAD_PROXY) from None
    except (requests.RequestException, HTTPError, OSError) as error:
        root = _root(error)
        if str(root).startswith(_NO_TUNNEL):
            raise ConfigurationError(_PROXY_REFUSES) from error
        raise BadResponse(reason(root, allowance.late())) from error


def _root(error: BaseException) -> BaseException:
    """The first error: neither library names the cause of each of its errors."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error
