"""`story-indexer archives`: what is in all archives, which has a story, whether they are sound."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TextIO

import msgspec
import typer
from rich.console import Console

from indexer.commands.archives import erase
from indexer.commands.console.reading import ArchiveReading
from indexer.commands.console.terminal import AsJson, cell, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.console.writing import written
from indexer.files.journal import journal
from indexer.inputs.inputs import Input
from indexer.stories.archiving.auditing import Audited, AuditTally, audited, sound_before
from indexer.stories.archiving.finding import Finder, Found, document_url
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.queuers.url_lists import ListedURL, listed, read_urls
from indexer.system.logs import route_structlog

app = typer.Typer(
    help="""All archives of stories: list, find, verify; and erase stories from the index.

    Examples:

        story-indexer archives list 's3://my-bucket/2024/05/*' -o may.txt

        story-indexer archives find https://site.example/news/1 --in data/archive

        story-indexer archives verify data/archive --report verified.jsonl
    """,
    no_args_is_help=True,
    rich_markup_mode="markdown",
)
app.command()(erase.erase)

WHAT = "WARC files, directories of them, s3://BUCKET/PREFIX*, or @FILE with one a line."
Files = Annotated[list[str], typer.Argument(metavar="FILE...", help=WHAT)]


@app.callback()
def _start() -> None:
    # What is logged on the way is no output.
    route_structlog()


@app.command("list")
def list_urls(
    files: Files,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write there, whole or not at all."),
    ] = None,
    names: Annotated[
        bool, typer.Option("--names", "-w", help="The archives' names, not what is in them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the URLs of the stories in archives, one a line, or the archives themselves.

    They are the URLs that the stories are indexed by, so the list is one for `archives erase`. What
    is damaged is told on standard error, and the rest listed. Exit status: 0 if all could be read.

    Examples:

        story-indexer archives list 's3://my-bucket/2024/05/*' -o may.txt

        story-indexer archives list --names data/archive

        story-indexer archives list --json data/archive | jq -r .archive | uniq -c
    """
    reading = ArchiveReading(files)
    with written(output) as out:
        if names:
            for each in reading.archives:
                print(_json(archive=each.name) if as_json else cell(each.name, 5000), file=out)
            raise typer.Exit(0 if reading.whole else 1)
        # To whom sees the URLs go by they are sign of life enough.
        with Working(Console(stderr=True, force_terminal=not out.isatty() and None)) as working:
            for archive, story in reading.each(read_stories, working.at):
                _list(archive, story, out, as_json=as_json)
    raise typer.Exit(0 if reading.whole else 1)


def _list(archive: Input, story: ArchivedStory, out: TextIO, *, as_json: bool) -> None:
    url = document_url(story)
    if as_json:
        where = {"record": story.number, "offset": story.offset, "date": story.date}
        print(_json(archive=archive.name, **where, url=url), file=out)
    elif url:
        print(url, file=out)


@app.command()
def find(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="[URL]...", help="The URLs of stories.")
    ] = None,
    files: Annotated[
        list[str] | None, typer.Option("--in", metavar="FILE", help=f"{WHAT} Repeatable.")
    ] = None,
    urls_from: Annotated[
        Path | None,
        typer.Option("--urls-from", metavar="FILE", help="A file with one URL a line."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the archives that hold stories: archive, record number, date and URL of each.

    A story is found by its final URL, by the link that led to it, and by every URL that has the
    same document id. Any number of URLs is looked for in one pass.

    Exit status: 0 if all were found and all archives could be read, else 1; what was not found is
    told on standard error.

    Examples:

        story-indexer archives find https://site.example/news/1 --in data/archive

        story-indexer archives find --urls-from take-down.txt --in 's3://my-bucket/2024/*' --json
    """
    if not files:
        raise typer.BadParameter("say --in which archives")
    wanted = [*map(listed, urls or ()), *(read_urls(urls_from) if urls_from else ())]
    if not wanted:
        raise typer.BadParameter("name a URL, or a file of them with --urls-from")
    finder = Finder(each for each in wanted if not each.why)
    with Working() as working:
        reading = ArchiveReading(files)
        for archive, found in reading.each(finder.search, working.at):
            if found is not None:
                working.print(_place(archive, found, as_json=as_json))
    bad = [each for each in wanted if each.why]
    _tell_missing(finder, bad)
    raise typer.Exit(0 if reading.whole and not bad and not finder.missing else 1)


def _place(archive: Input, found: Found, *, as_json: bool) -> str:
    if as_json:
        return _json(archive=archive.name, **asdict(found))
    return (
        f"{cell(archive.name, 5000)}  {found.record}  {cell(found.date)}  {cell(found.url, 5000)}"
    )


def _tell_missing(finder: Finder, bad: list[ListedURL]) -> None:
    for url in finder.missing:
        print(f"not found: {cell(url, 5000)}", file=sys.stderr)
    for each in bad:
        print(f"bad-url: {cell(each.url)}: {cell(each.why)}", file=sys.stderr)


@app.command("verify")
def verify_all(
    files: Files,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write a line of JSON there for each archive; those that it says are sound are "
            "not read again, unless they have changed.",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, max=64, help="Archives read at a time.")
    ] = 2,
    as_json: AsJson = False,
) -> None:
    """Tell whether all archives are sound: compression, order, lengths, digests and metadata.

    Prints those that are not, and a summary; with --json a line for each archive, the summary last.
    A note, which is no fault, tells of those that are not in a folder YYYY/MM/DD of their date.

    Exit status: 0 only if all archives are sound.

    Examples:

        story-indexer archives verify 's3://my-bucket/*' --report verified.jsonl --jobs 4

        story-indexer archives verify data/archive --json | jq 'select(.sound == false)'
    """
    before = sound_before(report) if report else {}
    tally = AuditTally()
    with Working() as working, journal(report) if report else nullcontext() as written:
        reading = ArchiveReading(files)
        for each in audited(reading.archives, before, jobs):
            if written and not each.before:
                written.append([msgspec.to_builtins(each.audit)])
            tally.add(each)
            working.at(
                f"{tally.archives} of {len(reading.archives)} archives, {tally.unsound} not sound"
            )
            for line in _told(each, as_json=as_json):
                working.print(line)
    print(_json(summary=asdict(tally)) if as_json else _summary(tally))
    raise typer.Exit(0 if reading.whole and tally.unsound == 0 else 1)


def _told(audited: Audited, *, as_json: bool) -> Iterator[str]:
    """What is printed of one archive: for a person only what is to be looked at."""
    audit = audited.audit
    name = cell(audit.archive, 5000)
    if as_json:
        yield _json(**msgspec.to_builtins(audit), before=audited.before)
        return
    if audit.error:
        yield f"can't be read: {cell(audit.error)}"
    elif not audit.sound:
        contents = f"{audit.stories} stories in {audit.records} records"
        yield f"{name}: NOT SOUND, {audit.count} fault{'s' * (audit.count > 1)}, {contents}"
        yield from (f"  {cell(fault)}" for fault in audit.faults)
        if more := audit.count - len(audit.faults):
            yield f"  and {more} more"
    yield from (f"{name}: note: {cell(note)}" for note in audit.notes)


def _summary(tally: AuditTally) -> str:
    parts = [f"{tally.archives - tally.unsound} sound", f"{tally.unsound} not sound"]
    if tally.before:
        parts.append(f"{tally.before} of them verified before")
    contents = f"{tally.stories} stories, {tally.bytes / 1e9:.2f} GB"
    return f"{tally.archives} archives: {', '.join(parts)}; {contents}"


def _json(**values: Any) -> str:
    return line_of_json(values)
