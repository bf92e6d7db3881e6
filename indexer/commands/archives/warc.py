"""`story-indexer warc`: list and show the stories of archives, verify and index archives."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.status import Status

from indexer.commands.archives import indexing
from indexer.commands.archives.files import Files
from indexer.commands.archives.reading import ArchiveReading
from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import cell, line_of_json, lines_of_json, say_empty
from indexer.errors import InputError
from indexer.inputs.inputs import Input
from indexer.stories.archiving.archives import opened
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.system.options import Options, option

if TYPE_CHECKING:
    from indexer.stories.archiving.story_archive_verifier import Verdict

TITLE_LENGTH = 80
PROGRESS_RECORDS = 500

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
    reading = ArchiveReading(files)
    if not options.json_:
        print(_row("RECORD", "DATE", "LANG", "BYTES", "URL", "TITLE"))
    empty = True
    for archive, story in reading.each(read_stories):
        empty = False
        print(_line_of_json(archive.name, story) if options.json_ else _line(story))
    if empty and reading.whole:
        say_empty("no stories")
    raise typer.Exit(0 if reading.whole else 1)


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
    for _, story in ArchiveReading([file]).each(read_stories):
        if _is_wanted(story, options.url, options.record):
            _show(story, html=options.html)
            return
    raise InputError(f"{file}: no such story")


@app.command("verify")
def verify_files(files: Files) -> None:
    """Verify that archives are sound: compression, order, lengths, digests and metadata.

    The exit status is 0 only if all are.

    Examples:

        story-indexer warc verify data/archive

        story-indexer warc verify mc-20240501120000-1-host.warc.gz
    """
    console = Console(stderr=True)
    reading = ArchiveReading(files)
    sound = reading.whole
    for each in reading.archives:
        with console.status(cell(each.name)) as status:
            try:
                verdict = _verify(each, status)
            except InputError as error:
                print(f"can't be read: {cell(str(error))}")
                sound = False
                continue
        _print_verdict(cell(each.name, 5000), verdict)
        sound = sound and verdict.sound
    raise typer.Exit(0 if sound else 1)


def _verify(each: Input, status: Status) -> "Verdict":
    from indexer.stories.archiving.story_archive_verifier import verify  # noqa: PLC0415 - slow

    records = 0

    def seen(offset: int) -> None:
        nonlocal records
        records += 1
        if records % PROGRESS_RECORDS == 0:
            status.update(f"{cell(each.name)}: {records} records, {offset / 1e6:.0f} MB")

    with opened(each) as file:
        return verify(file, seen)


def _print_verdict(name: str, verdict: "Verdict") -> None:
    contents = f"{verdict.stories} stories in {verdict.records} records"
    if verdict.sound:
        print(f"{name}: sound, {contents}")
        return
    number = verdict.count
    print(f"{name}: NOT SOUND, {number} fault{'s' if number > 1 else ''}, {contents}")
    for fault in verdict.faults:
        print(f"  {cell(str(fault))}")
    if more := number - len(verdict.faults):
        print(f"  and {more} more")


def _is_wanted(story: ArchivedStory, url: str, record: int) -> bool:
    if record:
        # A story has two records, the page and its metadata: either number selects it.
        return record in (story.number, story.number + 1)
    return not url or url in (story.uri, story.story.url, story.story.label)


def _show(story: ArchivedStory, *, html: bool) -> None:
    if html:
        # Bytes, not text: the page has an encoding of its own.
        sys.stdout.buffer.write(story.story.raw_html.html or b"")
        sys.stdout.buffer.flush()
        return
    print(lines_of_json(story.metadata))


def _line(story: ArchivedStory) -> str:
    content = story.story.content_metadata
    return _row(
        str(story.number),
        cell(story.date),
        cell(content.language or "-", 5),
        str(len(story.story.raw_html.html or b"")),
        cell(story.uri or "-"),
        cell(content.article_title or "", TITLE_LENGTH),
    )


def _row(*cells: str) -> str:
    number, date, language, size, url, title = cells
    return f"{number:>6}  {date:<20}  {language:<4}  {size:>8}  {url}  {title}".rstrip()


def _line_of_json(name: str, story: ArchivedStory) -> str:
    content = story.story.content_metadata
    values: dict[str, Any] = {
        "file": name,
        "record": story.number,
        "offset": story.offset,
        "url": story.uri,
        "date": story.date,
        "title": content.article_title,
        "language": content.language,
        "publication_date": content.publication_date,
        "domain": content.canonical_domain,
        "bytes": len(story.story.raw_html.html or b""),
    }
    return line_of_json(values)
