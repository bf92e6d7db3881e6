"""What `story-indexer archives` does: it lists URLs, finds stories, and verifies archives."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from typing import TextIO

import msgspec
import typer
from rich.console import Console

from indexer.commands.archives.archives import FindOptions, ListURLsOptions, VerifyOptions
from indexer.commands.archives.files import SomeFiles
from indexer.commands.archives.reading import ArchiveReading
from indexer.commands.console.terminal import cell, line_of_json, say_empty
from indexer.commands.console.working import Working
from indexer.commands.console.writing import written
from indexer.files.journal import journal
from indexer.inputs.inputs import Input
from indexer.stories.archiving.auditing import Audited, AuditTally, audited, sound_before
from indexer.stories.archiving.finding import Finder, Found, document_url
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.queuers.url_lists import ListedURL, listed, read_urls


def print_urls(files: SomeFiles, options: ListURLsOptions) -> bool:
    """Print the URLs of stories, or the archives. Returns whether everything could be read."""
    reading = ArchiveReading(options.named(files))
    with written(options.output) as out:
        if options.names:
            for each in reading.archives:
                name = (
                    line_of_json({"archive": each.name}) if options.json_ else cell(each.name, 5000)
                )
                print(name, file=out)
            return reading.whole
        # On a terminal, the URLs that scroll by show the progress.
        # `False` switches the progress line off; None lets rich decide.
        with Working(Console(stderr=True, force_terminal=not out.isatty() and None)) as working:
            empty = True
            for archive, story in reading.each(read_stories, working.at):
                empty = False
                _list(archive, story, out, as_json=options.json_)
        if empty and reading.whole:
            say_empty("no stories")
    return reading.whole


def _list(archive: Input, story: ArchivedStory, out: TextIO, *, as_json: bool) -> None:
    url = document_url(story)
    if as_json:
        where = {"record": story.number, "offset": story.offset, "date": story.date}
        print(line_of_json({"archive": archive.name, **where, "url": url}), file=out)
    elif url:
        print(url, file=out)


def are_found(urls: Sequence[str], options: FindOptions) -> bool:
    """Print the places of stories. Returns whether all are found, and all archives read."""
    from_file = read_urls(options.urls_from) if options.urls_from else ()
    wanted = [*map(listed, urls), *from_file]
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
    return reading.whole and not bad and not finder.missing


def _place(archive: Input, found: Found, *, as_json: bool) -> str:
    if as_json:
        return line_of_json({"archive": archive.name, **asdict(found)})
    return (
        f"{cell(archive.name, 5000)}  {found.record}  {cell(found.date)}  {cell(found.url, 5000)}"
    )


def _print_missing(finder: Finder, bad: list[ListedURL]) -> None:
    for url in finder.missing:
        print(f"not found: {cell(url, 5000)}", file=sys.stderr)
    for each in bad:
        print(f"bad-url: {cell(each.url)}: {cell(each.why)}", file=sys.stderr)


def are_sound(files: SomeFiles, options: VerifyOptions) -> bool:
    """Verify archives, and print a summary. Returns whether all are sound."""
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
    return reading.whole and tally.unsound == 0


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
