"""Names of hosts, compared by whole labels."""

from collections.abc import Iterable


def is_within(host: str, domains: Iterable[str]) -> bool:
    """Whether a host is one of the domains, or under one of them: whole labels, any case."""
    host = host.lower()
    names = (domain.lower().strip(".") for domain in domains)
    return any(host == name or host.endswith(f".{name}") for name in names if name)


def without_www(host: str) -> str:
    """The host without its label `www`, unless only a top-level domain is left."""
    rest = host.removeprefix("www.")
    return rest if "." in rest else host
