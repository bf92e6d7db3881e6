"""The addresses of this machine for itself, of both kinds of networks."""

import socket

import pytest


def has_ipv6() -> bool:
    """Whether this machine has an IPv6 address for itself; not every container has."""
    try:
        with socket.socket(socket.AF_INET6) as tried:
            tried.bind(("::1", 0))
    except OSError:
        return False
    return True


no_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="no IPv6 here")

LOOPBACKS = [
    pytest.param(socket.AF_INET, "127.0.0.1", id="ipv4"),
    pytest.param(socket.AF_INET6, "::1", id="ipv6", marks=no_ipv6),
]
"""Family and address."""
