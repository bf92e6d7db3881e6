"""Domains as they are registered, by the list of public suffixes (publicsuffix.org)."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract.tldextract import ExtractResult, TLDExtract

_REMEMBERED = 16_384


@cache
def suffixes() -> "TLDExtract":
    """The list of public suffixes that comes with the library, also for mcmetadata.

    It is not a list downloaded at the first use: a domain must not depend on the day and the
    machine.
    """
    # Imported at the first use: it imports `requests`, and most programs and commands need neither.
    from tldextract import TLDExtract, tldextract  # noqa: PLC0415

    found = TLDExtract(suffix_list_urls=(), cache_dir=None)
    # mcmetadata uses the library's global object.
    tldextract.TLD_EXTRACTOR = found
    return found


@lru_cache(_REMEMBERED)
def labels(host: str) -> "ExtractResult":
    """The host as sub-domain, domain and public suffix; without suffixes of private owners."""
    return suffixes()(host)


@lru_cache(_REMEMBERED)
def registered_domain(host: str) -> str | None:
    """The domain that the owner of a host registered; None for an address, or without a dot.

    The blogs of one service have different owners, so each is a domain of its own
    (the private section of the list of public suffixes).
    """
    found = suffixes()(host, include_psl_private_domains=True)
    if found.suffix:
        return found.top_domain_under_public_suffix or None
    # Not on the list: the last label is the suffix then, as the list's own rules have it.
    names = host.split(".")
    return ".".join(names[-2:]) if len(names) > 1 and not names[-1].isdigit() else None
