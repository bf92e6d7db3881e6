"""Names of hosts, compared by whole labels."""

from collections.abc import Iterable


def is_within(host: str, domains: Iterable[str]) -> bool:
    """Whether a host is one of the domains, or under one of them: whole labels, any case."""
    host = f".{host.lower()}"
    # A loop and no generator: most callers have no domains, and ask for each item of a feed.
    for domain in domains:
        name = domain.lower().strip(".")
        if name and host.endswith(f".{name}"):
            return True
    return False


def without_www(host: str) -> str:
    """The host without its label `www`, unless only a top-level domain is left."""
    rest = host.removeprefix("www.")
    return rest if "." in rest else host
