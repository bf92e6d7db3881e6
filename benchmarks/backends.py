"""Where a measured run keeps its data: in a directory, or on RabbitMQ, Elasticsearch and S3."""

import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import boto3
from elasticsearch import Elasticsearch

from indexer.broker import open_broker
from pipeline import flavor

SERVERS = ("TEST_RABBITMQ_URL", "TEST_ELASTICSEARCH_URL", "TEST_S3_ENDPOINT")
"""The variables that `make services` writes, and that say where the servers are."""


@dataclass(frozen=True)
class Backends:
    """The URLs of a run's broker, index and archives, and its settings. Blank: in a directory."""

    broker: str = ""
    index: str = ""
    archives: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)


def has_servers() -> bool:
    """Whether the environment says where all three servers are."""
    return all(os.environ.get(name) for name in SERVERS)


@contextmanager
def servers(flavor_name: str) -> Iterator[Backends]:
    """Empty queues, an index and a bucket on the servers; they are deleted at the end."""
    broker, index, endpoint = (os.environ[name] for name in SERVERS)
    name = f"bench-{uuid.uuid4().hex[:12]}"
    with ExitStack() as stack:
        _queues(stack, broker, flavor_name)
        forget_index(stack, index, name)
        keys = _bucket(stack, endpoint, name)
        yield Backends(broker, f"{index}/{name}", (f"s3://{name}/warc",), keys)


def _queues(stack: ExitStack, url: str, flavor_name: str) -> None:
    topology = flavor(flavor_name).compile()
    broker = open_broker(url)
    stack.callback(broker.close)
    broker.delete(topology)
    stack.callback(broker.delete, topology)


def forget_index(stack: ExitStack, url: str, name: str) -> None:
    """Delete the indices and the template of an alias at the end."""
    client = stack.enter_context(Elasticsearch(url))

    def forget() -> None:
        client.indices.delete(index=",".join(client.indices.get(index=f"{name}-*")))
        client.indices.delete_index_template(name=f"{name}_template")

    stack.callback(forget)


def _bucket(stack: ExitStack, endpoint: str, name: str) -> Mapping[str, str]:
    access, secret = os.environ["TEST_S3_ACCESS_KEY"], os.environ["TEST_S3_SECRET_KEY"]
    store = boto3.resource(
        "s3",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id=access,
        aws_secret_access_key=secret,
    )
    bucket = store.Bucket(name)
    bucket.create()
    stack.callback(bucket.delete)
    stack.callback(bucket.objects.delete)
    return {
        "ARCHIVER_S3_ENDPOINT": endpoint,
        "ARCHIVER_S3_REGION": "us-east-1",
        "ARCHIVER_S3_ACCESS_KEY_ID": access,
        "ARCHIVER_S3_SECRET_ACCESS_KEY": secret,
    }
