"""Tests of the addresses that may be visited."""

from ipaddress import ip_address

import pytest

from indexer.errors import ConfigurationError
from indexer.http.urls.addresses import PUBLIC, AddressPolicy, literal, with_option
from indexer.http.urls.special_addresses import embedded
from tests.each_row import each_row

REFUSED = [
    ("127.0.0.1", "loopback"),
    ("127.255.255.254", "loopback"),
    ("::1", "loopback"),
    ("10.1.2.3", "private"),
    ("172.16.0.1", "private"),
    ("172.31.255.255", "private"),
    ("192.168.1.1", "private"),
    ("fd00:ec2::254", "cloud metadata"),
    ("fec0::1", "private"),
    ("169.254.169.253", "link-local"),
    ("169.254.169.254", "cloud metadata"),
    ("fe80::1", "link-local"),
    ("fe80::1%eth0", "link-local"),
    ("100.64.0.1", "shared (carrier-grade NAT)"),
    ("100.100.100.200", "cloud metadata"),
    ("0.0.0.0", "unspecified"),  # noqa: S104 - nothing is bound
    ("::", "unspecified"),
    ("0.1.2.3", "not public"),
    ("224.0.0.1", "multicast"),
    ("ff02::1", "multicast"),
    ("192.0.2.1", "not public"),
    ("198.18.0.1", "not public"),
    ("240.0.0.1", "not public"),
    ("255.255.255.255", "not public"),
    ("2001:db8::1", "not public"),
    ("64:ff9b:1::8.8.8.8", "not public"),
    ("::ffff:10.0.0.1", "private"),
    ("::ffff:169.254.169.254", "cloud metadata"),
    ("::127.0.0.1", "loopback"),
    ("::8.8.8.8", "not public"),
    ("::ffff:0:127.0.0.1", "loopback"),
    ("2606:4700::5efe:7f00:1", "loopback"),
    ("2606:4700::200:5efe:a9fe:a9fe", "cloud metadata"),
    ("2002:7f00:1::", "loopback"),
    ("2002:808:808::", "not public"),
    ("2002:a9fe:a9fe::1", "cloud metadata"),
    ("64:ff9b::10.0.0.1", "private"),
    ("64:ff9b::169.254.169.254", "cloud metadata"),
    ("2001:0:4136:e378:8000:63bf:f5ff:fffe", "private"),
]


@each_row(("address", "why"), REFUSED)
def test_addresses_that_are_not_public_are_refused_with_a_reason(address: str, why: str) -> None:
    assert PUBLIC.why_not(ip_address(address)) == why


@each_row(
    "address",
    ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8",
     "64:ff9b::8.8.8.8", "2606:4700::5efe:808:808", "168.63.129.17"],
)  # fmt: skip
def test_public_addresses_may_be_visited(address: str) -> None:
    assert PUBLIC.why_not(ip_address(address)) == ""


def test_a_teredo_address_is_judged_by_server_and_client() -> None:
    address = ip_address("2001:0:4136:e378:8000:63bf:f5ff:fffe")

    assert [str(each) for each in embedded(address)] == ["65.54.227.120", "10.0.0.1"]


def test_allowed_networks_may_be_visited_and_their_neighbours_not() -> None:
    policy = AddressPolicy(["10.1.0.0/16", "fd00::/8", "169.254.169.254"])

    allowed = ["10.1.2.3", "fd00::1", "169.254.169.254"]
    assert not any(policy.why_not(ip_address(each)) for each in allowed)
    assert policy.why_not(ip_address("10.2.0.1")) == "private"


@each_row(
    ("address", "allowed"),
    [
        ("10.1.2.3", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("100.64.0.1", True),
        ("::ffff:192.168.0.1", True),
        ("169.254.169.254", False),
        ("100.100.100.200", False),
        ("fd00:ec2::254", False),
        ("fe80::1", False),
        ("0.0.0.0", False),  # noqa: S104 - nothing is bound
        ("224.0.0.1", False),
    ],
)
def test_allowing_private_addresses_does_not_allow_those_of_clouds(
    address: str, allowed: bool
) -> None:
    assert (AddressPolicy(private=True).why_not(ip_address(address)) == "") is allowed


@each_row(
    ("refusal", "says"),
    [
        ("10.0.0.1 refused (private)", "10.0.0.1 refused (private): --allow-private allows it"),
        ("a refused (shared (carrier-grade NAT))", "a refused (shared (carrier-grade NAT)): --a"),
        ("169.254.1.1 refused (link-local)", "169.254.1.1 refused (link-local)"),
        ("10.0.0.1 refused (refused by an option)", "10.0.0.1 refused (refused by an option)"),
        ("HTTP 404", "HTTP 404"),
    ],
)
def test_a_refusal_names_the_option_that_allows_the_address(refusal: str, says: str) -> None:
    advice = with_option(refusal)
    assert advice.startswith(says)
    assert (advice == refusal) == (says == refusal)


def test_refused_networks_are_refused_whatever_is_allowed() -> None:
    policy = AddressPolicy(["0.0.0.0/0", "::/0"], ["203.0.113.7", "8.8.8.0/24"], private=True)

    assert policy.why_not(ip_address("8.8.8.8")) == "refused by an option"
    assert policy.why_not(ip_address("::ffff:8.8.8.8")) == "refused by an option"
    assert policy.why_not(ip_address("8.8.9.8")) == ""


def test_allowing_a_range_does_not_allow_the_addresses_in_its_addresses() -> None:
    policy = AddressPolicy(["64:ff9b:1::/48", "10.1.0.0/16"])

    assert policy.why_not(ip_address("64:ff9b:1::10.1.0.1")) == ""
    assert policy.why_not(ip_address("64:ff9b:1::10.2.0.1")) == "private"


def test_an_invalid_network_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="not a network"):
        AddressPolicy(["10.0.0.0/99"])


@each_row(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0X7F000001", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("169.254.169.254.", "169.254.169.254"),
        ("[::1]", "::1"),
        ("[::ffff:7f00:1]", "::ffff:127.0.0.1"),
    ],
)
def test_every_spelling_of_an_address_is_read_as_browsers_do(host: str, address: str) -> None:
    assert literal(host) == ip_address(address)


@each_row("host", ["example.com", "1.example", "0x7f.com", "a1", "cafe"])
def test_a_name_is_not_an_address(host: str) -> None:
    assert literal(host) is None


@each_row(
    "host", ["1.2.3.4.5", "256.1.1.1", "08.1", "0x100000000", "1e3.2", "[::1", "[fe80::1%25eth0]"]
)
def test_a_host_that_ends_like_an_address_and_is_none_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        literal(host)
