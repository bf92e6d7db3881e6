"""The options of fetching over HTTP: user agent, allowed addresses, limits, proxy."""

import re

from pydantic import SecretStr

from indexer.errors import ConfigurationError
from indexer.http.urls.addresses import AddressPolicy
from indexer.system.options import Options, option

_CONTACT = "; +CONTACT"


class FetchOptions(Options):
    """Part of the options of every program that reads the web."""

    user_agent: str = option(
        f"Mozilla/5.0 (compatible; story-indexer/0.1{_CONTACT})",
        "User-Agent header; +CONTACT stands for the contact URL",
        "FETCHER_USER_AGENT",
    )
    contact_url: str = option(
        "", "page or mailto: that tells sites who fetches, and why", "FETCHER_CONTACT_URL"
    )
    allow_address: list[str] = option(
        [], "network such as 10.1.0.0/16 that may be visited; repeatable", "FETCHER_ALLOW_ADDRESS"
    )
    allow_private: bool = option(
        False, "visit private and loopback addresses too", "FETCHER_ALLOW_PRIVATE"
    )
    refuse_address: list[str] = option(
        [],
        "network that must not be visited, whatever is allowed; repeatable",
        "FETCHER_REFUSE_ADDRESS",
    )
    resolve: list[str] = option(
        [],
        "HOST=ADDRESS[:PORT] or *.SUFFIX=ADDRESS[:PORT]: connect there without a DNS look-up",
        "FETCHER_RESOLVE",
    )
    insecure: bool = option(False, "don't check TLS certificates", "FETCHER_INSECURE")
    max_html_bytes: int = option(10_000_000, "most bytes of a page, decoded", "MAX_HTML_BYTES")
    max_encoded_bytes: int = option(
        10_000_000, "most bytes of a page, as it is sent", "FETCHER_MAX_ENCODED_BYTES"
    )
    connect_timeout: float = option(30.0, "seconds to connect", "FETCHER_CONNECT_TIMEOUT")
    read_timeout: float = option(30.0, "seconds without a byte", "FETCHER_READ_TIMEOUT")
    total_timeout: float = option(
        120.0, "seconds for a page, redirects included", "FETCHER_TOTAL_TIMEOUT"
    )
    max_redirects: int = option(30, "redirects followed", "FETCHER_MAX_REDIRECTS")
    keep_connections: int = option(
        64, "most connections kept open between requests; 0: none", "FETCHER_KEEP_CONNECTIONS"
    )
    keep_seconds: float = option(
        15.0, "seconds for which an idle connection is kept open", "FETCHER_KEEP_SECONDS"
    )
    dns_seconds: float = option(
        60.0, "seconds for which the addresses of a name are kept", "FETCHER_DNS_SECONDS"
    )
    proxy: SecretStr = option(
        SecretStr(""),
        "http://HOST:PORT of a proxy, which must refuse private addresses itself; "
        "environment: use HTTP_PROXY and HTTPS_PROXY",
        "FETCHER_PROXY",
    )

    @property
    def addresses(self) -> AddressPolicy:
        """The addresses that may be visited. Raises ConfigurationError."""
        return AddressPolicy(self.allow_address, self.refuse_address, private=self.allow_private)

    @property
    def agent(self) -> str:
        """The User-Agent header. Raises ConfigurationError."""
        contact = f"; +{self.contact_url}" if self.contact_url else ""
        return checked_agent(self.user_agent.replace(_CONTACT, contact), "the user agent")

    @property
    def product(self) -> str:
        """The product token of a robots.txt (RFC 9309, 2.2.1): `story-indexer`."""
        agent = self.agent
        found = re.search(r"\(compatible;\s*([A-Za-z_-]+)", agent) or re.search(
            r"([A-Za-z_-]+)", agent
        )
        return found[1] if found else agent


def checked_agent(agent: str, option: str) -> str:
    """A User-Agent header. Raises ConfigurationError if it can't be one."""
    if not (agent.isascii() and agent.isprintable() and agent.strip()):
        raise ConfigurationError(f"{option}: it has to be one line of ASCII")
    return agent
