"""`story-indexer elastic-reindex`: copy documents between indices, also of two Elasticsearches."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from pydantic import Field, SecretStr

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.elastic.elastic import CopyProgress, ScanOptions, show, show_result
from indexer.errors import ConfigurationError
from indexer.programs.settings import index_option
from indexer.search.elasticsearch.admin.reindex_state import ReindexState, load, save
from indexer.search.language.dates import moment
from indexer.system.options import option
from indexer.system.patience import Patience

if TYPE_CHECKING:
    from indexer.search.elasticsearch.admin.reindex import IndexPlace


INDEXED = "indexed_date"
"""The field by which the progress of a copy is kept."""


class ReindexOptions(ScanOptions, JSONOptions):
    """Options of `elastic-reindex`."""

    from_: SecretStr = option(
        SecretStr(""),
        "http(s)://USER:PASSWORD@HOST:PORT/ALIAS to read",
        "REINDEX_FROM_URL",
        metavar="URL",
    )
    to: SecretStr = index_option("URL to write", "REINDEX_TO_URL")
    source: list[str] = option(
        [],
        "Read this index instead of the URL's; repeatable, may have a *.",
        short="s",
        metavar="INDEX",
    )
    suffix: str = option("", "Copy each index to an index of its name and this suffix.", short="d")
    since: str = option("", "Only documents indexed at that time or later (UTC).", metavar="DATE")
    until: str = option("", "Only documents indexed at that time or before.", metavar="DATE")
    state: Path | None = option(
        None, "Keep the progress in this file, and continue from it.", metavar="FILE"
    )
    delay: Annotated[float, Field(ge=0)] = option(
        2.0, "With --state: leave out documents that are newer.", metavar="HOURS"
    )
    max_: Annotated[int | None, Field(ge=1)] = option(
        None, "Read at most N documents.", short="m", metavar="N"
    )
    create: bool = option(False, "Create the index to write to, if it does not exist.")

    @property
    def urls(self) -> tuple[str, str]:
        """The URLs to read and to write. Raises ConfigurationError if one is missing."""
        source, target = self.from_.get_secret_value(), self.to.get_secret_value()
        if not source or not target:
            raise ConfigurationError("two indices are needed: --from URL --to URL")
        return source, target


@with_options
def reindex(options: ReindexOptions) -> None:
    """Copy documents that the other index lacks; documents that it has are not changed.

    Documents that can't be copied are named (status 1). With --state the next run tries them again.
    Both servers need only the rights to read and to write documents.

    Examples:

        story-indexer elastic-reindex --from http://old:9200/mc_search --to http://new:9200/mc_search

        story-indexer elastic-reindex --from http://a:9200 --to http://a:9200 -s mc_search-000001
        --suffix _new --create

        story-indexer elastic-reindex --from http://a:9200 --to http://b:9200 --state copied.json
    """
    from indexer.search.elasticsearch import scan  # noqa: PLC0415 - loads the client
    from indexer.search.elasticsearch.admin.reindex import one_by_one, open_pair  # noqa: PLC0415

    names = scan.checked_names(options.source) if options.source else ""
    start, end = _date("--since", options.since), _date("--until", options.until)
    if options.suffix and options.state:
        raise ConfigurationError("--state is for one copy: it can't be given with --suffix")
    with open_pair(*options.urls, names) as (read, written):
        if read.name == written.name and not options.suffix:
            raise ConfigurationError(f"--from and --to are the same: {read.name}")
        kept = KeptState(options.state, options, read, written) if options.state else None
        if kept:
            start = kept.date or start
            # Documents become visible some time after their date: copied later, they would be lost.
            end = end or _ago(options.delay)
        wanted = scan.between(scan.clause(options.query, options.type), INDEXED, start, end)
        pairs = one_by_one(read, written, options.suffix) if options.suffix else [(read, written)]
        failed = sum(_run(source, target, wanted, options, kept) for source, target in pairs)
    raise typer.Exit(1 if failed else 0)


class KeptState:
    """The progress of a copy, in a file."""

    def __init__(
        self, path: Path, options: ReindexOptions, source: "IndexPlace", target: "IndexPlace"
    ) -> None:
        """Read the state of a copy. Raises ConfigurationError: it is that of another copy."""
        self._path = path
        query = f"{options.type}: {options.query}; since: {options.since}"
        self._state = load(path, ReindexState(source.name, target.name, query))

    @property
    def date(self) -> str:
        """All documents up to this date are copied; empty at first."""
        return self._state.date

    def reach(self, date: str) -> None:
        """Save that all documents up to a date are copied."""
        if date > self._state.date:
            self._state = msgspec.structs.replace(self._state, date=date)
            save(self._path, self._state)


def _run(
    source: "IndexPlace",
    target: "IndexPlace",
    query: dict[str, Any],
    options: ReindexOptions,
    state: KeptState | None,
) -> int:
    """Copy one index. Return the number of documents that could not be copied."""
    from indexer.search.elasticsearch.admin import reindex as core  # noqa: PLC0415 - loads the client
    from indexer.search.elasticsearch.scan import ScanTally  # noqa: PLC0415

    name, place = f"{source.name} → {target.name}", {"from": source.name, "to": target.name}
    patience = Patience()
    total = core.count(source, query, patience)
    if options.dry_run:
        show({**place, "matching": total}, f"{name}: {total:,} to read", as_json=options.json_)
        return 0
    core.make_ready(target, create=options.create)
    progress, tally = CopyProgress(min(total, options.max_ or total)), ScanTally()
    for tally, date in core.copy(
        source,
        target,
        query,
        patience,
        batch=options.batch,
        limit=options.max_,
        by_date=INDEXED if state else "",
    ):
        if state:
            state.reach(date)
        progress.show(tally)
    show_result(name, place, tally, as_json=options.json_)
    return tally.failed


def _date(name: str, text: str) -> str | None:
    """Return a date as the index has it. Raises ConfigurationError."""
    if not text:
        return None
    if found := moment(text):
        return found
    raise ConfigurationError(f"{name}: write a date as 2024-02-29 or 2024-02-29T12:30:00")


def _ago(hours: float) -> str:
    time = datetime.now(UTC) - timedelta(hours=hours)
    return time.replace(tzinfo=None).isoformat(timespec="microseconds")
