"""Asks the index of the web archive for the captures of a URL (spec 3.2, 10.4)."""

import http.client
from urllib.parse import urlencode

from indexer.errors import FetchError, FilesetError
from indexer.filesets.wayback.options import WaybackOptions
from indexer.filesets.wayback.retrying import RetryingClient
from indexer.filesets.wayback.rows import CDX_ERROR, CDXRow, read_rows
from indexer.http.fetching.credentials import Credentials, header
from indexer.http.fetching.exchange import Request
from indexer.http.fetching.recording import Record

_LIMIT = 40
_SECONDS = 60.0
_MAX_BYTES = 5_000_000


class CDXIndex:
    """The index of the web archive."""

    def __init__(
        self,
        client: RetryingClient,
        options: WaybackOptions,
        *,
        record: Record | None = None,
    ) -> None:
        """`record` gets each exchange, as evidence. Raises ConfigurationError for a bad token."""
        self._client = client
        self._url = options.cdx
        self._auth = _credentials(options)
        self._record = record

    def rows(self, url: str) -> list[CDXRow]:
        """The newest captures of a URL. Raises FilesetError (`cdx-error`)."""
        # Of a negative number the index returns the last rows, which are the newest.
        query = {"url": url, "matchType": "exact", "output": "json", "limit": f"-{_LIMIT}"}
        try:
            response = self._client.ask(self._request(query))
        except FetchError as error:
            raise FilesetError(CDX_ERROR, f"the index of the web archive: {error}") from error
        if response.status != http.client.OK:
            raise FilesetError(CDX_ERROR, f"the index of the web archive: HTTP {response.status}")
        return read_rows(response.body)

    def _request(self, query: dict[str, str]) -> Request:
        return Request(
            url=f"{self._url}?{urlencode(query)}",
            accept="application/json",
            auth=self._auth,
            max_bytes=_MAX_BYTES,
            seconds=_SECONDS,
            record=self._record,
        )


def _credentials(options: WaybackOptions) -> tuple[Credentials, ...]:
    token = options.cdx_auth_token.get_secret_value()
    return (header(options.cdx, "Cookie", f"cdx_auth_token={token}"),) if token else ()
