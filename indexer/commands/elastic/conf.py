"""`elastic-conf`: prepare an Elasticsearch for stories, and do the work of its policies."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import Field
from typer.core import TyperGroup

from indexer.commands.console.entering import enter
from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.elastic.elastic import ElasticOptions, show
from indexer.errors import ConfigurationError
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.system.options import Options, option
from indexer.system.patience import Patience

if TYPE_CHECKING:
    from indexer.search.elasticsearch.admin.snapshots import Repository, Snapshots

PROGRAM = "elastic-conf"

MAX_DOCS = 200_000_000

SETTINGS = {"fs": ("location",), "s3": ("bucket", "endpoint")}
"""The settings of each type of repository; one of them is needed."""


class SizeOptions(Options):
    """The option of commands that roll an index over."""

    ilm_max_shard_size: str = option(
        "",
        "Roll over at this size of a primary shard, like 50gb; default: only by documents",
        "ELASTICSEARCH_ILM_MAX_SHARD_SIZE",
        metavar="SIZE",
    )


class RepositoryOptions(Options):
    """The option of commands that take snapshots."""

    es_snapshot_repo: str = option(
        "", "The snapshot repository", "ELASTICSEARCH_SNAPSHOT_REPO", metavar="NAME"
    )


class ConfOptions(ElasticOptions, SizeOptions, RepositoryOptions, JSONOptions):
    """Options of `elastic-conf configure` (stories.md 8)."""

    shards: Annotated[int | None, Field(ge=1)] = option(
        None, "Shards of a new index", "ELASTICSEARCH_SHARD_COUNT"
    )
    replicas: Annotated[int | None, Field(ge=0)] = option(
        None, "Copies of each shard", "ELASTICSEARCH_SHARD_REPLICAS"
    )
    es_snapshot_repo_type: str = option(
        "",
        "The type of the snapshot repository",
        "ELASTICSEARCH_SNAPSHOT_REPO_TYPE",
        metavar="fs|s3",
    )
    location: str = option(
        "",
        "For fs: a directory that all nodes share",
        "ELASTICSEARCH_SNAPSHOT_REPO_SETTINGS_LOCATION",
        metavar="PATH",
    )
    bucket: str = option(
        "", "For s3", "ELASTICSEARCH_SNAPSHOT_REPO_SETTINGS_BUCKET", metavar="NAME"
    )
    endpoint: str = option(
        "",
        "For s3 that is not Amazon's",
        "ELASTICSEARCH_SNAPSHOT_REPO_SETTINGS_ENDPOINT",
        metavar="HOST",
    )


class RolloverOptions(ElasticOptions, SizeOptions, JSONOptions):
    """Options of `elastic-conf rollover`."""

    max_docs: Annotated[int, Field(ge=1)] = option(MAX_DOCS, "Roll over at so many documents.")
    dry_run: bool = option(False, "Only show what would be done.")


class SnapshotOptions(ElasticOptions, RepositoryOptions, JSONOptions):
    """Options of `elastic-conf snapshot`."""

    wait: Annotated[float, Field(ge=0)] = option(
        12.0, "Longest time to wait until the snapshot is complete.", metavar="HOURS"
    )


class _Configures(TyperGroup):
    """Runs `configure` if no command is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] not in ("-h", "--help")):
            args = ["configure", *args]
        return super().parse_args(ctx, args)


app = new_app(
    """Prepare an Elasticsearch for stories. Without a command: `configure`.

    Examples:

        elastic-conf --index-url http://localhost:9200 --shards 2 --replicas 0

        elastic-conf rollover --dry-run

        elastic-conf snapshot --es-snapshot-repo backups
    """,
    cls=_Configures,
)


@app.command()
@with_options
def configure(options: ConfOptions) -> None:
    """Create what is missing: template, policies, first index and alias, snapshot repository.

    Changes only settings that differ, so it may run at every deployment. Settings without an option
    are kept. Prints a line for each part; status 1 if one failed.

    Examples:

        elastic-conf configure --index-url http://localhost:9200/mc_search --shards 2

        elastic-conf --es-snapshot-repo backups --es-snapshot-repo-type s3 --bucket snapshots
    """
    from indexer.search.elasticsearch.admin import conf  # noqa: PLC0415 - slow
    from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415

    _check_size(options.ilm_max_shard_size)
    size, repository = options.ilm_max_shard_size, _repository(options)
    wanted = conf.WantedSetup(options.shards, options.replicas, size, repository)
    failed = False
    with connected(options.url) as (client, server):
        for part in conf.Configuration(client, server, STORY_FIELDS, wanted).parts():
            why = f": {part.why}" if part.why else ""
            line = f"{part.part} {part.name}: {part.change}{why}"
            show(part._asdict(), line, as_json=options.json_)
            failed |= part.change is conf.SetupChange.FAILED
    raise typer.Exit(1 if failed else 0)


@app.command()
@with_options
def rollover(options: RolloverOptions) -> None:
    """Start a new index if the current one is full, as a lifecycle policy would.

    For servers without lifecycle policies (ILM): schedule it, every ten minutes or so.

    Examples:

        elastic-conf rollover --ilm-max-shard-size 50gb

        elastic-conf rollover --dry-run
    """
    from indexer.search.elasticsearch.admin.policies import rollover_conditions  # noqa: PLC0415 - slow
    from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415

    _check_size(options.ilm_max_shard_size)
    conditions = rollover_conditions(options.max_docs, options.ilm_max_shard_size)
    with connected(options.url) as (client, server):
        # No retry: a request whose answer was lost may have rolled the index over.
        once = client.options(max_retries=0).indices
        answer = once.rollover(alias=server.alias, conditions=conditions, dry_run=options.dry_run)
    met = [name for name, is_met in answer["conditions"].items() if is_met]
    fields = {
        "rolled_over": answer["rolled_over"],
        "old": answer["old_index"],
        "new": answer["new_index"],
        "met": met,
        "dry_run": options.dry_run,
    }
    show(fields, _rollover_line(fields), as_json=options.json_)


@app.command()
@with_options
def snapshot(options: SnapshotOptions) -> None:
    """Take a snapshot, and delete the oldest ones, as a snapshot policy would.

    For servers without snapshot policies (SLM): schedule it, as on the 1st and 15th. The newest 10
    successful snapshots are kept. Status 1 if the new one is not complete in the time to wait.

    Examples:

        elastic-conf snapshot --es-snapshot-repo backups

        elastic-conf snapshot --es-snapshot-repo backups --wait 0.5 --json
    """
    if not options.es_snapshot_repo:
        raise ConfigurationError("no snapshot repository: give --es-snapshot-repo")
    from indexer.search.elasticsearch.admin.snapshots import Snapshots  # noqa: PLC0415 - slow
    from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415

    with connected(options.url) as (client, server):
        snapshots = Snapshots(client, server.alias, options.es_snapshot_repo, Patience())
        is_done = _take(snapshots, options.wait * 3600, as_json=options.json_)
    raise typer.Exit(0 if is_done else 1)


def _check_size(text: str) -> None:
    from indexer.search.elasticsearch.admin.policies import size_in_bytes  # noqa: PLC0415 - slow

    if text:
        size_in_bytes(text)


def _repository(options: ConfOptions) -> "Repository | None":
    from indexer.search.elasticsearch.admin.snapshots import Repository  # noqa: PLC0415 - slow

    kind = options.es_snapshot_repo_type
    if not options.es_snapshot_repo:
        return None
    names = SETTINGS.get(kind)
    if not names:
        raise ConfigurationError(f"--es-snapshot-repo-type: {' or '.join(SETTINGS)}, not {kind!r}")
    settings = {name: value for name in names if (value := getattr(options, name))}
    if not settings:
        needed = " or ".join(f"--{name}" for name in names)
        raise ConfigurationError(f"a repository of type {kind} needs {needed}")
    return Repository(options.es_snapshot_repo, kind, settings)


def _rollover_line(fields: dict[str, Any]) -> str:
    if not fields["met"]:
        return f"{fields['old']} is not full: nothing to do"
    verb = "rolled over" if fields["rolled_over"] else "would roll over"
    return f"{fields['old']} {verb} to {fields['new']}: {', '.join(fields['met'])}"


def _take(snapshots: "Snapshots", seconds: float, *, as_json: bool) -> bool:
    """Take a snapshot, and delete old ones. Return whether all succeeded."""
    name = snapshots.start(datetime.now(UTC))
    taken = snapshots.finished(name, seconds)
    good = taken.state == "SUCCESS"
    fields: dict[str, Any] = {"snapshot": name, "state": taken.state, "why": taken.why}
    why = f": {taken.why}" if taken.why else ""
    show(fields, f"{name} {taken.state.lower()}{why}", as_json=as_json)
    if not good:
        return False
    deleted, kept = snapshots.expire()
    for old in deleted:
        show({"snapshot": old, "state": "DELETED", "why": ""}, f"{old} deleted", as_json=as_json)
    for old, why in kept.items():
        fields = {"snapshot": old, "state": "NOT_DELETED", "why": why}
        show(fields, f"{old} not deleted: {why}", as_json=as_json)
    return not kept


def main() -> None:
    """Be the `elastic-conf` program."""
    enter(app, PROGRAM)


if __name__ == "__main__":
    main()
