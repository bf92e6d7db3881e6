"""`story-indexer extract`: the fields that the parser extracts from a page."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from indexer.commands.console.narrow import fitted
from indexer.commands.console.parameters import with_options
from indexer.commands.console.terminal import lines_of_json
from indexer.system.options import Options, option


class ExtractOptions(Options):
    """Options of `extract`."""

    url: str = option("", "The URL of the page in a file; default: the URL that it declares.")
    json_: bool = option(False, "Print one JSON object.")
    full: bool = option(False, "Show the whole text.")
    explain: bool = option(
        False, "Show how the text is found: blocks of text, candidates, scores, and doubts."
    )
    allow_private: bool = option(False, "Also visit addresses of this machine or network.")


@with_options
def extract(
    source: Annotated[
        str, typer.Argument(help="A file, a URL, or - for standard input.", metavar="FILE|URL")
    ],
    options: ExtractOptions,
) -> None:
    """Show the fields that the parser extracts from a page, its encoding, and the extractor.

    For a page that is no story it prints why, with status 1. The settings of the parser and of the
    fetcher count, PARSER_MIN_TEXT and FETCHER_PROXY for example.

    Examples:

        story-indexer extract https://site.example/news/1

        story-indexer extract page.html --url https://site.example/news/1 --json | jq .language

        story-indexer extract page.html --explain
    """
    # The help needs none of it.
    from indexer.commands.extracting import extracted, fields, table  # noqa: PLC0415

    if options.explain:
        _explain(source, options)
        return
    found = extracted(source, options.url, allow_private=options.allow_private)
    if options.json_:
        print(lines_of_json(fields(found)))
    else:
        console = Console()
        console.print(fitted(table(found, full=options.full), console))


def _explain(source: str, options: ExtractOptions) -> None:
    import msgspec  # noqa: PLC0415 - see above

    from indexer.commands.extracting import explanation, explanation_tables  # noqa: PLC0415

    found = explanation(source, options.url, allow_private=options.allow_private)
    if options.json_:
        print(lines_of_json(msgspec.to_builtins(found)))
        return
    console = Console()
    for each in explanation_tables(found, full=options.full):
        console.print(fitted(each, console) if isinstance(each, Table) else each)
