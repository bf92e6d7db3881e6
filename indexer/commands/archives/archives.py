"""`story-indexer archives`: list the stories of archives, find stories, verify archives."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import msgspec
import typer
from pydantic import Field
from rich.console import Console

from indexer.commands.archives import erase
from indexer.commands.archives.files import FILES, OUR_ARCHIVES, SomeFiles
from indexer.commands.archives.reading import ArchiveReading, ArchivesOptions
from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import cell, line_of_json, say_empty
from indexer.commands.console.working import Working
from indexer.commands.console.writing import written
from indexer.files.journal import journal
from indexer.inputs.inputs import Input
from indexer.stories.archiving.auditing import Audited, AuditTally, audited, sound_before
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.system.options import option

if TYPE_CHECKING:
    from indexer.stories.archiving.finding import Finder, Found
    from indexer.stories.queuers.url_lists import ListedURL

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
    reading = ArchiveReading(options.named(files))
    with written(options.output) as out:
        if options.names:
            for each in reading.archives:
                name = (
                    line_of_json({"archive": each.name}) if options.json_ else cell(each.name, 5000)
                )
                print(name, file=out)
            raise typer.Exit(0 if reading.whole else 1)
        # On a terminal, the URLs that scroll by show the progress.
        # `False` switches the progress line off; None lets rich decide.
        with Working(Console(stderr=True, force_terminal=not out.isatty() and None)) as working:
            empty = True
            for archive, story in reading.each(read_stories, working.at):
                empty = False
                _list(archive, story, out, as_json=options.json_)
        if empty and reading.whole:
            say_empty("no stories")
    raise typer.Exit(0 if reading.whole else 1)


def _list(archive: Input, story: ArchivedStory, out: TextIO, *, as_json: bool) -> None:
    from indexer.stories.archiving.finding import document_url  # noqa: PLC0415 - not for the help

    url = document_url(story)
    if as_json:
        where = {"record": story.number, "offset": story.offset, "date": story.date}
        print(line_of_json({"archive": archive.name, **where, "url": url}), file=out)
    elif url:
        print(url, file=out)


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
    # The help needs none of them.
    from indexer.stories.archiving.finding import Finder  # noqa: PLC0415
    from indexer.stories.queuers.url_lists import listed, read_urls  # noqa: PLC0415

    from_file = read_urls(options.urls_from) if options.urls_from else ()
    wanted = [*map(listed, urls or ()), *from_file]
    if not wanted:
        raise typer.BadParameter("no URLs: name one, or a file of them with --urls-from")
    # Lines that are no URLs are reported at the end, after the results.
    finder = Finder(each for each in wanted if not each.why)
    with Working() as working:
        reading = ArchiveReading(options.named(options.in_))
        for archive, found in reading.each(finder.search, working.at):
            if found is not None:
                working.print(_place(archive, found, as_json=options.json_))
    bad = [each for each in wanted if each.why]
    _print_missing(finder, bad)
    raise typer.Exit(0 if reading.whole and not bad and not finder.missing else 1)


def _place(archive: Input, found: "Found", *, as_json: bool) -> str:
    if as_json:
        return line_of_json({"archive": archive.name, **asdict(found)})
    return (
        f"{cell(archive.name, 5000)}  {found.record}  {cell(found.date)}  {cell(found.url, 5000)}"
    )


def _print_missing(finder: "Finder", bad: "list[ListedURL]") -> None:
    for url in finder.missing:
        print(f"not found: {cell(url, 5000)}", file=sys.stderr)
    for each in bad:
        print(f"bad-url: {cell(each.url)}: {cell(each.why)}", file=sys.stderr)


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
    report = options.report
    before = sound_before(report) if report else {}
    tally = AuditTally()
    with Working() as working, journal(report) if report else nullcontext() as written:
        reading = ArchiveReading(options.named(files))
        for each in audited(reading.archives, before, options.jobs):
            # Results that come from the report itself are not appended a second time.
            if written and not each.before:
                written.append([msgspec.to_builtins(each.audit)])
            tally.add(each)
            working.at(
                f"{tally.archives} of {len(reading.archives)} archives, {tally.unsound} not sound"
            )
            for line in _lines(each, as_json=options.json_):
                working.print(line)
    print(line_of_json({"summary": asdict(tally)}) if options.json_ else _summary(tally))
    raise typer.Exit(0 if reading.whole and tally.unsound == 0 else 1)


def _lines(audited: Audited, *, as_json: bool) -> Iterator[str]:
    """Yield the lines about one archive; for a person, only about faults and notes."""
    audit = audited.audit
    name = cell(audit.archive, 5000)
    if as_json:
        yield line_of_json({**msgspec.to_builtins(audit), "before": audited.before})
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
