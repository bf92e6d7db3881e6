"""Adds stories to the search index, and sends on those that were created.

Stories are added in bulk; the index answers for each one. A story whose URL is in the index
already, in any of the indices behind the alias, is dropped; a story that the index refuses is
quarantined with the reason. While the index can't be reached, the program tries again for some
minutes, and then ends with status 1; nothing is lost.

With --update, stories that are in the index are replaced if they have changed. Before that, the
differences are written to a file, one line of JSON for each field; `story-indexer differences`
summarises them. The date of indexing stays. Stories that are not in the index may have been erased
on request, so they are not created. With --dry-run nothing is written to the index.

statuses:
  created         in the index, and sent on
  dups            discarded: the URL is in the index
  ilm-dups        discarded: the URL is in an older index behind the same alias
  noimp           sent on without being indexed (--no-import)
  updated         changed, replaced in the index, and sent on (--update)
  unchanged       the index has the same story: not sent on (--update)
  absent          discarded: not in the index (--update, without --create-absent)
  would-update    would be updated (--dry-run)
  would-create    would be created (--dry-run)
  no-url          quarantined: no URL
  no-text         quarantined: no text
  bad-url         discarded: the URL has no normal form
  reqerr          quarantined: the index refused the story, with the reason
  retry           retried later: the index is too busy

example:
  story-indexer program importer --index-url http://localhost:9200/mc_search
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from pydantic import SecretStr

from indexer.errors import Discard, Disposition, Quarantine, Retry
from indexer.messages.message import DROPPED
from indexer.messages.worker import BatchWorker, Done
from indexer.news.counting import STORIES
from indexer.programs.app import ProgramOptions, run_batch_worker
from indexer.programs.settings import index_option, index_or_default
from indexer.search import Added, Document, IndexAnswer, SearchIndex, check_there, open_index
from indexer.search.outages import ATTEMPTS, ask
from indexer.stories.indexing.differences import DifferenceFile
from indexer.stories.indexing.documents import document, measure, measure_refusal, missing
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.stories.indexing.updater import Intent, Update, UpdatePolicy, Updater
from indexer.stories.story import Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.loggers import get_logger
from indexer.system.options import option
from indexer.system.patience import Patience
from indexer.text.dates import utc_now

# A batch is in memory until the index has answered, because its stories are sent on.
MAX_BATCH_BYTES = 20_000_000

log = get_logger()

Ending: TypeAlias = Done[Story] | Disposition


class ImporterOptions(StoryFileOptions, ProgramOptions):
    """Options of the importer."""

    batch_size: int | None = option(
        None, "most stories in a request; default 500", "IMPORTER_BATCH_SIZE", "BATCH_SIZE"
    )
    index_url: SecretStr = index_option(
        "the index: sqlite:///FILE or http(s)://USER:PASSWORD@HOST:PORT/ALIAS; "
        "default index.sqlite3 in the data directory"
    )
    import_: bool = option(True, "add stories to the index; without: only send them on")
    output: bool = option(True, "send on stories that were created or updated")
    update: bool = option(
        False, "replace stories that are in the index and have changed", "IMPORTER_UPDATE"
    )
    create_absent: bool = option(
        False, "with --update: also create stories not in the index", "IMPORTER_CREATE_ABSENT"
    )
    dry_run: bool = option(
        False, "report what would happen, change nothing", "IMPORTER_DRY_RUN", short="n"
    )
    differences: Path | None = option(
        None,
        "directory for the differences of --update; default differences/ in the data directory",
        "IMPORTER_DIFFERENCES",
    )

    @property
    def index(self) -> str:
        """The URL of the index, with credentials."""
        return index_or_default(self.index_url, self.data)

    @property
    def policy(self) -> UpdatePolicy:
        """The permitted changes to the index."""
        return UpdatePolicy(replace=self.update, create=self.create_absent or not self.update)


@dataclass(frozen=True, slots=True)
class _Item:
    """One story of a batch; `again` if it was delivered before."""

    story: Story
    document: Document
    again: bool


class Importer(BatchWorker[Story, Story]):
    """Indexes stories in bulk."""

    name = "importer"
    counted_as = STORIES
    takes = Story
    size = 500
    seconds = 5.0

    def __init__(
        self,
        options: ImporterOptions,
        clock: Callable[[], datetime] = utc_now,
        patience: Patience | None = None,
    ) -> None:
        self._patience = patience or Patience(attempts=ATTEMPTS)
        self._options = options
        self._clock = clock
        self._index: SearchIndex | None = (
            open_index(options.index, STORY_FIELDS) if options.import_ else None
        )
        self._differences = DifferenceFile(
            options.differences or options.data / "differences", clock()
        )
        self._updater: Updater | None = None
        if self._index and (options.update or options.dry_run):
            # Without this check, the first batch would wait minutes for an index that is missing.
            check_there(self._index)
            self._updater = Updater(
                self._index, options.policy, self._differences, self._patience, options.dry_run
            )
        self._batch: list[_Item] = []
        self._bytes = 0

    @property
    def full(self) -> bool:
        """Whether the batch has its largest number of bytes."""
        return self._bytes >= MAX_BATCH_BYTES

    def add(self, story: Story) -> None:
        """Add a story to the batch. Raises Quarantine, Discard."""
        self._take(story, again=False)

    def add_again(self, story: Story) -> None:
        """Add a story that a process may have indexed before it died."""
        self._take(story, again=True)

    def flush(self) -> Sequence[Ending]:
        """Index the batch. Raises SearchError: each story may be indexed or not."""
        # Emptied first: after an error, the messages of this batch are delivered again.
        batch, self._batch, self._bytes = self._batch, [], 0
        if self._index is None:
            return [self._done(item.story, "noimp") for item in batch]
        updater, index = self._updater, self._index
        endings = self._update(updater, batch) if updater else self._add(index, batch)
        _log(batch, endings)
        return endings

    def close(self) -> None:
        """Close the index."""
        if self._index is not None:
            self._index.close()
        self._differences.close()

    def _take(self, story: Story, *, again: bool) -> None:
        if DROPPED in story.unknown:
            raise Discard("was-dropped", "the parser dropped it: `--type reparse` parses it again")
        now = self._clock()
        try:
            item = _Item(story, document(story, now), again)
        except Disposition as end:
            measure_refusal(end.status)
            raise
        measure(story, item.document, now)
        self._batch.append(item)
        self._bytes += story.raw_html.size + len(item.document.text("text_content"))

    def _done(self, story: Story, status: str) -> Done[Story]:
        return Done([story] if self._options.output else [], status)

    def _add(self, index: SearchIndex, batch: Sequence[_Item]) -> list[Ending]:
        """Create stories that are new."""
        documents = [item.document for item in batch]
        # After a repeated request, a duplicate may be the document of the request before.
        answers, again = ask(self._patience, lambda: index.add(documents))
        return [
            self._added(item, answer, again=item.again or again)
            for item, answer in zip(batch, answers, strict=True)
        ]

    def _update(self, updater: Updater, batch: Sequence[_Item]) -> list[Ending]:
        """Replace stories that have changed."""
        updates = updater.update([item.document for item in batch])
        return [
            self._updated(item, update, answer)
            for item, (update, answer) in zip(batch, updates, strict=True)
        ]

    def _added(self, item: _Item, answer: IndexAnswer, *, again: bool) -> Ending:
        match answer.added:
            case Added.CREATED | Added.UPDATED:
                return self._done(item.story, answer.added.value)
            case Added.DUPLICATE:
                if again and _may_be_itself(item, answer):
                    return self._done(item.story, "created")
                return Discard("ilm-dups" if answer.elsewhere else "dups")
            case Added.REFUSED:
                return _refusal(answer)

    def _updated(self, item: _Item, update: Update, answer: IndexAnswer | None) -> Ending:
        match update.intent:
            case Intent.UNCHANGED:
                # A process may have updated the redelivered story, and died before sending it on.
                return Done(
                    [item.story] if self._options.output and item.again else [], "unchanged"
                )
            case Intent.REPEATED:
                return Discard("dups")
            case Intent.REFUSED:
                return Quarantine("reqerr", update.why)
            case Intent.CREATE | Intent.UPDATE if self._options.dry_run:
                return Done(status=f"would-{update.intent}")
        if answer is None:
            return Discard("absent", "not in the index")
        return self._added(item, answer, again=False)


def _refusal(answer: IndexAnswer) -> Disposition:
    return Retry("retry", answer.why) if answer.again else Quarantine("reqerr", answer.why)


def _may_be_itself(item: _Item, answer: IndexAnswer) -> bool:
    """Whether the index may have this same story, indexed by a process that died, or by a request
    whose answer was lost.

    In doubt, yes: a story that is sent on twice is archived twice, but one that is never sent on
    is missing in the archive.
    """
    return answer.same or item.story.content_metadata.parsed_date is None


def _log(batch: Sequence[_Item], endings: Sequence[Ending]) -> None:
    """Log the statuses of a batch, and the fields that its documents lack (stories.md 7.2)."""
    absent = Counter(name for item in batch for name in missing(item.document))
    statuses = Counter(ending.status for ending in endings)
    log.info("batch", stories=len(batch), **statuses, missing=dict(absent))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_batch_worker(Importer, ImporterOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
