"""The ranges without web sites: each row of the registries, on any version of Python."""

import inspect
import re
from ipaddress import IPv4Address, ip_address, ip_network

from indexer.http.urls import addresses, special_addresses
from indexer.http.urls.addresses import PUBLIC
from indexer.http.urls.special_addresses import BY_IPV4, TABLE, embedded, kind
from tests.each_row import each_row

REGISTRIES = """
0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
192.0.0.0/24 192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32
192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32 192.168.0.0/16
192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 255.255.255.255/32
224.0.0.0/4
::1/128 ::/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128
2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28
2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10
ff00::/8 fec0::/10
"""
"""The rows of the registries that must be refused, written down a second time."""


@each_row("row", REGISTRIES.split())
def test_every_address_of_every_registered_range_is_refused(row: str) -> None:
    network = ip_network(row)
    assert TABLE[row]
    for address in (network[0], network[network.num_addresses // 2], network[-1]):
        assert PUBLIC.why_not(address), address


@each_row(("row", "kind_"), TABLE.items())
def test_every_row_decides_for_its_first_address(row: str, kind_: str) -> None:
    network = ip_network(row)
    smaller = [ip_network(each) for each in TABLE if ip_network(each).prefixlen > network.prefixlen]
    own = [a for a in (network[0], network[-1]) if not any(a in each for each in smaller)]
    assert all(kind(address) == kind_ for address in own)


@each_row("address", ["192.0.0.192", "192.88.99.1", "3fff::1", "168.63.129.16"])
def test_addresses_on_which_versions_of_python_differ_are_refused(address: str) -> None:
    assert PUBLIC.why_not(ip_address(address))


@each_row(
    "address",
    ["1.1.1.1", "11.0.0.1", "126.255.255.255", "169.253.255.255", "191.255.255.255", "192.0.1.0",
     "192.0.3.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:200::1", "2001:4860::1",
     "2400::1", "2620:4f:8001::1", "2a00:1450::1", "3ffe::1"],
)  # fmt: skip
def test_the_neighbours_of_the_ranges_are_public(address: str) -> None:
    assert PUBLIC.why_not(ip_address(address)) == ""


def test_only_mapped_and_translated_addresses_are_judged_by_their_ipv4_address_alone() -> None:
    assert [row for row, kind_ in TABLE.items() if kind_ == BY_IPV4] == [
        "::ffff:0:0/96",
        "64:ff9b::/96",
    ]


@each_row(
    ("address", "inside"),
    [
        ("::ffff:10.0.0.1", ["10.0.0.1"]),
        ("::10.0.0.1", ["10.0.0.1"]),
        ("::ffff:0:10.0.0.1", ["10.0.0.1"]),
        ("64:ff9b::a00:1", ["10.0.0.1"]),
        ("64:ff9b:1::a00:1", ["10.0.0.1"]),
        ("2002:a00:1::", ["10.0.0.1"]),
        ("2001:0:4136:e378:8000:63bf:f5ff:fffe", ["65.54.227.120", "10.0.0.1"]),
        ("2606:4700::5efe:a00:1", ["10.0.0.1"]),
        ("2606:4700::200:5efe:a00:1", ["10.0.0.1"]),
        ("::1", []),
        ("::", []),
        ("2606:4700::1111", []),
        ("8.8.8.8", []),
    ],
)
def test_every_form_with_an_ipv4_address_in_it_is_known(address: str, inside: list[str]) -> None:
    assert list(embedded(ip_address(address))) == [IPv4Address(each) for each in inside]


def test_no_table_of_python_decides() -> None:
    sources = inspect.getsource(special_addresses) + inspect.getsource(addresses)
    assert not re.findall(r"\.is_[a-z_]+|ipv4_mapped|sixtofour|teredo\b", sources)
