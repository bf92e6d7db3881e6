"""`story-indexer elastic-update-canonical-domain`: apply the current rules to all documents."""

import re
from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.elastic.elastic import (
    CopyProgress,
    ElasticOptions,
    ScanOptions,
    show_result,
)
from indexer.errors import ConfigurationError, Discard
from indexer.system.options import option
from indexer.system.patience import Patience

_TIME = re.compile(r"[1-9]\d{0,4}(s|m|h)", re.ASCII)


class DomainOptions(ElasticOptions, ScanOptions, JSONOptions):
    """Options of `elastic-update-canonical-domain`."""

    index: list[str] = option(
        [], "Read this index, not the URL's alias; repeatable, may have a *.", metavar="INDEX"
    )
    buffer: Annotated[int, Field(ge=1)] = option(2000, "Documents written at once.")
    pause: Annotated[float, Field(ge=0)] = option(0.0, "Pause after each write.", metavar="SECONDS")


@with_options
def update_canonical_domain(
    options: DomainOptions,
    keep_alive: Annotated[
        str,
        typer.Option(
            "--keep_alive",
            "--keep-alive",
            metavar="TIME",
            help="How long the server keeps the search open: longer than a write takes.",
        ),
    ] = "5m",
) -> None:
    """Compute each document's canonical domain from its URL, and change those that differ.

    Reads a snapshot of the index, and changes no other field. A document whose URL has no domain is
    skipped. After an interruption, run it again: documents that were changed count as unchanged.
    Status 1 if a document could not be changed.

    Examples:

        story-indexer elastic-update-canonical-domain --dry-run

        story-indexer elastic-update-canonical-domain --query 'canonical_domain:blogspot.com'
    """
    from indexer.search.elasticsearch import scan  # noqa: PLC0415 - loads the client
    from indexer.search.elasticsearch.admin.domains import DomainUpdate  # noqa: PLC0415
    from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415

    if not _TIME.fullmatch(keep_alive):
        raise ConfigurationError("--keep_alive: write a time as 90s, 5m or 1h")
    names = scan.checked_names(options.index) if options.index else ""
    wanted = scan.clause(options.query, options.type)
    with connected(options.url) as (client, server):
        name = names or server.alias
        domains = DomainUpdate(client, name, ("url", "canonical_domain"), _domain, Patience())
        progress = CopyProgress(int(client.count(index=name, query=wanted)["count"]))
        for tally in domains.update(
            wanted,
            batch=options.batch,
            buffer=options.buffer,
            keep_alive=keep_alive,
            pause=options.pause,
            dry_run=options.dry_run,
        ):
            progress.show(tally)
    title = f"{name} (dry run)" if options.dry_run else name
    fields = {"index": name, "dry_run": options.dry_run}
    show_result(title, fields, domains.tally, as_json=options.json_)
    raise typer.Exit(1 if domains.tally.failed else 0)


def _domain(url: str) -> str:
    from indexer.news.canonical_domains import canonical_domain  # noqa: PLC0415 - loads the library

    try:
        return canonical_domain(url) if url else ""
    except Discard:
        return ""
