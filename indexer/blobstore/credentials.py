"""Credentials for S3 servers from the environment: `<STORE>_<PROVIDER>_<ITEM>` (stories.md 7.5).

    ARCHIVER_S3_REGION ARCHIVER_S3_ACCESS_KEY_ID ARCHIVER_S3_SECRET_ACCESS_KEY ARCHIVER_S3_BUCKET
    ARCHIVER_S3_ENDPOINT                a server other than Amazon's: MinIO, versitygw, …
    QUEUER_B2_REGION …                  the same for Backblaze B2, whose endpoint is known

A set of variables is used if it is complete: both keys, and a region or an endpoint. Blank
variables count as unset. Each item may also be in the file that the variable `<…>_FILE` names.
No item is a command line option, as every user of the machine can read command lines.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import SecretStr, create_model

from indexer.blobstore import Blobstore, StoreCredentials, open_blobstore
from indexer.system.options import Options, option

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
