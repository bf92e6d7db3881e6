"""Which S3 servers a program may use: `<STORE>_<PROVIDER>_<ITEM>` (stories.md 7.5).

    ARCHIVER_S3_REGION ARCHIVER_S3_ACCESS_KEY_ID ARCHIVER_S3_SECRET_ACCESS_KEY ARCHIVER_S3_BUCKET
    ARCHIVER_S3_ENDPOINT                a server other than Amazon's: MinIO, versitygw, …
    QUEUER_B2_REGION …                  the same for Backblaze B2, whose endpoint is known

A set counts when it is complete: both keys, and a region or an endpoint. Blank is not set; every
item is also read from the file that `<…>_FILE` names. None is an option of a command line, which
anyone on the machine can read.
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
    """One complete set of the environment. `bucket` may be blank: inputs name theirs."""

    name: str
    provider: str
    bucket: str
    credentials: StoreCredentials

    @property
    def url(self) -> str:
        """The store as `open_blobstore` takes it."""
        return f"{self.provider}://{self.bucket}"


def stores(*names: str) -> list[StoreSettings]:
    """The complete sets of the environment, in the order of `names`, for each S3 before B2."""
    return [store for name in names for store in _complete(name.upper())]


def open_all(url: str, *names: str) -> list[Blobstore]:
    """The store of a URL, with each set of credentials that `credentials` has for it; at least one.

    Raises ConfigurationError.
    """
    scheme = url.partition("://")[0].lower()
    return [open_blobstore(url, each) for each in credentials(scheme, names)]


def credentials(provider: str, names: Sequence[str]) -> list[StoreCredentials]:
    """What to try, in that order, for a provider's URLs.

    Where nothing is set it is what the AWS client finds by itself.
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
    """The class of options that reads one store's variables."""
    fields: dict[str, Any] = {
        f"{provider}_{item}": (
            type(default),
            option(default, "", f"{name}_{provider}_{item}".upper()),
        )
        for provider in PROVIDERS
        for item, default in _ITEMS.items()
    }
    return create_model(f"{name.title()}Stores", __base__=Options, **fields)
