"""The IP addresses that may be visited: a link must not lead into the operator's own network.

name → addresses → `AddressPolicy.why_not` of each → connect to one that passed, and no other

An IPv6 address with an IPv4 address in it (mapped, 6to4, Teredo, NAT64, ISATAP) is allowed only if
both are. The ranges are in `special_addresses`.
"""

import ipaddress
import re
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address

from indexer.errors import ConfigurationError
from indexer.http.urls.special_addresses import (
    LOOPBACK,
    PRIVATE,
    SHARED,
    Address,
    Network,
    embedded,
    kind,
)

REFUSED = "refused by an option"
"""The reason for an address that the operator refuses."""

EXCUSABLE = (PRIVATE, LOOPBACK, SHARED)
"""The kinds of addresses that `private` allows."""

_LAST_LABEL_IS_A_NUMBER = re.compile(r"(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$", re.IGNORECASE)


class AddressPolicy:
    """The allowed addresses: public addresses, and the networks of `allow`.

    The networks of `refuse` are refused, whatever else allows them.
    `private` allows private, loopback and shared addresses too, but never link-local addresses or
    those where clouds serve credentials. Immutable, so threads may share it.
    """

    def __init__(
        self, allow: Sequence[str] = (), refuse: Sequence[str] = (), *, private: bool = False
    ) -> None:
        """Raises ConfigurationError for a text that is no network such as 10.1.0.0/16."""
        self._allowed = [_network(text) for text in allow]
        self._refused = [_network(text) for text in refuse]
        self._excused = EXCUSABLE if private else ()

    def why_not(self, address: Address) -> str:
        """The reason to refuse an address, such as "link-local"; "" for an allowed address."""
        reasons = (self._reason(each) for each in (*embedded(address), address))
        return next((reason for reason in reasons if reason), "")

    def _reason(self, address: Address) -> str:
        if any(address in network for network in self._refused):
            return REFUSED
        if any(address in network for network in self._allowed):
            return ""
        found = kind(address)
        return "" if found in self._excused else found


def with_option(refusal: str) -> str:
    """An error's text; if it tells of an address that --allow-private allows, with that option."""
    # Link-local addresses, of cloud metadata for one, are refused even with --allow-private.
    is_excusable = any(f"refused ({kind})" in refusal for kind in EXCUSABLE)
    return f"{refusal}: --allow-private allows it" if is_excusable else refusal


PUBLIC = AddressPolicy()
"""Public addresses only: the default."""


def literal(host: str) -> Address | None:
    """The address that a URL's host spells, as browsers read it (WHATWG URL, 3.5); None for a name.

    0x7f.1, 2130706433 and 017700000001 are addresses too. Raises ValueError for a host that ends
    with a number and is no address: 1.2.3.4.5, 256.1.1.1.
    """
    if host.startswith("["):
        if "%" in host or not host.endswith("]"):
            raise ValueError(f"{host} is not an address")
        return IPv6Address(host[1:-1])
    if not _LAST_LABEL_IS_A_NUMBER.search(host):
        return None
    try:
        return IPv4Address(socket.inet_aton(host.removesuffix(".")))
    except OSError:
        raise ValueError(f"{host} is not an address") from None


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError as error:
        raise ConfigurationError(
            f"{text!r} is not a network: write it as 10.1.0.0/16 or 10.1.2.3"
        ) from error


EVERY_ADDRESS = ["0.0.0.0/0", "::/0"]
ANYWHERE = AddressPolicy(EVERY_ADDRESS)
"""Every address is allowed: for servers of the operator's own."""
