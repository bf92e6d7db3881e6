"""What `list`, `show` and `verify` of `story-indexer warc` do with archives of stories."""

import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.status import Status

from indexer.commands.archives.files import Files
from indexer.commands.archives.reading import ArchiveReading
from indexer.commands.archives.warc import ShowStoryOptions
from indexer.commands.console.parameters import JSONOptions
from indexer.commands.console.terminal import cell, line_of_json, lines_of_json, say_empty
from indexer.errors import InputError
from indexer.inputs.inputs import Input
from indexer.stories.archiving.archives import opened
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories

if TYPE_CHECKING:
    from indexer.stories.archiving.story_archive_verifier import Verdict

TITLE_LENGTH = 80
PROGRESS_RECORDS = 500


def print_list(files: Files, options: JSONOptions) -> bool:
    """Print a line for each story. Returns whether everything could be read."""
    reading = ArchiveReading(files)
    if not options.json_:
        print(_row("RECORD", "DATE", "LANG", "BYTES", "URL", "TITLE"))
    empty = True
    for archive, story in reading.each(read_stories):
        empty = False
        print(_line_of_json(archive.name, story) if options.json_ else _line(story))
    if empty and reading.whole:
        say_empty("no stories")
    return reading.whole


def show(file: str, options: ShowStoryOptions) -> None:
    """Print the story of an archive that options choose. Raises InputError if there is none."""
    for _, story in ArchiveReading([file]).each(read_stories):
        if _is_wanted(story, options.url, options.record):
            _print(story, html=options.html)
            return
    raise InputError(f"{file}: no such story")


def are_sound(files: Files) -> bool:
    """Verify archives, and print a verdict for each. Returns whether all are sound."""
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
    return sound


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


def _print(story: ArchivedStory, *, html: bool) -> None:
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
