"""Updates a field of documents to the value that the present rules make of their URL."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

from elasticsearch import Elasticsearch

from indexer.search.elasticsearch.bulk import Bulk, Line, amend_line
from indexer.search.elasticsearch.points import KEEP_ALIVE, hits
from indexer.search.elasticsearch.scan import ScanTally
from indexer.system.patience import Patience
from indexer.text.chunks import chunks

Domain = Callable[[str], str]
"""Returns the canonical domain of a URL; empty if it has none."""


class DomainUpdate:
    """Updates the domain in one field to that of the URL in another.

    `tally` counts the documents so far, by result.
    """

    def __init__(
        self,
        client: Elasticsearch,
        index: str,
        fields: tuple[str, str],
        domain: Domain,
        patience: Patience,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client.options(max_retries=0)
        self._index = index
        self._url, self._field = fields
        self._domain = domain
        self._patience = patience
        self._sleep = sleep
        self._bulk = Bulk(client, index, patience)
        self.tally = ScanTally()

    def update(
        self,
        query: Mapping[str, Any],
        *,
        batch: int = 1000,
        buffer: int = 2000,
        keep_alive: str = KEEP_ALIVE,
        pause: float = 0.0,
        dry_run: bool = False,
    ) -> Iterator[ScanTally]:
        """Update the domains that differ, `buffer` at a time; yield the tally after each buffer.

        Only this field is changed, and only of documents that still exist. Raises ApiError,
        TransportError.
        """
        wanted = {"query": query, "source_includes": [self._url, self._field]}
        found = hits(
            self._client, self._index, wanted, self._patience, size=batch, keep_alive=keep_alive
        )
        with closing(found):
            for changes in chunks(self._changes(found), buffer):
                if dry_run:
                    self.tally.done += len(changes)
                else:
                    self._write(changes)
                    self._sleep(pause)
                yield self.tally
        yield self.tally

    def _changes(self, found: Iterator[dict[str, Any]]) -> Iterator[tuple[str, Line]]:
        for hit in found:
            self.tally.read += 1
            fields = hit.get("_source", {})
            domain = self._domain(str(fields.get(self._url) or ""))
            if not domain:
                self.tally.skipped += 1
            elif domain == fields.get(self._field):
                self.tally.unchanged += 1
            else:
                fields = {self._field: domain}
                yield hit["_id"], amend_line(hit["_index"], hit["_id"], fields)

    def _write(self, changes: list[tuple[str, Line]]) -> None:
        results = self._bulk.send([line for _, line in changes])
        for (id, _), result in zip(changes, results, strict=True):
            if result.done:
                self.tally.done += 1
            elif result.missing:
                self.tally.missing += 1
            else:
                self.tally.fail(id, result.why)
