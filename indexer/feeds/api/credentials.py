"""Credentials of the API: HTTP Basic, one pair for all requests, or a second pair for writing.

While no pair is set, all requests are refused.
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
    """Options of a program that checks credentials."""

    rss_fetcher_user: str = option("", "user of the API", "RSS_FETCHER_USER")
    rss_fetcher_pass: SecretStr = option(SecretStr(""), "that user's password", "RSS_FETCHER_PASS")
    rss_fetcher_write_user: str = option(
        "",
        "the only user who may change feeds or have them fetched; by default the user of the API",
        "RSS_FETCHER_WRITE_USER",
    )
    rss_fetcher_write_pass: SecretStr = option(
        SecretStr(""), "that user's password", "RSS_FETCHER_WRITE_PASS"
    )


class Pair(NamedTuple):
    """A user and a password; a pair with an empty one matches nobody."""

    user: str
    password: str

    @classmethod
    def of(cls, user: str, password: SecretStr, option: str) -> Self:
        """Make a pair of two options. Raises ConfigurationError for half a pair, or a bad user."""
        pair = cls(user, password.get_secret_value())
        if bool(pair.user) != bool(pair.password):
            raise ConfigurationError(f"{option}-user and {option}-pass: give both, or neither")
        if ":" in pair.user:
            raise ConfigurationError(f"{option}-user: no colon is allowed in it (RFC 7617)")
        return pair

    def matches(self, given: HTTPBasicCredentials) -> bool:
        """Whether a request has this user and password."""
        # Digests of one length are compared in constant time: timing tells nothing of the secret.
        known = _digest(self.user) + _digest(self.password)
        same = secrets.compare_digest(known, _digest(given.username) + _digest(given.password))
        return same and bool(self.user and self.password)


class ApiCredentials(NamedTuple):
    """The pair that may read, and the pair that may read and write."""

    read: Pair
    write: Pair

    @classmethod
    def of(cls, options: CredentialOptions) -> Self:
        """Read the pairs from a program's options. Raises ConfigurationError."""
        read = Pair.of(options.rss_fetcher_user, options.rss_fetcher_pass, "--rss-fetcher")
        apart = Pair.of(
            options.rss_fetcher_write_user, options.rss_fetcher_write_pass, "--rss-fetcher-write"
        )
        return cls(read, apart if apart.user else read)

    @property
    def are_set(self) -> bool:
        """Whether there is a pair, without which all requests are refused."""
        return bool(self.read.user or self.write.user)


class Basic(HTTPBasic):
    """HTTP Basic in UTF-8: FastAPI's own class reads only ASCII."""

    async def __call__(self, request: HTTPConnection) -> HTTPBasicCredentials | None:  # type: ignore[override]  # as that of its class
        """Read the request's credentials; None if there are none, or they can't be read."""
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
    """Refuse a request that may not read: 401."""
    known: ApiCredentials = request.app.state.site.credentials
    if given is None:
        raise _refused("credentials are needed")
    # `|` compares both pairs, so that the time taken doesn't reveal which user exists.
    if not known.read.matches(given) | known.write.matches(given):
        raise _refused("the user or the password is wrong")


async def may_write(request: Request, given: Given) -> None:
    """Refuse a request that may not write: 401."""
    await may_read(request, given)
    known: ApiCredentials = request.app.state.site.credentials
    if given is None or not known.write.matches(given):
        raise _refused("these credentials may only read")


def _refused(why: str) -> HTTPException:
    return HTTPException(401, why, {"WWW-Authenticate": 'Basic realm="feeds"'})


def _digest(text: str) -> bytes:
    # A lone surrogate has no UTF-8 form: it must be refused, and not be an internal error.
    return hashlib.sha256(text.encode(errors="replace")).digest()
