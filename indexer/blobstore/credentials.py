"""Credentials for S3 servers from the environment: `<STORE>_<PROVIDER>_<ITEM>` (stories.md 7.5).

    ARCHIVER_S3_REGION ARCHIVER_S3_ACCESS_KEY_ID ARCHIVER_S3_SECRET_ACCESS_KEY ARCHIVER_S3_BUCKET
    ARCHIVER_S3_ENDPOINT                a server other than Amazon's: MinIO, versitygw, …
    QUEUER_B2_REGION …                  the same for Backblaze B2, whose endpoint is known

A set of variables is used if it is complete: both keys, and a region or an endpoint. Blank
variables count as unset. Each item may also be in the file that the variable `<…>_FILE` names.
No item is a command line option, as every user of the machine can read command lines.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, TypeVar

from pydantic import SecretStr, create_model

from indexer.blobstore import (
    BlobEntry,
    Blobstore,
    ObjectVersion,
    StoreCredentials,
    open_blobstore,
)
from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError
from indexer.system.options import Options, option
from indexer.system.origins import variables

T = TypeVar("T")

S3 = "s3"
B2 = "b2"
PROVIDERS = (S3, B2)


class StoreSettings(NamedTuple):
    """One complete set of variables. `bucket` may be blank: URLs of inputs contain theirs."""

    name: str
    provider: str
    bucket: str
    credentials: StoreCredentials

    @property
    def url(self) -> str:
        """The store's URL for `open_blobstore`."""
        return f"{self.provider}://{self.bucket}"


def stores(*names: str) -> list[StoreSettings]:
    """The complete sets of variables, in the order of `names`; of each name S3 before B2."""
    return [store for name in names for store in _complete(name.upper())]


def open_all(url: str, *names: str) -> list[Blobstore]:
    """The store of a URL, once for each set of `credentials`. Raises ConfigurationError."""
    scheme = url.partition("://")[0].lower()
    return [open_blobstore(url, each) for each in credentials(scheme, names)]


def credentials(provider: str, names: Sequence[str]) -> list[StoreCredentials]:
    """The sets of credentials to try for a provider's URLs, in the order of `names`.

    Without a complete set: blank credentials, for which the AWS client uses its own configuration.
    """
    found = [store.credentials for store in stores(*names) if store.provider == provider]
    return found or [StoreCredentials()]


def credential_variables(name: str) -> set[str]:
    """The variables with the credentials of a store, those that name files included."""
    return variables([_options(name.upper())])


def secret_credentials(name: str) -> set[str]:
    """The variables with the keys of a store."""
    return {each for each in credential_variables(name) if each.endswith(("_KEY", "_KEY_ID"))}


def _complete(name: str) -> Iterator[StoreSettings]:
    given: Any = _options(name)()
    for provider in PROVIDERS:
        items = {item: getattr(given, f"{provider}_{item}") for item in _ITEMS}
        bucket = items.pop("bucket")
        found = StoreCredentials(**items)
        keys = found.access_key_id and found.secret_access_key.get_secret_value()
        if keys and (found.region or found.endpoint):
            yield StoreSettings(name, provider, bucket, found)


_ITEMS = {
    "access_key_id": "",
    "secret_access_key": SecretStr(""),
    "region": "",
    "endpoint": "",
    "bucket": "",
}


def _options(name: str) -> type[Options]:
    """A class of options that reads the variables of one store."""
    # Made at run time, as each store's variables have names of their own.
    fields: dict[str, Any] = {
        f"{provider}_{item}": (
            type(default),
            option(default, "", f"{name}_{provider}_{item}".upper()),
        )
        for provider in PROVIDERS
        for item, default in _ITEMS.items()
    }
    return create_model(f"{name.title()}Stores", __base__=Options, **fields)


class Fallback:
    """One bucket with several sets of credentials, tried in order (stories.md 5.1).

    Reads from the first store; if that is refused or finds nothing, from the next one. Writes to
    the first store that does not refuse it.
    """

    def __init__(self, stores: Sequence[Blobstore]) -> None:
        self._stores = stores
        self.url = stores[0].url

    def open(self, key: str) -> BinaryIO:
        """See `Blobstore.open`."""
        return _first(self._stores, lambda store: store.open(key))

    def stat(self, key: str) -> ObjectVersion:
        """See `Blobstore.stat`."""
        return _first(self._stores, lambda store: store.stat(key))

    def put(self, key: str, content: bytes) -> str:
        """Store some bytes as one object, see `Blobstore.put`. Returns the object's URL."""
        sha256 = hashlib.sha256(content).hexdigest()
        return _first(self._stores, lambda store: store.put(key, BytesIO(content), sha256))

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        """See `Blobstore.entries`. The first request is made before it returns."""
        return _first(self._stores, lambda store: _begun(store.entries(prefix)))


def readable(stores: Sequence[Blobstore]) -> Blobstore:
    """The first store that lists at least one object.

    For readers of many objects: a missing object then doesn't lead to requests to every store.
    Raises ConfigurationError if every store is refused or empty, StorageError.
    """

    def listed(store: Blobstore) -> Blobstore:
        if next(store.entries(), None) is None:
            raise NotFound(f"{store.url}: there are no objects")
        return store

    try:
        return _first(stores, listed)
    except (AccessDenied, NotFound) as error:
        raise ConfigurationError(f"can't read {error}") from error


def _first(stores: Sequence[Blobstore], read: Callable[[Blobstore], T]) -> T:
    """The result of the first store that neither refuses the request nor finds nothing."""
    failures: list[StorageError] = []
    for store in stores:
        try:
            return read(store)
        except (AccessDenied, NotFound) as error:
            failures.append(error)
    if len(failures) == 1:
        raise failures[0]
    # A refusal says more than "not found", which some servers answer to unknown users.
    worst = next((each for each in failures if isinstance(each, AccessDenied)), failures[0])
    raise type(worst)(f"{worst}; the same with each of {len(failures)} sets of credentials")


def _begun(entries: Iterator[BlobEntry]) -> Iterator[BlobEntry]:
    """The same entries; an error of the first request is raised here."""
    first = next(entries, None)
    return entries if first is None else chain([first], entries)
