"""The real servers that tests may use: where they are, and whether they answer.

The variables TEST_… say where; what is not set is read from what `make services` wrote.
"""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import pytest

from scripts.services.__main__ import SERVICES
from scripts.services.rabbitmq import manage
from scripts.services.records import ENVIRONMENT

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3ServiceResource


class S3(NamedTuple):
    """An S3 server, and an empty bucket on it that keeps versions.

    `folder` is where the bucket's objects lie as files, or None: `touch` sets `LastModified`.
    """

    endpoint: str
    access_key: str
    secret_key: str
    bucket: str
    folder: Path | None


@cache
def variables() -> dict[str, str]:
    """Where the services are."""
    written = ENVIRONMENT.read_text(encoding="utf-8") if ENVIRONMENT.exists() else ""
    pairs = (line.partition("=") for line in written.splitlines())
    given = {name: value for name, value in os.environ.items() if name.startswith("TEST_")}
    return {name: value for name, _, value in pairs} | given


@cache
def silent() -> tuple[str, ...]:
    """The services that do not answer."""
    return tuple(service.name for service in SERVICES if not _answers(service.name))


def required() -> bool:
    """Whether a service that does not answer is a failure: with CI set."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


@contextmanager
def virtual_host() -> Iterator[str]:
    """The URL of a new virtual host of RabbitMQ."""
    url, name = variables()["TEST_RABBITMQ_URL"], _unique()
    manage(url, "PUT", f"vhosts/{name}", {})
    try:
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
    finally:
        manage(url, "DELETE", f"vhosts/{name}")


@contextmanager
def database() -> Iterator[str]:
    """The URL of a new database of PostgreSQL."""
    import psycopg  # noqa: PLC0415 - only where it is used

    url, name = variables()["TEST_POSTGRESQL_URL"], _unique()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlsplit(url)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def bucket() -> Iterator[S3]:
    """A new bucket that keeps versions."""
    found, name = variables(), _unique()
    access, secret = found["TEST_S3_ACCESS_KEY"], found["TEST_S3_SECRET_KEY"]
    folder = Path(found["TEST_S3_FOLDER"]) / name if "TEST_S3_FOLDER" in found else None
    server = S3(found["TEST_S3_ENDPOINT"], access, secret, name, folder)
    made = _resource(server).Bucket(name)
    made.create()
    made.Versioning().enable()
    try:
        yield server
    finally:
        for upload in made.multipart_uploads.all():
            upload.abort()
        # A page of a list is deleted while the next one is read: of many objects some are missed.
        while any(made.object_versions.limit(1)):
            made.object_versions.delete()
        made.delete()


def _resource(server: S3) -> "S3ServiceResource":
    import boto3  # noqa: PLC0415 - only where it is used

    return boto3.resource(
        "s3",
        endpoint_url=server.endpoint,
        region_name="us-east-1",
        aws_access_key_id=server.access_key,
        aws_secret_access_key=server.secret_key,
    )


def _answers(name: str) -> bool:
    service = next(service for service in SERVICES if service.name == name)
    try:
        return service.answers(variables())
    except KeyError:
        return False


def _unique() -> str:
    return f"test-{uuid.uuid4().hex[:16]}"


def require(name: str) -> None:
    """Skip the test if the service does not answer; with CI set, fail it."""
    if name not in silent():
        return
    why = f"{name} does not answer: make services"
    if required():
        pytest.fail(why)
    pytest.skip(why)
