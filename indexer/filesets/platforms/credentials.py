"""The credentials for platforms: tokens of options, and tokens that a platform gives to a client.

No request but those to the platform's own origin gets one.
"""

import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final, TypeAlias
from urllib.parse import urlencode

from indexer.errors import FetchError, FilesetError
from indexer.filesets.platform_options import PlatformOptions
from indexer.filesets.platforms.answers import JSONValue
from indexer.http.fetching.credentials import Credentials, bearer, signed
from indexer.http.fetching.exchange import Request, Response

Ask: TypeAlias = Callable[[Request], Response]
"""`Client.ask`."""

_SPARE: Final = 60.0
"""The seconds before its end at which a token is replaced."""

_MAX_BYTES = 100_000


def platform_credentials(
    ask: Ask, options: PlatformOptions, now: Callable[[], datetime]
) -> tuple[Credentials, ...]:
    """The credentials that the options give."""
    tokens = ((options.osf_api_url, options.osf_token), (options.osf_files_url, options.osf_token))
    found = [
        bearer(url, token.get_secret_value())
        for url, token in (*tokens, (options.github_api_url, options.github_token))
        if token.get_secret_value()
    ]
    if options.dryad_client_id and options.dryad_client_secret.get_secret_value():
        found.append(signed(options.dryad_url, ClientToken(ask, options, now)))
    return tuple(found)


class ClientToken:
    """The Authorization of Dryad's API for a registered client (RFC 6749, 4.4). Thread-safe."""

    def __init__(self, ask: Ask, options: PlatformOptions, now: Callable[[], datetime]) -> None:
        self._ask = ask
        self._url = f"{options.dryad_url}/oauth/token"
        self._form = urlencode(
            {
                "client_id": options.dryad_client_id,
                "client_secret": options.dryad_client_secret.get_secret_value(),
                "grant_type": "client_credentials",
            }
        ).encode()
        self._now = now
        self._lock = threading.Lock()
        self._token = ""
        self._ends = 0.0

    def __call__(self, _method: str, _url: str) -> Mapping[str, str]:
        """The header. Raises FilesetError (`error-authentication`)."""
        with self._lock:
            if self._now().timestamp() >= self._ends:
                self._renew()
            return {"Authorization": f"Bearer {self._token}"}

    def _renew(self) -> None:
        # Without `record`: the secret is in the request, and the token in the answer.
        request = Request(
            url=self._url,
            method="POST",
            body=self._form,
            accept="application/json",
            headers=lambda _: {"Content-Type": "application/x-www-form-urlencoded"},
            max_bytes=_MAX_BYTES,
        )
        try:
            response = self._ask(request)
        except FetchError as error:
            raise FilesetError("error-authentication", f"no token of dryad: {error}") from error
        if response.status != 200:
            what = f"no token of dryad: HTTP {response.status}"
            raise FilesetError("error-authentication", what)
        answer = JSONValue.read(response.body, "the token of dryad")
        self._token = answer["access_token"].needed
        self._ends = self._now().timestamp() + (answer["expires_in"].size or 0) - _SPARE
