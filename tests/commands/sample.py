"""A whole run of the sample newsroom, as a process, and what it left behind."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elasticsearch import Elasticsearch
from pydantic import SecretStr

from indexer.blobstore import Credentials, open_blobstore
from indexer.options import environment
from indexer.search import Document, open_index
from indexer.stories.ids import unique_url_hash
from indexer.stories.story_archive_reader import ArchivedStory, read_stories
from newsroom.expected import expected
from tests import services

EXPECTED = expected()

NONE = Credentials()


@dataclass(frozen=True)
class Backends:
    """Where a run keeps what it makes."""

    broker: str
    index: str
    archive: str
    credentials: Credentials = NONE

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
        credentials = Credentials(s3.access_key, SecretStr(s3.secret_key), "us-east-1", s3.endpoint)
        yield Backends(broker, f"{url}/{s3.bucket}", f"s3://{s3.bucket}/warc", credentials)


def _forget(url: str, alias: str) -> None:
    """Delete the indices of an alias."""
    with Elasticsearch(url) as client:
        # Not by a pattern: servers may forbid that.
        client.indices.delete(index=",".join(client.indices.get(index=f"{alias}-*")))
        client.indices.delete_index_template(name=f"{alias}_template")


def run(data: Path, backends: Backends, *arguments: str) -> dict[str, Any]:
    """Run the sample; the summary."""
    command = [sys.executable, "-m", "indexer.commands.main", "run", "--json", "--data", str(data)]
    if backends.broker:
        command += ["--broker", backends.broker, "--index", backends.index]
        command += ["--archive", backends.archive]
    ended = subprocess.run(
        [*command, *arguments],
        env={**environment(), **backends.variables},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    summary: dict[str, Any] = json.loads(ended.stdout)
    return summary


@dataclass(frozen=True)
class Left:
    """What a run left behind: the summary, documents and archived stories by document id."""

    summary: Mapping[str, Any]
    documents: Mapping[str, Document]
    archived: Mapping[str, ArchivedStory]
    files: list[bytes]


def look(summary: Mapping[str, Any], backends: Backends) -> Left:
    """Read all that a run left behind."""
    index = open_index(backends.index)
    index.refresh()
    ids = [unique_url_hash(document.url) for document in EXPECTED.documents]
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
