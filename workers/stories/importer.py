"""Puts stories into the search index, and sends on those that were created.

Stories are added in bulk; each has its own answer. A story whose URL is in the index already, in
whichever of the indices behind the alias, is dropped; one that the index refuses is quarantined
with the reason. An index that can't be reached is tried again for some minutes; then the program
ends with status 1, and nothing is lost.

statuses:
  created    in the index, and sent on
  dups       discarded: its URL is in the index
  ilm-dups   discarded: its URL is in an older index behind the same alias
  noimp      sent on without being indexed (--no-import)
  no-url     quarantined: no URL
  no-text    quarantined: no text
  bad-url    discarded: a URL that has no normal form
  reqerr     quarantined: the index refused it, with the reason
  retry      the index is too busy for it: again later

example:
  python -m workers.stories.importer --index-url http://localhost:9200/mc_search
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

import structlog
from pydantic import SecretStr

from indexer.app import BatchOptions, run_batch_worker
from indexer.errors import Discard, Disposition, Quarantine, Retry, SearchError
from indexer.options import option
from indexer.patience import Patience
from indexer.search import Added, Answer, Document, SearchIndex, open_index
from indexer.stories.documents import document, missing
from indexer.stories.story import Story
from indexer.worker import BatchWorker, Done

MAX_BATCH_BYTES = 20_000_000
"""Stories are kept until they are indexed, because they are sent on: so many bytes of them."""

OUTAGE_ATTEMPTS = 16
"""How often an index that fails as a whole is asked: for about five minutes."""

log = structlog.get_logger()

Ending: TypeAlias = Done[Story] | Disposition


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ImporterOptions(BatchOptions):
    """What the importer can be told."""

    batch_size: int | None = option(
        None, "stories in a request, at most; default 500", "IMPORTER_BATCH_SIZE", "BATCH_SIZE"
    )
    index_url: SecretStr = option(
        SecretStr(""),
        "the index: sqlite:///FILE or http(s)://USER:PASSWORD@HOST:PORT/ALIAS; "
        "by default index.sqlite3 in the data directory",
        "INDEX_URL",
        "ELASTICSEARCH_HOSTS",
    )
    import_: bool = option(True, "put stories into the index; without: only send them on")
    output: bool = option(True, "send on what was created")

    @property
    def index(self) -> str:
        """The index's URL, with its credentials."""
        url = self.index_url.get_secret_value()
        return url or f"sqlite:///{self.data / 'index.sqlite3'}"


@dataclass(frozen=True, slots=True)
class _Item:
    """One story of a batch. `again`: it was delivered before."""

    story: Story
    document: Document
    again: bool


class Importer(BatchWorker[Story]):
    """Indexes stories in bulk."""

    name = "importer"
    takes = Story
    size = 500
    seconds = 5.0

    def __init__(
        self,
        options: ImporterOptions,
        clock: Callable[[], datetime] = _utc_now,
        patience: Patience | None = None,
    ) -> None:
        self._patience = patience or Patience(attempts=OUTAGE_ATTEMPTS)
        self._output = options.output
        self._clock = clock
        self._index: SearchIndex | None = open_index(options.index) if options.import_ else None
        self._batch: list[_Item] = []
        self._bytes = 0

    @property
    def full(self) -> bool:
        """Whether the stories of the batch are as many bytes as may be held."""
        return self._bytes >= MAX_BATCH_BYTES

    def add(self, story: Story) -> None:
        """Take a story into the batch. Raises Quarantine, Discard."""
        self._take(story, again=False)

    def add_again(self, story: Story) -> None:
        """Take one that a process may have indexed before it died."""
        self._take(story, again=True)

    def flush(self) -> Sequence[Ending]:
        """Index the batch. Raises SearchError: nothing is known of any of it."""
        batch, self._batch, self._bytes = self._batch, [], 0
        if self._index is None:
            return [self._done(item.story, "noimp") for item in batch]
        answers, again = self._add(self._index, [item.document for item in batch])
        endings = [
            self._ending(item, answer, again=item.again or again)
            for item, answer in zip(batch, answers, strict=True)
        ]
        _log(batch, endings)
        return endings

    def close(self) -> None:
        """Let go of the index."""
        if self._index is not None:
            self._index.close()

    def _take(self, story: Story, *, again: bool) -> None:
        item = _Item(story, document(story, self._clock()), again)
        self._batch.append(item)
        self._bytes += len(story.raw_html.html or b"") + len(item.document.text_content)

    def _done(self, story: Story, status: str) -> Done[Story]:
        return Done([story] if self._output else [], status)

    def _add(self, index: SearchIndex, documents: Sequence[Document]) -> tuple[list[Answer], bool]:
        """The index's answers, and whether it was asked more than once.

        A program that ended at the first failure would be started again at once, and soon the
        broker would take its messages for the cause. Raises SearchError.
        """
        again = False
        for is_last in self._patience.attempts():
            try:
                return index.add(documents), again
            except SearchError as error:
                if is_last:
                    raise
                log.warning("the index failed", why=str(error))
                again = True
        raise AssertionError("there is at least one attempt")

    def _ending(self, item: _Item, answer: Answer, *, again: bool) -> Ending:
        match answer.added:
            case Added.CREATED:
                return self._done(item.story, "created")
            case Added.DUPLICATE:
                if again and _may_be_itself(item, answer):
                    return self._done(item.story, "created")
                return Discard("ilm-dups" if answer.elsewhere else "dups")
            case Added.REFUSED:
                return (
                    Retry("retry", answer.why) if answer.again else Quarantine("reqerr", answer.why)
                )


def _may_be_itself(item: _Item, answer: Answer) -> bool:
    """Whether what the index has is this very story, which nobody has sent on yet.

    Then a process died that had indexed it, or an answer was lost. In doubt it is: one that is
    sent on twice is archived twice; one that isn't is lost to the archive.
    """
    return answer.same or item.story.content_metadata.parsed_date is None


def _log(batch: Sequence[_Item], endings: Sequence[Ending]) -> None:
    """What became of a batch, and which fields its documents lack (stories.md 7.2)."""
    absent = Counter(name for item in batch for name in missing(item.document))
    statuses = Counter(ending.status for ending in endings)
    log.info("batch", stories=len(batch), **statuses, missing=dict(absent))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_batch_worker(Importer, ImporterOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
