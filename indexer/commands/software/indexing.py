"""`story-indexer software head` and `index`: the stages of the pipeline, without queues."""

from typing import Annotated, TypeAlias

import typer

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.software.archives.archive_options import SourceArchiveOptions
from indexer.software.searching.options import SoftwareIndexOptions
from indexer.software.store.options import SoftwareDatabaseOptions
from indexer.system.options import group, option

OriginNames: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="ORIGIN",
        help="Repositories, directories, tarballs, https:// URLs of repositories, lists of them, "
        "or lines of JSON; with --source-archive also URLs of origins.",
    ),
]


class HeadOptions(JSONOptions):
    """Options of `head`."""

    archives: SourceArchiveOptions = group(SourceArchiveOptions)
    source_archive: str = option(
        "", "Archive with the objects of the origins, such as lines of JSON.", "SOFTWARE_ARCHIVE"
    )


class IndexOriginsOptions(SoftwareIndexOptions, SoftwareDatabaseOptions):
    """Options of `index`."""

    reading: HeadOptions = group(HeadOptions)


@with_options
def head(origins: OriginNames, options: HeadOptions) -> None:
    """Show the head of each origin: its root directory, and the rule that chose it.

    The columns are: origin, SWHID of the head, SWHID of the root directory, branch, reason. Nothing
    is stored.

    Exit status: 1 if an archive could not be read, else 0.

    Examples:

        story-indexer software head ~/projects/thing

        story-indexer software head https://example.org/p --source-archive archive.jsonl
    """
    from indexer.commands.software.origin_stages import show_heads  # noqa: PLC0415 - not for help

    raise typer.Exit(1 if show_heads(origins, options) else 0)


@with_options
def index(origins: OriginNames, options: IndexOriginsOptions) -> None:
    """Index origins: store the metadata of their heads, and make it searchable.

    The columns are: origin, status, reason. Only rows that differ from the stored ones are written.
    Statuses: indexed, unchanged, removed (the origin has lost its metadata), no-metadata, no-head,
    unknown-origin, bad-archive; refused, oversized, clone-failed (of URLs); and those of raw
    metadata. `story-indexer run --type software` does the same through queues.

    Exit status: 1 if an archive could not be read, else 0.

    Examples:

        story-indexer software index ~/projects/* thing-1.2.tar.gz

        story-indexer software index visits.jsonl --source-archive archive.jsonl
    """
    from indexer.commands.software.origin_stages import index_all  # noqa: PLC0415 - see above

    raise typer.Exit(1 if index_all(origins, options) else 0)
