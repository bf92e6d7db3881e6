"""`story-indexer archives`: list the stories of archives, find stories, verify archives."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.archives import erase
from indexer.commands.archives.archives_options import ArchivesOptions
from indexer.commands.archives.files import FILES, OUR_ARCHIVES, SomeFiles
from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.system.options import option

app = new_app(
    """Work on all archives of stories: list, find, verify; and erase stories from the index.

    Examples:

        story-indexer archives list 's3://my-bucket/2024/05/*' -o may.txt

        story-indexer archives find https://site.example/news/1 --in data/archive

        story-indexer archives verify data/archive --report verified.jsonl
    """
)
app.command()(erase.erase)


class ListURLsOptions(ArchivesOptions, JSONOptions):
    """Options of `archives list`."""

    output: Path | None = option(
        None, "Write to this file, whole or not at all.", short="o", metavar="FILE"
    )
    names: bool = option(False, "List the names of the archives, not their stories.", short="w")


@app.command("list")
@with_options
def list_urls(options: ListURLsOptions, files: SomeFiles = None) -> None:
    """List the URLs of the stories in archives, one a line, or the archives themselves.

    These are the URLs of the index, so the list fits `archives erase`. Damaged records are reported
    on standard error, and the others listed. Exit status: 0 if everything could be read.

    Examples:

        story-indexer archives list 's3://my-bucket/2024/05/*' -o may.txt

        story-indexer archives list --names --data /srv/news

        story-indexer archives list --json data/archive | jq -r .archive | uniq -c
    """
    from indexer.commands.archives import all_archives  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if all_archives.print_urls(files, options) else 1)


class FindOptions(ArchivesOptions, JSONOptions):
    """Options of `archives find`."""

    in_: list[str] = option([], f"{FILES} Repeatable. {OUR_ARCHIVES}", metavar="FILE")
    urls_from: Path | None = option(None, "A file with one URL a line.", metavar="FILE")


@app.command()
@with_options
def find(
    options: FindOptions,
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL", help="The URLs of stories.")
    ] = None,
) -> None:
    """Find the archives that hold stories: print archive, record number, date and URL of each.

    A story is found by its final URL, by the link that led to it, and by every URL with the same
    document id. All URLs are searched in one pass over the archives.

    Exit status: 0 if all were found and all archives could be read, else 1; URLs that were not
    found are printed on standard error.

    Examples:

        story-indexer archives find https://site.example/news/1 --in data/archive

        story-indexer archives find --urls-from take-down.txt --in 's3://my-bucket/2024/*' --json
    """
    from indexer.commands.archives import all_archives  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if all_archives.are_found(urls or [], options) else 1)


class VerifyOptions(ArchivesOptions, JSONOptions):
    """Options of `archives verify`."""

    report: Path | None = option(
        None,
        "Append the result of each archive to this file, as a line of JSON. Archives that were "
        "sound, and have not changed since, are not read again.",
        metavar="FILE",
    )
    jobs: Annotated[int, Field(ge=1, le=64)] = option(2, "Archives read at a time.", short="j")


@app.command("verify")
@with_options
def verify_all(options: VerifyOptions, files: SomeFiles = None) -> None:
    """Verify that archives are sound: compression, order, lengths, digests and metadata.

    Prints the archives that are not sound, and a summary; with --json a line for each archive, and
    the summary last. A note, which is no fault, names archives that are not in the folder
    YYYY/MM/DD of their date.

    Exit status: 0 only if all archives are sound.

    Examples:

        story-indexer archives verify 's3://my-bucket/*' --report verified.jsonl --jobs 4

        story-indexer archives verify data/archive --json | jq 'select(.sound == false)'
    """
    from indexer.commands.archives import all_archives  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if all_archives.are_sound(files, options) else 1)
