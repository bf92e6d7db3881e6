"""Who may ask the API: HTTP Basic, one pair for all, or a second one for what changes something.

Nobody may while no pair is set.
"""

import hashlib
import secrets
from base64 import b64decode
from typing import Annotated, NamedTuple, Self

from fastapi import Depends, HTTPException, Request
from fastapi.security import HTTPBasic, HTTPBasicCredentials
from fastapi.security.utils import get_authorization_scheme_param
from pydantic import SecretStr
from starlette.requests import HTTPConnection

from indexer.errors import ConfigurationError
from indexer.system.options import Options, option


class CredentialOptions(Options):
    """Part of the options of a program that checks who asks."""

    rss_fetcher_user: str = option("", "who may ask", "RSS_FETCHER_USER")
    rss_fetcher_pass: SecretStr = option(SecretStr(""), "with this password", "RSS_FETCHER_PASS")
    rss_fetcher_write_user: str = option(
        "",
        "who alone may change something or have it fetched; default: who may ask",
        "RSS_FETCHER_WRITE_USER",
    )
    rss_fetcher_write_pass: SecretStr = option(
        SecretStr(""), "with this password", "RSS_FETCHER_WRITE_PASS"
    )


class Pair(NamedTuple):
    """A user and a password; of nobody if one of them is empty."""

    user: str
    password: str

    @classmethod
    def of(cls, user: str, password: SecretStr, option: str) -> Self:
        """Of what was given. Raises ConfigurationError for half a pair, and for what can't be."""
        pair = cls(user, password.get_secret_value())
        if bool(pair.user) != bool(pair.password):
            raise ConfigurationError(f"{option}-user and {option}-pass: give both, or none")
        if ":" in pair.user:
            raise ConfigurationError(f"{option}-user: it can't have a colon in it (RFC 7617)")
        return pair

    def is_(self, given: HTTPBasicCredentials) -> bool:
        """Whether these are given; takes as long whatever is wrong about them."""
        known = _digest(self.user) + _digest(self.password)
        same = secrets.compare_digest(known, _digest(given.username) + _digest(given.password))
        return same and bool(self.user and self.password)


class ApiCredentials(NamedTuple):
    """Who may read, and who may write: who may write may read."""

    read: Pair
    write: Pair

    @classmethod
    def of(cls, options: CredentialOptions) -> Self:
        """Those of a program's options. Raises ConfigurationError."""
        read = Pair.of(options.rss_fetcher_user, options.rss_fetcher_pass, "--rss-fetcher")
        apart = Pair.of(
            options.rss_fetcher_write_user, options.rss_fetcher_write_pass, "--rss-fetcher-write"
        )
        return cls(read, apart if apart.user else read)

    @property
    def are_set(self) -> bool:
        """Whether anybody may ask."""
        return bool(self.read.user or self.write.user)


class Basic(HTTPBasic):
    """HTTP Basic with any characters in it, not only those of ASCII."""

    async def __call__(self, request: HTTPConnection) -> HTTPBasicCredentials | None:  # type: ignore[override]  # as that of its class
        """What was given; None if that is nothing, or can't be read."""
        scheme, sent = get_authorization_scheme_param(request.headers.get("Authorization"))
        if scheme.lower() != "basic":
            return None
        try:
            user, colon, password = b64decode(sent, validate=True).decode().partition(":")
        except ValueError:
            return None
        return HTTPBasicCredentials(username=user, password=password) if colon else None


Given = Annotated[HTTPBasicCredentials | None, Depends(Basic(scheme_name="Basic"))]


async def may_read(request: Request, given: Given) -> None:
    """Refuses who may not read: 401."""
    known: ApiCredentials = request.app.state.site.credentials
    if given is None:
        raise _refused("credentials are needed")
    # Both are looked at, so that it takes as long whose password is wrong.
    if not known.read.is_(given) | known.write.is_(given):
        raise _refused("the user or the password is wrong")


async def may_write(request: Request, given: Given) -> None:
    """Refuses who may not write: 401."""
    await may_read(request, given)
    known: ApiCredentials = request.app.state.site.credentials
    if given is None or not known.write.is_(given):
        raise _refused("these credentials may only read")


def _refused(why: str) -> HTTPException:
    return HTTPException(401, why, {"WWW-Authenticate": 'Basic realm="feeds"'})


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()
