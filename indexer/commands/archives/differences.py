"""`story-indexer differences`: the changes of an update of the index, also of a dry run."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from pydantic import Field
from rich.console import Console
from rich.table import Table

from indexer.commands.console.narrow import fitted
from indexer.commands.console.parameters import with_options
from indexer.commands.console.terminal import cell, line_of_json, lines_of_json
from indexer.programs.settings import data_directory
from indexer.stories.indexing.differences import Changed, Difference, DifferencesReport, summarize
from indexer.system.options import Options, option


class DifferencesOptions(Options):
    """Options of `differences`."""

    examples: Annotated[int, Field(ge=0)] = option(
        3, "Examples shown of each field.", short="n", metavar="N"
    )
    json_: bool = option(False, "Print JSON, on standard output.")
    data: Path = data_directory()


class _Written(Options):
    """The importer's option for the directory of differences."""

    differences: Path | None = option(None, "directory of the differences", "IMPORTER_DIFFERENCES")


def _newest(data: Path) -> Path:
    """Return the directory of the newest run, or of all, if runs have no own directories."""
    directory = _Written().differences or data / "differences"
    # Directories of runs are named by the time of their start.
    runs = [each for each in directory.glob("*") if each.is_dir()]
    return max(runs, default=directory)


@with_options
def differences(
    options: DifferencesOptions,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE|DIRECTORY",
            help="Files of importers. Default: the differences of the newest run.",
        ),
    ] = None,
) -> None:
    """Show which fields an update changes, in how many stories, with examples.

    The importer with --update writes the differences before it changes the index; in a dry run, it
    writes only them. A story that is in several files counts once for each field.

    Examples:

        story-indexer run --type reparse --dry-run data/archive

        story-indexer differences

        story-indexer differences data/differences --examples 20 --json | jq '.fields[].stories'
    """
    report = summarize(paths or [_newest(options.data)], options.examples)
    if options.json_:
        print(lines_of_json(msgspec.to_builtins(report)))
    else:
        show(report, Console(soft_wrap=True))


def show(report: DifferencesReport, console: Console) -> None:
    """Print a report for a person."""
    if not report.stories:
        console.print("No story differs.")
    else:
        console.print(fitted(_table(report), console))
    for changed in report.fields:
        _show_examples(changed, console)
    if report.unreadable:
        console.print(
            "Unreadable lines, written by a program that was killed or by another program: "
            f"{report.unreadable}"
        )


def _table(report: DifferencesReport) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("FIELD")
    table.add_column("STORIES", justify="right")
    for changed in report.fields:
        table.add_row(changed.field, str(changed.stories))
    table.add_row("any of them", str(report.stories))
    return table


def _show_examples(changed: Changed, console: Console) -> None:
    if not changed.examples:
        return
    console.print(f"\n{changed.field}, {len(changed.examples)} of {changed.stories}:")
    for example in changed.examples:
        for line in _lines(example):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def _lines(example: Difference) -> list[str]:
    return [
        f"  {cell(example.url)}",
        f"    - {_shown(example.before)}",
        f"    + {_shown(example.after)}",
    ]


def _shown(text: str | None) -> str:
    """Return a text in JSON's form, which shows blanks and line breaks that differ."""
    return "(none)" if text is None else line_of_json(text)
