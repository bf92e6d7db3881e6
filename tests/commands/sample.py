"""A whole run of the sample newsroom, as a process, and what it left behind."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elasticsearch import Elasticsearch
from pydantic import SecretStr

from indexer.blobstore import StoreCredentials, open_blobstore
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Document, open_index
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.system.options import environment
from newsroom.expected import expected
from newsroom.server import Newsroom
from tests import services
from tests.patience import PATIENCE

EXPECTED = expected()

NONE = StoreCredentials()

URLS = [document.url for document in EXPECTED.documents]

PLAIN = [
    document.url
    for document in EXPECTED.documents
    if document.canonical_domain in ("flussblatt.example", "nadi-kinara.example")
    and len(document.links) == 1
]
"""Pages of the newsroom that are had at once, by one link."""

HASTE = {
    "RETRY_DELAY_MINUTES": "0.02",
    "REQUEUE_DELAY_SECONDS": "1",
    "FETCHER_MIN_INTERVAL_SECONDS": "0.05",
    "FETCHER_CONN_RETRY_MINUTES": "0.01",
    "FETCHER_ALLOW_ADDRESS": "127.0.0.0/8",
}
"""Settings of a run that fetches from this machine only."""


@dataclass(frozen=True)
class Backends:
    """Where a run keeps what it makes."""

    broker: str
    index: str
    archive: str
    credentials: StoreCredentials = NONE

    @property
    def variables(self) -> Mapping[str, str]:
        """How the programs are told the credentials."""
        values = {
            "ENDPOINT": self.credentials.endpoint,
            "REGION": self.credentials.region,
            "ACCESS_KEY_ID": self.credentials.access_key_id,
            "SECRET_ACCESS_KEY": self.credentials.secret_access_key.get_secret_value(),
        }
        return {f"ARCHIVER_S3_{name}": value for name, value in values.items()}

    @classmethod
    def embedded(cls, data: Path) -> "Backends":
        """The default: all in a directory."""
        return cls("", f"sqlite:///{data / 'index.sqlite3'}", str(data / "archive"))


@contextmanager
def real_backends() -> Iterator[Backends]:
    """RabbitMQ, Elasticsearch and S3, with nothing in them."""
    with ExitStack() as stack:
        broker = stack.enter_context(services.virtual_host())
        s3 = stack.enter_context(services.bucket())
        url = services.variables()["TEST_ELASTICSEARCH_URL"]
        stack.callback(_forget, url, s3.bucket)
        credentials = StoreCredentials(
            s3.access_key, SecretStr(s3.secret_key), "us-east-1", s3.endpoint
        )
        yield Backends(broker, f"{url}/{s3.bucket}", f"s3://{s3.bucket}/warc", credentials)


def _forget(url: str, alias: str) -> None:
    """Delete the indices of an alias."""
    with Elasticsearch(url, request_timeout=PATIENCE) as client:
        # Not by a pattern: servers may forbid that.
        client.indices.delete(index=",".join(client.indices.get(index=f"{alias}-*")))
        client.indices.delete_index_template(name=f"{alias}_template")


def story_indexer(
    *arguments: str, stdin: bytes = b"", variables: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Run the command; `variables` are added to the environment."""
    return subprocess.run(
        [sys.executable, "-m", "indexer.commands.main", *arguments],
        env={**environment(), **(variables or {})},
        input=stdin,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def run(data: Path, backends: Backends, *arguments: str) -> dict[str, Any]:
    """Run the sample; the summary."""
    command = ["run", "--json", "--data", str(data)]
    if backends.broker:
        command += ["--broker", backends.broker, "--index", backends.index]
        command += ["--archive", backends.archive]
    ended = story_indexer(*command, *arguments, variables=backends.variables)
    assert ended.returncode == 0, ended.stderr.decode()
    summary: dict[str, Any] = json.loads(ended.stdout)
    return summary


def run_inputs(
    room: Newsroom,
    data: Path,
    *arguments: str,
    status: int = 0,
    stdin: bytes = b"",
    variables: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Run inputs whose links lead to a newsroom; the summary."""
    settings = {**HASTE, "FETCHER_RESOLVE": " ".join(room.addresses)}
    given = [word for pair in settings.items() for word in ("--set", "=".join(pair))]
    ended = story_indexer(
        "run", "--json", "--data", str(data), *given, *arguments, stdin=stdin, variables=variables
    )
    assert b"Traceback" not in ended.stderr, ended.stderr.decode()
    assert ended.returncode == status, ended.stderr.decode()
    summary: dict[str, Any] = json.loads(ended.stdout)
    return summary


@dataclass(frozen=True)
class Left:
    """What a run left behind: the summary, documents and archived stories by document id."""

    summary: Mapping[str, Any]
    documents: Mapping[str, Document]
    archived: Mapping[str, ArchivedStory]
    files: list[bytes]


def look(
    summary: Mapping[str, Any],
    backends: Backends,
    urls: Sequence[str] = URLS,
) -> Left:
    """Read all that a run left behind; the index is asked for the documents of `urls`."""
    index = open_index(backends.index, STORY_FIELDS)
    index.refresh()
    ids = [unique_url_hash(url) for url in urls]
    documents = {id: found for id in ids if (found := index.get(id)) is not None}
    index.close()
    files = [_read(url, backends) for url in summary["warc_files"]]
    archived = {}
    for file in files:
        for item in read_stories(io.BytesIO(file)):
            assert isinstance(item, ArchivedStory), item
            archived[unique_url_hash(item.uri)] = item
    return Left(summary, documents, archived, files)


def _read(url: str, backends: Backends) -> bytes:
    store = open_blobstore(backends.archive, backends.credentials)
    with store.open(url.partition(store.url)[2].lstrip("/")) as file:
        return file.read()
