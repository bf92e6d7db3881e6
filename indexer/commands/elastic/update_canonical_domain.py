"""`story-indexer elastic-update-canonical-domain`: domains of documents, by today's rules."""

import re
from typing import Annotated, Any

import typer

from indexer.commands.console.terminal import AsJson
from indexer.commands.elastic.elastic import (
    CopyProgress,
    DryRun,
    ElasticOptions,
    IndexUrl,
    QuerySyntax,
    QueryText,
    Syntax,
    given,
    show_result,
)
from indexer.errors import ConfigurationError, Discard
from indexer.system.patience import Patience

_TIME = re.compile(r"[1-9]\d{0,4}(s|m|h)", re.ASCII)


def update_canonical_domain(  # noqa: PLR0913, PLR0917 - the options of a command
    index_url: IndexUrl = "",
    index: Annotated[
        list[str] | None,
        typer.Option(
            metavar="INDEX", help="These indices, not the URL's alias; may be repeated, have a *."
        ),
    ] = None,
    query: QueryText = "",
    syntax: QuerySyntax = Syntax.QUERY_STRING,
    batch: Annotated[int, typer.Option(min=1, max=10_000, help="Documents read at once.")] = 1000,
    buffer: Annotated[int, typer.Option(min=1, help="Documents written at once.")] = 2000,
    keep_alive: Annotated[
        str,
        typer.Option(
            "--keep_alive",
            "--keep-alive",
            metavar="TIME",
            help="How long the server waits for the next page: longer than a write takes.",
        ),
    ] = "5m",
    pause: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Rest after each write.")
    ] = 0.0,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Compute each document's canonical domain from its URL, and change those that differ.

    It reads the index as it is at one moment, and changes nothing else of a document. A document
    whose URL has no domain is skipped. Run it again after an interruption: what is done is
    unchanged then. Status 1 if a document could not be changed.

    Examples:

        story-indexer elastic-update-canonical-domain --dry-run

        story-indexer elastic-update-canonical-domain --query 'canonical_domain:blogspot.com'
    """
    from indexer.search.elasticsearch import scan  # noqa: PLC0415 - loads the client
    from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415

    if not _TIME.fullmatch(keep_alive):
        raise ConfigurationError("--keep_alive: write a time as 90s, 5m or 1h")
    names = scan.checked_names(index) if index else ""
    wanted = scan.clause(query, syntax)
    options = ElasticOptions(**given(index_url=index_url))
    with connected(options.url) as (client, server):
        tally = _update(
            client,
            names or server.alias,
            wanted,
            batch=batch,
            buffer=buffer,
            keep_alive=keep_alive,
            pause=pause,
            dry_run=dry_run,
        )
    name = names or server.alias
    title = f"{name} (dry run)" if dry_run else name
    show_result(title, {"index": name, "dry_run": dry_run}, tally, as_json=as_json)
    raise typer.Exit(1 if tally.failed else 0)


def _update(client: Any, index: str, wanted: dict[str, Any], **options: Any) -> Any:
    """Change the domains, and say how far it has come; what came of it."""
    from indexer.search.elasticsearch.admin.domains import DomainUpdate  # noqa: PLC0415 - loads the client

    domains = DomainUpdate(client, index, _domain, Patience())
    progress = CopyProgress(int(client.count(index=index, query=wanted)["count"]))
    for tally in domains.update(wanted, **options):
        progress.show(tally)
    return domains.tally


def _domain(url: str) -> str:
    from indexer.news.canonical_domains import canonical_domain  # noqa: PLC0415 - loads the library

    try:
        return canonical_domain(url) if url else ""
    except Discard:
        return ""
