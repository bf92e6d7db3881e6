"""`story-indexer differences`: what an update of the index changes, or would change."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from indexer.commands.console.terminal import cell, harmless
from indexer.stories.indexing.differences import Changed, Difference, DifferencesReport, summarize
from indexer.system.options import Options, option


class DifferencesOptions(Options):
    """Where the importer writes them."""

    data: Path = option(Path("data"), "directory of all that is kept", "DATAROOT")
    differences: Path | None = option(None, "directory of the differences", "IMPORTER_DIFFERENCES")

    @property
    def newest(self) -> Path:
        """Those of the newest run, if runs have directories of their own; else all there are."""
        directory = self.differences or self.data / "differences"
        runs = [each for each in directory.glob("*") if each.is_dir()]
        return max(runs, default=directory)


def differences(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE|DIRECTORY]...",
            help="What importers wrote. Without: the differences of the newest run.",
        ),
    ] = None,
    examples: Annotated[
        int, typer.Option("--examples", "-n", min=0, metavar="N", help="Stories shown a field.")
    ] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, on standard output.")] = False,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Directory of all that is kept.", show_default="data"),
    ] = None,
) -> None:
    """Tell which fields of how many stories an update changes, with examples.

    The importer writes them down before it writes to the index (--update), and in a dry run writes
    nothing else. Each story counts once a field, however often it is in the files.

    Examples:

        story-indexer run --type reparse --dry-run data/archive

        story-indexer differences

        story-indexer differences data/differences --examples 20 --json | jq '.fields[].stories'
    """
    given: dict[str, Any] = {"data": data}
    options = DifferencesOptions(**{name: value for name, value in given.items() if value})
    report = summarize(paths or [options.newest], examples)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(report)) + b"\n")
    else:
        show(report, Console(soft_wrap=True))


def show(report: DifferencesReport, console: Console) -> None:
    """Print a report for a person."""
    if not report.stories:
        console.print("No story differs.")
    else:
        console.print(_table(report))
    for changed in report.fields:
        _show_examples(changed, console)
    if report.unreadable:
        console.print(
            "Lines that can't be read, half written by a program that was killed or not ours: "
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
    """The text as JSON has it: a line break or a blank may be all that differs."""
    return "(none)" if text is None else harmless(json.dumps(text, ensure_ascii=False))
