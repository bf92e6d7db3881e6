"""`story-indexer warc`: list and show the stories of archives, verify and index archives."""

from typing import Annotated

import typer

from indexer.commands.archives import indexing
from indexer.commands.archives.files import Files
from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.system.options import Options, option

app = new_app(
    """Read archives of stories: list and show stories, verify archives, index them for replay.

    Examples:

        story-indexer warc list data/archive

        story-indexer warc show mc-20240501120000-1-host.warc.gz --record 14

        story-indexer warc verify data/archive

        story-indexer warc index data/archive
    """
)
app.command()(indexing.index)


@app.command("list")
@with_options
def list_stories(files: Files, options: JSONOptions) -> None:
    """List the stories of archives: record number, date, language, bytes, URL and title.

    Damaged or missing archives are reported on standard error, and the others listed. Exit status:
    0 if everything could be read.

    Examples:

        story-indexer warc list data/archive

        story-indexer warc list --json s3://my-bucket/2024/05/ | jq -r .url
    """
    from indexer.commands.archives import archived_stories  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if archived_stories.print_list(files, options) else 1)


class ShowStoryOptions(Options):
    """Options of `warc show`."""

    url: str = option("", "Show the story of this URL.", metavar="URL")
    record: int = option(0, "Show the story of this record number.")
    html: bool = option(False, "Print the page, byte for byte as it was received.")


@app.command()
@with_options
def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A WARC file, or s3://BUCKET/KEY.")],
    options: ShowStoryOptions,
) -> None:
    """Show a story: its metadata as JSON, or its page. Without --url or --record: the first.

    Examples:

        story-indexer warc show mc-20240501120000-1-host.warc.gz --record 14

        story-indexer warc show archive.warc.gz --url https://site.example/news/1 --html > page.html
    """
    from indexer.commands.archives import archived_stories  # noqa: PLC0415 - not for the help

    archived_stories.show(file, options)


@app.command("verify")
def verify_files(files: Files) -> None:
    """Verify that archives are sound: compression, order, lengths, digests and metadata.

    The exit status is 0 only if all are.

    Examples:

        story-indexer warc verify data/archive

        story-indexer warc verify mc-20240501120000-1-host.warc.gz
    """
    from indexer.commands.archives import archived_stories  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if archived_stories.are_sound(files) else 1)
