"""The IP addresses that may be visited: a link must not lead into the operator's own network.

name → addresses → `AddressPolicy.why_not` of each → connect to one that passed, and no other

The ranges are those of the IANA special-purpose registries (RFC 6890). An IPv6 address with an IPv4
address in it (mapped, 6to4, Teredo, NAT64) is allowed only if both are.
"""

import ipaddress
import re
import socket
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TypeAlias

from indexer.errors import ConfigurationError

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

PRIVATE, LOOPBACK, SHARED = "private", "loopback", "shared (carrier-grade NAT)"

_PRIVATE = tuple(
    ipaddress.ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10")
)
_SHARED = IPv4Network("100.64.0.0/10")
_NAT64 = IPv6Network("64:ff9b::/96")
_NOT_PUBLIC = (
    IPv6Network("64:ff9b:1::/48"),  # NAT64 of one network (RFC 8215)
    IPv6Network("2002::/16"),  # 6to4, which is no longer in use (RFC 7526)
)
_LAST_LABEL_IS_A_NUMBER = re.compile(r"(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$", re.IGNORECASE)


class AddressPolicy:
    """The allowed addresses: public addresses, and the networks of `allow`.

    `private` allows private, loopback and shared addresses too, but never link-local addresses,
    where clouds serve credentials. Immutable, so threads may share it.
    """

    def __init__(self, allow: Sequence[str] = (), *, private: bool = False) -> None:
        """Raises ConfigurationError for a text that is no network such as 10.1.0.0/16."""
        self._allowed = [_network(text) for text in allow]
        self._private = private

    def why_not(self, address: Address) -> str:
        """The reason to refuse an address, such as "link-local"; "" for an allowed address."""
        if any(address in network for network in self._allowed):
            return ""
        reasons = (_kind(each) for each in (*embedded(address), address))
        return next((kind for kind in reasons if kind and not self._excused(kind)), "")

    def _excused(self, kind: str) -> bool:
        return self._private and kind in (PRIVATE, LOOPBACK, SHARED)


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


def embedded(address: Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses in an IPv6 address: packets may be sent on to them."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped:
        yield address.ipv4_mapped
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo
    if address in _NAT64:
        yield IPv4Address(int(address) & 0xFFFFFFFF)


def _kind(address: Address) -> str:
    """The name of a range that is not public; "" for a public address."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return ""  # only the embedded address counts: the kernel connects to it by IPv4
    kinds = (
        ("unspecified", address.is_unspecified),
        (LOOPBACK, address.is_loopback),
        ("link-local", address.is_link_local),
        ("multicast", address.is_multicast),
        (SHARED, address in _SHARED),
        (PRIVATE, any(address in network for network in _PRIVATE)),
        ("not public", address.is_reserved and address not in _NAT64),
        ("not public", any(address in network for network in _NOT_PUBLIC)),
        ("not public", not address.is_global),
    )
    return next((kind for kind, applies in kinds if applies), "")


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
