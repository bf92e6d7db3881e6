"""The addresses that no web site has, by range: one table, equal on every version of Python.

Sources: the IANA special-purpose registries of IPv4 and IPv6 addresses (RFC 6890), the IANA
registries of multicast and of the IPv6 address space, as of 2025, and the documentation of clouds.
Rows that IANA calls globally reachable are refused, too: they lead to the nearest router, relay or
name server, never to a page. Only the forms in which an IPv4 address decides have no kind.
"""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

PRIVATE, LOOPBACK, SHARED = "private", "loopback", "shared (carrier-grade NAT)"
LINK_LOCAL, MULTICAST, UNSPECIFIED = "link-local", "multicast", "unspecified"
METADATA, NOT_PUBLIC = "cloud metadata", "not public"
BY_IPV4 = ""
"""The IPv4 address inside of the address decides."""

TABLE = {
    # IANA IPv4 Special-Purpose Address Registry
    "0.0.0.0/8": NOT_PUBLIC,  # this network (RFC 791)
    "0.0.0.0/32": UNSPECIFIED,  # this host (RFC 1122)
    "10.0.0.0/8": PRIVATE,  # RFC 1918
    "100.64.0.0/10": SHARED,  # RFC 6598
    "127.0.0.0/8": LOOPBACK,  # RFC 1122
    "169.254.0.0/16": LINK_LOCAL,  # RFC 3927
    "172.16.0.0/12": PRIVATE,  # RFC 1918
    "192.0.0.0/24": NOT_PUBLIC,  # protocol assignments (RFC 6890)
    "192.0.0.0/29": NOT_PUBLIC,  # service continuity (RFC 7335)
    "192.0.0.8/32": NOT_PUBLIC,  # dummy (RFC 7600)
    "192.0.0.9/32": NOT_PUBLIC,  # port control anycast (RFC 7723)
    "192.0.0.10/32": NOT_PUBLIC,  # TURN anycast (RFC 8155)
    "192.0.0.170/32": NOT_PUBLIC,  # NAT64 discovery (RFC 8880)
    "192.0.0.171/32": NOT_PUBLIC,  # NAT64 discovery (RFC 8880)
    "192.0.2.0/24": NOT_PUBLIC,  # documentation (RFC 5737)
    "192.31.196.0/24": NOT_PUBLIC,  # AS112 (RFC 7535)
    "192.52.193.0/24": NOT_PUBLIC,  # multicast tunnels (RFC 7450)
    "192.88.99.0/24": NOT_PUBLIC,  # 6to4 relays (RFC 7526)
    "192.88.99.2/32": NOT_PUBLIC,  # 6a44 relays (RFC 6751)
    "192.168.0.0/16": PRIVATE,  # RFC 1918
    "192.175.48.0/24": NOT_PUBLIC,  # AS112 (RFC 7534)
    "198.18.0.0/15": NOT_PUBLIC,  # benchmarks (RFC 2544)
    "198.51.100.0/24": NOT_PUBLIC,  # documentation (RFC 5737)
    "203.0.113.0/24": NOT_PUBLIC,  # documentation (RFC 5737)
    "240.0.0.0/4": NOT_PUBLIC,  # reserved (RFC 1112)
    "255.255.255.255/32": NOT_PUBLIC,  # broadcast (RFC 919)
    # IANA IPv4 Multicast Address Space Registry
    "224.0.0.0/4": MULTICAST,  # RFC 5771
    # IANA IPv6 Special-Purpose Address Registry
    "::1/128": LOOPBACK,  # RFC 4291
    "::/128": UNSPECIFIED,  # RFC 4291
    "::ffff:0:0/96": BY_IPV4,  # mapped: the kernel connects by IPv4 (RFC 4291)
    "64:ff9b::/96": BY_IPV4,  # NAT64 (RFC 6052)
    "64:ff9b:1::/48": NOT_PUBLIC,  # NAT64 of one network (RFC 8215)
    "100::/64": NOT_PUBLIC,  # discard (RFC 6666)
    "100:0:0:1::/64": NOT_PUBLIC,  # dummy (RFC 9780)
    "2001::/23": NOT_PUBLIC,  # protocol assignments (RFC 2928)
    "2001::/32": NOT_PUBLIC,  # Teredo (RFC 4380)
    "2001:1::1/128": NOT_PUBLIC,  # port control anycast (RFC 7723)
    "2001:1::2/128": NOT_PUBLIC,  # TURN anycast (RFC 8155)
    "2001:1::3/128": NOT_PUBLIC,  # service registration anycast (RFC 9665)
    "2001:2::/48": NOT_PUBLIC,  # benchmarks (RFC 5180)
    "2001:3::/32": NOT_PUBLIC,  # multicast tunnels (RFC 7450)
    "2001:4:112::/48": NOT_PUBLIC,  # AS112 (RFC 7535)
    "2001:10::/28": NOT_PUBLIC,  # ORCHID (RFC 4843)
    "2001:20::/28": NOT_PUBLIC,  # ORCHIDv2 (RFC 7343)
    "2001:30::/28": NOT_PUBLIC,  # identifiers of drones (RFC 9374)
    "2001:db8::/32": NOT_PUBLIC,  # documentation (RFC 3849)
    "2002::/16": NOT_PUBLIC,  # 6to4, out of use (RFC 7526)
    "2620:4f:8000::/48": NOT_PUBLIC,  # AS112 (RFC 7534)
    "3fff::/20": NOT_PUBLIC,  # documentation (RFC 9637)
    "5f00::/16": NOT_PUBLIC,  # segment routing (RFC 9602)
    "fc00::/7": PRIVATE,  # unique local (RFC 4193)
    "fe80::/10": LINK_LOCAL,  # RFC 4291
    # IANA Internet Protocol Version 6 Address Space: all that is not 2000::/3
    "::/8": NOT_PUBLIC,  # with the compatible and the translated IPv4 addresses
    "100::/8": NOT_PUBLIC,
    "200::/7": NOT_PUBLIC,
    "400::/6": NOT_PUBLIC,
    "800::/5": NOT_PUBLIC,
    "1000::/4": NOT_PUBLIC,
    "4000::/3": NOT_PUBLIC,
    "6000::/3": NOT_PUBLIC,
    "8000::/3": NOT_PUBLIC,
    "a000::/3": NOT_PUBLIC,
    "c000::/3": NOT_PUBLIC,
    "e000::/4": NOT_PUBLIC,
    "f000::/5": NOT_PUBLIC,
    "f800::/6": NOT_PUBLIC,
    "fe00::/9": NOT_PUBLIC,
    "fec0::/10": PRIVATE,  # site-local (RFC 3879)
    "ff00::/8": MULTICAST,  # RFC 4291
    # Where clouds serve credentials and settings to their machines
    "169.254.169.254/32": METADATA,  # Amazon, Azure, Google, Oracle, OpenStack and others
    "169.254.170.2/32": METADATA,  # Amazon ECS
    "169.254.170.23/32": METADATA,  # Amazon EKS
    "169.254.42.42/32": METADATA,  # Scaleway
    "169.254.0.23/32": METADATA,  # Tencent
    "168.63.129.16/32": METADATA,  # Azure
    "100.100.100.200/32": METADATA,  # Alibaba
    "192.0.0.192/32": METADATA,  # Oracle
    "fd00:ec2::/32": METADATA,  # Amazon
    "fd20:ce::254/128": METADATA,  # Google
    "fd00:c1::a9fe:a9fe/128": METADATA,  # Oracle
    "fd00:42::42/128": METADATA,  # Scaleway
    "fe80::a9fe:a9fe/128": METADATA,  # OpenStack
}
"""The kind of each range. Ranges lie within others: the smallest one counts."""

_ROWS = sorted(
    ((ip_network(text), kind) for text, kind in TABLE.items()),
    key=lambda row: -row[0].prefixlen,
)

# The places of an IPv4 address: the range, and the number of bits after the address.
_IPV4_AT = (
    (IPv6Network("::ffff:0:0/96"), 0),  # mapped (RFC 4291)
    (IPv6Network("::/96"), 0),  # compatible (RFC 4291)
    (IPv6Network("::ffff:0:0:0/96"), 0),  # translated (RFC 2765)
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64 (RFC 6052)
    (IPv6Network("64:ff9b:1::/48"), 0),  # NAT64 of one network (RFC 8215)
    (IPv6Network("2002::/16"), 80),  # 6to4 (RFC 3056)
    (IPv6Network("2001::/32"), 64),  # Teredo: the server (RFC 4380)
)
_TEREDO = IPv6Network("2001::/32")
_ISATAP = (0x00005EFE, 0x02005EFE)
_32_BITS = 0xFFFFFFFF


def kind(address: Address) -> str:
    """The kind of the smallest range with this address; "" for the address of a web site.

    "" also for an address whose IPv4 address decides: see `embedded`.
    """
    return next((kind for network, kind in _ROWS if address in network), "")


def embedded(address: Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses in an IPv6 address: packets may be sent on to them."""
    if isinstance(address, IPv4Address):
        return
    bits = int(address)
    for network, after in _IPV4_AT:
        # The unspecified address and the loopback address are no compatible addresses.
        if address in network and bits > 1:
            yield IPv4Address(bits >> after & _32_BITS)
    if address in _TEREDO:
        yield IPv4Address(~bits & _32_BITS)  # the client, inverted (RFC 4380, 4)
    if bits >> 32 & _32_BITS in _ISATAP:
        yield IPv4Address(bits & _32_BITS)  # RFC 5214, 6.1
