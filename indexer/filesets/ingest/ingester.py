"""The ingest of a dataset, from a request to its result.

request → landing page → platform → manifest → limits → strategy → existing? → archived → result

Each step adds its part to the `Ingest`. A step that can't go on raises FilesetError with the status
of the result; any other exception is `internal-error`: there is one result, whatever happens.
"""

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from indexer.errors import FilesetError, JobInterrupted
from indexer.filesets.ingest.recording import EvidenceRecorder
from indexer.filesets.landing.biblio import html_biblio
from indexer.filesets.landing.evidence import Evidence, evidence_of
from indexer.filesets.landing.fetching import LandingPages
from indexer.filesets.landing.page_head import page_head
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.platforms import find, find_without_page
from indexer.filesets.platforms.platform import Platform
from indexer.filesets.platforms.references import Reference
from indexer.filesets.request import IngestRequest
from indexer.filesets.results.result import Ingest
from indexer.filesets.statuses import INTERNAL_ERROR, SUCCESS_PARTIAL, is_hit
from indexer.filesets.strategies.choosing import (
    TOO_MUCH_SPN,
    StrategyChoice,
    check_limits,
    choose,
    in_item,
)
from indexer.filesets.strategies.options import LimitOptions
from indexer.filesets.strategies.strategy import (
    ArchiveJob,
    ArchiveStrategyResult,
    FilesetIngestStrategy,
    Watch,
)
from indexer.filesets.strategies.transfer import Transfer

BLOCKED = "skip-url-blocklist"
FOUND = "found"
"""The status of a dataset that was only looked at."""


@dataclass(slots=True)
class Ingester:
    """The parts of an ingest; a strategy that is None is not available."""

    pages: LandingPages
    platforms: Sequence[Platform]
    recorder: EvidenceRecorder
    transfer: Transfer
    limits: LimitOptions
    archiveorg: FilesetIngestStrategy | None = None
    web: FilesetIngestStrategy | None = None

    def ingest(self, request: IngestRequest, watch: Watch) -> Ingest:
        """Archive the dataset of a request. Only signals raise, and `watch` by JobInterrupted."""
        ingest = self.look(request)
        if ingest.status != FOUND or ingest.item is None or ingest.choice is None:
            return ingest
        try:
            archived = self._archived(ingest.item, ingest.choice, watch)
            if archived.status == TOO_MUCH_SPN and self.archiveorg:
                ingest.choice = in_item(ingest.choice, archived.message)
                archived = self._archived(ingest.item, ingest.choice, watch)
        except JobInterrupted:
            raise
        except FilesetError as error:
            return ingest.fail(error.status, error.why, error.wait)
        except Exception as error:  # noqa: BLE001 - one result for each request, always
            return _internal_error(ingest, error)
        ingest.archived = archived
        ingest.status, ingest.message = archived.status, archived.message
        ingest.wait = archived.wait
        if ingest.item.restricted and is_hit(archived.status):
            ingest.status, ingest.message = SUCCESS_PARTIAL, _restricted(ingest.item)
        return ingest

    def _archived(
        self, item: FilesetPlatformItem, choice: StrategyChoice, watch: Watch
    ) -> ArchiveStrategyResult:
        job = ArchiveJob(item, choice.name, self.recorder.file)
        strategy = self.archiveorg if choice.name.is_archiveorg else self.web
        if strategy is None:
            raise FilesetError("no-strategy-helper", choice.name)
        return strategy.check_existing(job) or strategy.process(job, watch)

    def look(self, request: IngestRequest) -> Ingest:
        """Find the dataset of a request, its files, and its strategy. No file is fetched."""
        ingest = Ingest(request.given, request.base_url)
        self.recorder.begin("evidence.warc.gz")
        try:
            self._find(request, ingest)
            self._choose(ingest)
        except FilesetError as error:
            return ingest.fail(error.status, error.why, error.wait)
        except Exception as error:  # noqa: BLE001 - one result for each request, always
            return _internal_error(ingest, error)
        return ingest

    def _find(self, request: IngestRequest, ingest: Ingest) -> None:
        named = {"doi": request.doi}
        alone = find_without_page(self.platforms, evidence_of(request.base_url, named))
        if alone is not None:
            ingest.item = alone.process_request(request, None, {})
            return
        page = ingest.resource = self.pages.fetch(
            request.base_url, fresh=bool(request.force_recrawl)
        )
        if page.problem == BLOCKED:
            raise FilesetError(page.problem, page.message)
        ingest.html_biblio = html_biblio(page_head(page.body)) if page.body else {}
        evidence = evidence_of(request.base_url, named, page, ingest.html_biblio)
        platform, reference = self._platform(evidence, ingest)
        ingest.item = platform.item(reference)

    def _platform(self, evidence: Evidence, ingest: Ingest) -> tuple[Platform, Reference]:
        try:
            return find(self.platforms, evidence)
        except FilesetError as error:
            page = ingest.resource
            if page and page.problem and error.status == "no-platform-match":
                raise FilesetError(page.problem, page.message) from error
            raise

    def _choose(self, ingest: Ingest) -> None:
        item = ingest.item
        if item is None:
            return
        item.platform_base_url = item.platform_base_url or (
            ingest.resource.terminal_url if ingest.resource else ingest.base_url
        )
        check_limits(item, self.limits)
        for file in item.files:
            self.transfer.measure(file)
        check_limits(item, self.limits)
        ingest.message = _restricted(item)
        ingest.choice = choose(item, self.limits, web=self.web is not None)
        ingest.status = FOUND


def _restricted(item: FilesetPlatformItem) -> str:
    """The files that an ingest leaves out; "" if there are none."""
    paths = [file.path for file in item.restricted]
    named = f"{', '.join(paths[:5])}{' …' * (len(paths) > 5)}"
    return f"not archived, as they are restricted: {named}" if paths else ""


def _internal_error(ingest: Ingest, error: Exception) -> Ingest:
    """The exception in one line, with its place: people read it in results, far from this code."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    return ingest.fail(INTERNAL_ERROR, f"{type(error).__name__}: {error}, {place}")
