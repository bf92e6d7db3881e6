"""Errors of S3 servers and clients, translated to this project's errors."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError
from urllib3.exceptions import HTTPError

from indexer.errors import AccessDenied, NotFound, StorageError
from indexer.text.cleaning import one_line

FAILURES = (BotoCoreError, ClientError, HTTPError, OSError)
"""The errors of a failing network or server, in a request or while a body is read."""

_DENIED = {
    "AuthorizationHeaderMalformed",
    "ExpiredToken",
    "InvalidAccessKeyId",
    "InvalidToken",
    "SignatureDoesNotMatch",
    "XAdminUserNotFound",  # versitygw's word for InvalidAccessKeyId
}
"""Codes of refusals that some servers send with a status other than 401 and 403."""


@contextmanager
def translated(url: str) -> Iterator[None]:
    """Raise NotFound, AccessDenied or StorageError, with the object's URL, for FAILURES."""
    try:
        yield
    except FAILURES as error:
        raise ours(url, error) from error


def ours(url: str, error: Exception) -> StorageError:
    """The error to raise in place of an error of the client."""
    if isinstance(error, NoCredentialsError):
        return AccessDenied(f"{url}: no credentials are set for it")
    if not isinstance(error, ClientError):
        return StorageError(f"{url}: {one_line(str(error), 300)}")
    said = error.response.get("Error", {})
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    why = f"{url}: {said.get('Code', status)}: {one_line(said.get('Message', ''), 300)}"
    if status in (401, 403) or said.get("Code") in _DENIED:
        return AccessDenied(why)
    return NotFound(why) if status == 404 else StorageError(why)
