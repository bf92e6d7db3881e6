"""`story-indexer elastic-reindex`: copy documents between indices, also of two Elasticsearches."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from pydantic import SecretStr

from indexer.commands.console.terminal import AsJson
from indexer.commands.elastic.elastic import (
    CopyProgress,
    DryRun,
    QuerySyntax,
    QueryText,
    Syntax,
    given,
    show,
    show_result,
)
from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.admin.reindex_state import ReindexState, load, save
from indexer.search.language.dates import moment
from indexer.system.options import Options, option
from indexer.system.patience import Patience

if TYPE_CHECKING:
    from indexer.search.elasticsearch.admin.reindex import IndexPlace


class ReindexOptions(Options):
    """From where to where."""

    source: SecretStr = option(SecretStr(""), "URL to read", "REINDEX_FROM_URL")
    target: SecretStr = option(SecretStr(""), "URL to write", "REINDEX_TO_URL", "INDEX_URL")


@dataclass(frozen=True)
class Work:
    """What an operator decided of a copy."""

    query: dict[str, Any]
    batch: int
    limit: int | None
    create: bool
    dry_run: bool
    as_json: bool
    state: "Kept | None"


def reindex(  # noqa: PLR0913, PLR0917 - the options of a command
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="URL",
            help="http(s)://USER:PASSWORD@HOST:PORT/ALIAS to read [env REINDEX_FROM_URL]",
            show_default=False,
        ),
    ] = "",
    target: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="URL",
            help="The same, to write [env REINDEX_TO_URL, INDEX_URL]",
            show_default=False,
        ),
    ] = "",
    indices: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            "-s",
            metavar="INDEX",
            help="Read these indices instead of the URL's; may be repeated, and have a *.",
        ),
    ] = None,
    suffix: Annotated[
        str,
        typer.Option(
            "--suffix", "-d", metavar="TEXT", help="Copy each index to one of its name and this."
        ),
    ] = "",
    query: QueryText = "",
    syntax: QuerySyntax = Syntax.QUERY_STRING,
    since: Annotated[str, typer.Option(metavar="DATE", help="Indexed then or later (UTC).")] = "",
    until: Annotated[str, typer.Option(metavar="DATE", help="Indexed then or before.")] = "",
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep here how far it came, and go on from there the next time."
        ),
    ] = None,
    delay: Annotated[
        float,
        typer.Option(metavar="HOURS", min=0, help="With --state: leave out what is newer."),
    ] = 2.0,
    batch: Annotated[int, typer.Option(min=1, max=10_000, help="Documents at once.")] = 1000,
    limit: Annotated[
        int | None, typer.Option("--max", "-m", min=1, help="Read so many, no more.")
    ] = None,
    create: Annotated[
        bool, typer.Option("--create", help="Make an index that is not there to write to.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Copy documents that are not there yet: what is there stays as it is.

    Status 1 if one could not be copied: it is told, and the state does not go beyond it, so the
    next run tries again. It needs nothing of the servers but reading and writing.

    Examples:

        story-indexer elastic-reindex --from http://old:9200/mc_search --to http://new:9200/mc_search

        story-indexer elastic-reindex --from http://a:9200 --to http://a:9200 -s mc_search-000001
        --suffix _new --create

        story-indexer elastic-reindex --from http://a:9200 --to http://b:9200 --state copied.json
    """
    from indexer.search.elasticsearch import scan  # noqa: PLC0415 - loads the client
    from indexer.search.elasticsearch.admin.reindex import one_by_one, open_pair  # noqa: PLC0415

    options = ReindexOptions(**given(source=source, target=target))
    names = scan.checked_names(indices) if indices else ""
    start, end = _date("--since", since), _date("--until", until)
    if suffix and state:
        raise ConfigurationError("--state is of one copy: it can't be given with --suffix")
    with open_pair(*_urls(options), names) as (read, written):
        if read.name == written.name and not suffix:
            raise ConfigurationError(f"--from and --to are the same: {read.name}")
        kept = (
            Kept.open(state, read, written, f"{syntax}: {query}; since: {since}") if state else None
        )
        if kept:
            start = kept.date or start
            end = end or _ago(delay)
        wanted = scan.between(scan.clause(query, syntax), start, end)
        work = Work(wanted, batch, limit, create, dry_run, as_json, kept)
        pairs = one_by_one(read, written, suffix) if suffix else [(read, written)]
        failed = sum(_run(source_, target_, work) for source_, target_ in pairs)
    raise typer.Exit(1 if failed else 0)


class Kept:
    """A state, and the file that keeps it."""

    def __init__(self, path: Path, state: ReindexState) -> None:
        self._path = path
        self._state = state

    @classmethod
    def open(cls, path: Path, source: "IndexPlace", target: "IndexPlace", query: str) -> "Kept":
        """The state of a copy. Raises ConfigurationError."""
        return cls(path, load(path, ReindexState(source.name, target.name, query)))

    @property
    def date(self) -> str:
        """Up to when everything is copied; empty at first."""
        return self._state.date

    def reach(self, date: str) -> None:
        """Say that everything up to a date is copied."""
        if date > self._state.date:
            self._state = msgspec.structs.replace(self._state, date=date)
            save(self._path, self._state)


def _urls(options: ReindexOptions) -> tuple[str, str]:
    source, target = (url.get_secret_value() for url in (options.source, options.target))
    if not source or not target:
        raise ConfigurationError("from where to where? --from URL --to URL")
    return source, target


def _run(source: "IndexPlace", target: "IndexPlace", work: Work) -> int:
    """Copy one index; how many documents could not be copied."""
    from indexer.search.elasticsearch.admin import reindex as core  # noqa: PLC0415 - loads the client
    from indexer.search.elasticsearch.scan import ScanTally  # noqa: PLC0415

    name, place = f"{source.name} → {target.name}", {"from": source.name, "to": target.name}
    patience = Patience()
    total = core.count(source, work.query, patience)
    if work.dry_run:
        show({**place, "matching": total}, f"{name}: {total:,} to read", as_json=work.as_json)
        return 0
    core.make_ready(target, create=work.create)
    progress, tally = CopyProgress(min(total, work.limit or total)), ScanTally()
    for tally, date in core.copy(
        source,
        target,
        work.query,
        patience,
        batch=work.batch,
        limit=work.limit,
        by_date=work.state is not None,
    ):
        if work.state:
            work.state.reach(date)
        progress.show(tally)
    show_result(name, place, tally, as_json=work.as_json)
    return tally.failed


def _date(name: str, text: str) -> str | None:
    """A date as the index has it. Raises ConfigurationError."""
    if not text:
        return None
    if found := moment(text):
        return found
    raise ConfigurationError(f"{name}: write a date as 2024-02-29 or 2024-02-29T12:30:00")


def _ago(hours: float) -> str:
    time = datetime.now(UTC) - timedelta(hours=hours)
    return time.replace(tzinfo=None).isoformat(timespec="microseconds")
