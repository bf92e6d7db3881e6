"""The options of the web archive: its URLs, its keys, the pauses between calls."""

from typing import NamedTuple

from pydantic import SecretStr

from indexer.errors import ConfigurationError
from indexer.filesets.service_url import ServiceURL, service_url
from indexer.system.options import Options, option


class ArchiveKeys(NamedTuple):
    """The keys of a user of archive.org, which Save Page Now needs."""

    access: SecretStr = SecretStr("")
    secret: SecretStr = SecretStr("")


class WaybackOptions(Options):
    """Part of the options of programs that use the web archive."""

    wayback_url: ServiceURL = option(
        "https://web.archive.org", "URL of the web archive of landing pages", "WAYBACK_URL"
    )
    wayback_cdx_url: ServiceURL | None = option(
        None, "URL of its index; default: /cdx/search/cdx of the web archive", "WAYBACK_CDX_URL"
    )
    wayback_save_url: ServiceURL | None = option(
        None, "URL of Save Page Now; default: /save of the web archive", "WAYBACK_SAVE_URL"
    )
    spn2: bool = option(True, "let Save Page Now capture what the web archive lacks", "SPN2")
    wayback_pause: float = option(
        3.0,
        "seconds between two questions to Save Page Now; pauses after errors are multiples",
        "WAYBACK_PAUSE",
    )
    cdx_auth_token: SecretStr = option(
        SecretStr(""), "token for the whole index of the web archive", "CDX_AUTH_TOKEN"
    )

    @property
    def cdx(self) -> str:
        """The URL of the index."""
        return self.wayback_cdx_url or f"{self.wayback_url}/cdx/search/cdx"

    @property
    def save(self) -> str:
        """The URL of Save Page Now."""
        return self.wayback_save_url or f"{self.wayback_url}/save"

    def at(self, url: str) -> "WaybackOptions":
        """The same options for another web archive. Raises ConfigurationError for a bad URL."""
        try:
            return self.model_copy(update={"wayback_url": service_url(url)})
        except ValueError as error:
            raise ConfigurationError(f"the URL of the web archive: {error}") from error
