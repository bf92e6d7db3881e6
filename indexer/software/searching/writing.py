"""Brings the search index up to date with the rows of origins."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress

from indexer.errors import NoIndex
from indexer.search import SearchIndex
from indexer.software.searching.documents import document_id, origin_document
from indexer.software.store.origins import PORTION, all_urls, origins
from indexer.software.store.store import SoftwareStore


def write_origins(store: SoftwareStore, index: SearchIndex, urls: Sequence[str]) -> Counter[str]:
    """Write the documents of these origins, and delete those of origins without metadata.

    Returns the number of documents by what was done: created, updated, refused, deleted… Raises
    SearchError, StorageError.
    """
    found = {each.url: origin_document(each) for each in origins(store, urls)}
    documents = [document for document in found.values() if document]
    done = Counter(answer.added.value for answer in index.update(documents))
    gone = [document_id(url) for url in dict.fromkeys(urls) if not found.get(url)]
    if gone:
        # Without an index, no document has to be deleted.
        with suppress(NoIndex):
            done.update(answer.erasure.value for answer in index.delete(gone))
    return done


def write_all(store: SoftwareStore, index: SearchIndex) -> Iterator[Counter[str]]:
    """Write the documents of all origins, portion by portion; yield what was done with each."""
    after = ""
    while urls := all_urls(store, after, PORTION):
        yield write_origins(store, index, urls)
        after = urls[-1]
