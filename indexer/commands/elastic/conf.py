"""`elastic-conf`: what an Elasticsearch needs to be the index, and what its policies would do."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from indexer.commands.console.entry import enter
from indexer.commands.console.terminal import AsJson
from indexer.commands.elastic.elastic import ElasticOptions, IndexUrl, given, show
from indexer.errors import ConfigurationError
from indexer.system.options import option

if TYPE_CHECKING:
    from indexer.search.elasticsearch.admin.conf import WantedSetup
    from indexer.search.elasticsearch.admin.snapshots import Repository, Snapshots

PROGRAM = "elastic-conf"

MAX_DOCS = 200_000_000

SETTINGS = {"fs": ("location",), "s3": ("bucket", "endpoint")}
"""What each type of repository is told; one of them is needed."""


class ConfOptions(ElasticOptions):
    """What an operator decides (stories.md 8)."""

    shards: int | None = option(None, "shards of an index", "ELASTICSEARCH_SHARD_COUNT")
    replicas: int | None = option(None, "copies of each shard", "ELASTICSEARCH_SHARD_REPLICAS")
    max_shard_size: str = option("", "roll over at", "ELASTICSEARCH_ILM_MAX_SHARD_SIZE")
    repository: str = option("", "its name", "ELASTICSEARCH_SNAPSHOT_REPO")
    type: str = option("", "fs or s3", "ELASTICSEARCH_SNAPSHOT_REPO_TYPE")
    location: str = option("", "of fs", "ELASTICSEARCH_SNAPSHOT_REPO_SETTINGS_LOCATION")
    bucket: str = option("", "of s3", "ELASTICSEARCH_SNAPSHOT_REPO_SETTINGS_BUCKET")
    endpoint: str = option("", "of s3", "ELASTICSEARCH_SNAPSHOT_REPO_SETTINGS_ENDPOINT")


class _Configures(TyperGroup):
    """Without a command, `configure` is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] != "--help"):
            args = ["configure", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_Configures,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Prepare an Elasticsearch for stories. Without a command: `configure`.

    Examples:

        elastic-conf --index-url http://localhost:9200 --shards 2 --replicas 0

        elastic-conf rollover --dry-run

        elastic-conf snapshot --es-snapshot-repo backups
    """,
)

ShardSize = Annotated[
    str,
    typer.Option(
        "--ilm-max-shard-size",
        metavar="SIZE",
        help="Roll over at this size of a primary shard, like 50gb; else only by documents.",
        show_default=False,
    ),
]
RepositoryName = Annotated[
    str,
    typer.Option(
        "--es-snapshot-repo",
        metavar="NAME",
        help="The snapshot repository.",
        show_default=False,
    ),
]


@app.command()
def configure(  # noqa: PLR0913, PLR0917 - the options of a command
    index_url: IndexUrl = "",
    shards: Annotated[int | None, typer.Option(help="Shards of a new index.")] = None,
    replicas: Annotated[int | None, typer.Option(help="Copies of each shard.")] = None,
    max_shard_size: ShardSize = "",
    repository: RepositoryName = "",
    type: Annotated[
        str,
        typer.Option("--es-snapshot-repo-type", metavar="fs|s3", help="Its type."),
    ] = "",
    location: Annotated[
        str, typer.Option(metavar="PATH", help="Of fs: a directory that all nodes share.")
    ] = "",
    bucket: Annotated[str, typer.Option(metavar="NAME", help="Of s3.")] = "",
    endpoint: Annotated[
        str, typer.Option(metavar="HOST", help="Of s3, where it is not Amazon's.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Make what is missing: template, policies, first index and alias, snapshot repository.

    Nothing is changed that is as it should be: run it at every deploy. What isn't given stays as
    it is. A line tells what became of each part; status 1 if one failed.

    Options are read from the environment too: ELASTICSEARCH_SHARD_COUNT, _SHARD_REPLICAS,
    _ILM_MAX_SHARD_SIZE, _SNAPSHOT_REPO, _SNAPSHOT_REPO_TYPE, _SNAPSHOT_REPO_SETTINGS_LOCATION,
    _BUCKET and _ENDPOINT.

    Examples:

        elastic-conf configure --index-url http://localhost:9200/mc_search --shards 2

        elastic-conf --es-snapshot-repo backups --es-snapshot-repo-type s3 --bucket snapshots
    """
    options = _options(
        index_url=index_url,
        shards=shards,
        replicas=replicas,
        max_shard_size=max_shard_size,
        repository=repository,
        type=type,
        location=location,
        bucket=bucket,
        endpoint=endpoint,
    )
    failed = _configure(options, _wanted(options), as_json=as_json)
    raise typer.Exit(1 if failed else 0)


@app.command()
def rollover(
    index_url: IndexUrl = "",
    max_docs: Annotated[
        int, typer.Option(min=1, help="Roll over at so many documents.")
    ] = MAX_DOCS,
    max_shard_size: ShardSize = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be.")] = False,
    as_json: AsJson = False,
) -> None:
    """Begin a new index if the one written to is full, as a lifecycle policy would.

    For servers without lifecycle policies (ILM): run it by schedule, every ten minutes or so.

    Examples:

        elastic-conf rollover --ilm-max-shard-size 50gb

        elastic-conf rollover --dry-run
    """
    from indexer.search.elasticsearch.admin.policies import rollover_conditions  # noqa: PLC0415 - slow
    from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415

    options = _options(index_url=index_url, max_shard_size=max_shard_size)
    _check_size(options.max_shard_size)
    conditions = rollover_conditions(max_docs, options.max_shard_size)
    with connected(options.url) as (client, server):
        # A rollover that is asked for twice may be done twice.
        once = client.options(max_retries=0).indices
        answer = once.rollover(alias=server.alias, conditions=conditions, dry_run=dry_run)
    met = [name for name, is_met in answer["conditions"].items() if is_met]
    fields = {
        "rolled_over": answer["rolled_over"],
        "old": answer["old_index"],
        "new": answer["new_index"],
        "met": met,
        "dry_run": dry_run,
    }
    show(fields, _rollover_line(fields), as_json=as_json)


@app.command()
def snapshot(
    index_url: IndexUrl = "",
    repository: RepositoryName = "",
    wait: Annotated[
        float,
        typer.Option(metavar="HOURS", min=0, help="How long to wait until it is complete."),
    ] = 12.0,
    as_json: AsJson = False,
) -> None:
    """Take a snapshot, and delete the oldest ones, as a snapshot policy would.

    For servers without snapshot policies (SLM): run it by schedule, as on the 1st and 15th. The
    newest 10 that succeeded are kept. Status 1 if it is not complete after the time to wait.

    Examples:

        elastic-conf snapshot --es-snapshot-repo backups

        elastic-conf snapshot --es-snapshot-repo backups --wait 0.5 --json
    """
    options = _options(index_url=index_url, repository=repository)
    if not options.repository:
        raise ConfigurationError("which snapshot repository? --es-snapshot-repo")
    with _snapshots(options) as snapshots:
        is_done = _take(snapshots, wait * 3600, as_json=as_json)
    raise typer.Exit(0 if is_done else 1)


def _options(**values: Any) -> ConfOptions:
    try:
        options = ConfOptions(**given(**values))
    except ValidationError as error:
        name = error.errors(include_input=False)[0]["loc"][0]
        raise ConfigurationError(f"{name}: this is no number") from None
    if options.shards is not None and options.shards < 1:
        raise ConfigurationError("--shards: at least 1")
    if options.replicas is not None and options.replicas < 0:
        raise ConfigurationError("--replicas: 0 or more")
    return options


def _wanted(options: ConfOptions) -> "WantedSetup":
    from indexer.search.elasticsearch.admin.conf import WantedSetup  # noqa: PLC0415 - slow

    _check_size(options.max_shard_size)
    return WantedSetup(
        options.shards, options.replicas, options.max_shard_size, _repository(options)
    )


def _check_size(text: str) -> None:
    from indexer.search.elasticsearch.admin.policies import size_in_bytes  # noqa: PLC0415 - slow

    if text:
        size_in_bytes(text)


def _repository(options: ConfOptions) -> "Repository | None":
    from indexer.search.elasticsearch.admin.snapshots import Repository  # noqa: PLC0415 - slow

    if not options.repository:
        return None
    names = SETTINGS.get(options.type)
    if not names:
        raise ConfigurationError(
            f"--es-snapshot-repo-type: {' or '.join(SETTINGS)}, not {options.type!r}"
        )
    settings = {name: value for name in names if (value := getattr(options, name))}
    if not settings:
        needed = " or ".join(f"--{name}" for name in names)
        raise ConfigurationError(f"a repository of type {options.type} needs {needed}")
    return Repository(options.repository, options.type, settings)


def _configure(options: ConfOptions, wanted: "WantedSetup", *, as_json: bool) -> bool:
    """Whether a part failed."""
    from indexer.search.elasticsearch.admin.conf import Configuration, SetupChange  # noqa: PLC0415 - slow
    from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415

    failed = False
    with connected(options.url) as (client, server):
        for part in Configuration(client, server, wanted).parts():
            why = f": {part.why}" if part.why else ""
            line = f"{part.part} {part.name}: {part.change}{why}"
            show(part._asdict(), line, as_json=as_json)
            failed |= part.change is SetupChange.FAILED
    return failed


def _rollover_line(fields: dict[str, Any]) -> str:
    if not fields["met"]:
        return f"{fields['old']} is not full: nothing to do"
    verb = "rolled over" if fields["rolled_over"] else "would roll over"
    return f"{fields['old']} {verb} to {fields['new']}: {', '.join(fields['met'])}"


@contextmanager
def _snapshots(options: ConfOptions) -> "Iterator[Snapshots]":
    from indexer.search.elasticsearch.admin.snapshots import Snapshots  # noqa: PLC0415
    from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415 - slow
    from indexer.system.patience import Patience  # noqa: PLC0415

    with connected(options.url) as (client, server):
        yield Snapshots(client, server.alias, options.repository, Patience())


def _take(snapshots: "Snapshots", seconds: float, *, as_json: bool) -> bool:
    """Take a snapshot, and delete old ones; whether all went well."""
    name = snapshots.start(datetime.now(UTC))
    taken = snapshots.finished(name, seconds)
    good = taken.state == "SUCCESS"
    fields: dict[str, Any] = {"snapshot": name, "state": taken.state, "why": taken.why}
    show(fields, _snapshot_line(fields), as_json=as_json)
    if not good:
        return False
    deleted, kept = snapshots.expire()
    for old in deleted:
        show({"snapshot": old, "state": "DELETED", "why": ""}, f"{old} deleted", as_json=as_json)
    for old, why in kept.items():
        fields = {"snapshot": old, "state": "NOT_DELETED", "why": why}
        show(fields, f"{old} not deleted: {why}", as_json=as_json)
    return not kept


def _snapshot_line(fields: dict[str, Any]) -> str:
    why = f": {fields['why']}" if fields["why"] else ""
    return f"{fields['snapshot']} {fields['state'].lower()}{why}"


def main() -> None:
    """Be the `elastic-conf` program."""
    enter(app, PROGRAM)


if __name__ == "__main__":
    main()
