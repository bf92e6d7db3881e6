"""A place on the real Elasticsearch that only one test uses."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

from elasticsearch import Elasticsearch

from tests.patience import PATIENCE


@dataclass(frozen=True)
class Place:
    """An alias on a server; it does not exist yet."""

    server: Elasticsearch
    host: str
    alias: str

    @property
    def url(self) -> str:
        """The URL of an index."""
        return f"{self.host}/{self.alias}"

    def texts(self) -> dict[str, str]:
        """The text of each copy of each document: `INDEX ID`, without the alias."""
        self.server.indices.refresh(index=f"{self.alias}*")
        hits = self.server.search(index=f"{self.alias}*", size=100)["hits"]["hits"]
        return {
            f"{hit['_index'].removeprefix(self.alias)} {hit['_id']}": hit["_source"]["text_content"]
            for hit in hits
        }


@contextmanager
def own_place(host: str) -> Iterator[Place]:
    """Provide a place; everything with the alias's name is deleted afterwards."""
    client = Elasticsearch(host, request_timeout=PATIENCE)
    alias = f"test-{uuid4().hex[:12]}"
    try:
        yield Place(client, host, alias)
        _forget(client, alias)
    finally:
        client.close()


def _forget(client: Elasticsearch, alias: str) -> None:
    made = client.indices.get(index=f"{alias}*", expand_wildcards="all", filter_path="*.aliases")
    for each in made:
        client.indices.delete(index=each)
    quiet = client.options(ignore_status=404)
    quiet.indices.delete_index_template(name=f"{alias}_template")
    quiet.snapshot.delete(repository=alias, snapshot="*")
    quiet.snapshot.delete_repository(name=alias)
