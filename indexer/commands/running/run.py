"""`story-indexer run`: a whole pipeline on this machine, from inputs to index and archive."""

from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import column_option, with_options
from indexer.commands.console.terminal import lines_of_json
from indexer.commands.running.request import pairs
from indexer.commands.running.run_options import PipelineOptions
from indexer.errors import ConfigurationError
from indexer.system.options import option, variable
from indexer.system.signals import INTERRUPTED, stop_on_signals


class RunOptions(PipelineOptions):
    """Options of `run`."""

    type: str = option(
        "", "The flavor; default: the one that reads these inputs.", short="t", metavar="FLAVOR"
    )
    replicas: list[str] = option(
        [], "Start N processes of a step, like parser=2; repeatable.", metavar="STEP=N"
    )
    interval: Annotated[float | None, Field(ge=0)] = option(
        None, "Shortest time between two pages of one host.", metavar="SECONDS"
    )
    column: list[str] = column_option()
    force: bool = option(False, "Also read inputs that were read before.", short="f")
    dry_run: bool = option(False, "With --type reparse: only show what would change.", short="n")


@with_options
def run(
    options: RunOptions,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="INPUT",
            help="Feeds, sitemaps, CSV files, lists of URLs or pages: files, directories, "
            "http(s):// or s3:// URLs (a trailing * is a wildcard), @FILE with one a line, - for "
            "standard input. Default: the sample newsroom.",
        ),
    ] = None,
) -> None:
    """Fetch, parse, index and archive the stories of feeds, sitemaps, CSV files and URL lists.

    Each program of the flavor runs as a process of its own, until all queues are empty. Ctrl-C
    stops cleanly: the same command continues later. Inputs that were read before are skipped.

    Examples:

        story-indexer run                                  the sample newsroom

        story-indexer run https://site.example/feed.xml --contact https://me.example/

        story-indexer run urls.csv --replicas parser=2 --data /srv/news

        story-indexer run data/archive --data restored      archives into another index

        story-indexer run --type reparse data/archive --dry-run
    """
    # The help needs none of them.
    import msgspec  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    from indexer.commands.running.one_run import Run, show  # noqa: PLC0415
    from indexer.commands.running.telling import advising  # noqa: PLC0415
    from indexer.system import logs  # noqa: PLC0415

    settings = {
        "FETCHER_MIN_INTERVAL_SECONDS": options.interval,
        "CSV_COLUMNS": variable(options.column),
    }
    replicas = pairs("--replicas", options.replicas)
    request = options.request(
        inputs,
        options.type,
        settings,
        replicas={step: _count(step, number) for step, number in replicas.items()},
        force=options.force,
        dry_run=options.dry_run,
    )
    logs.set_up("warning")
    console = Console(stderr=options.json_)
    one = Run(request, console)
    with advising():
        result = one.perform(stop_on_signals())
    if options.json_:
        print(lines_of_json(msgspec.to_builtins(result)))
    else:
        show(one, result, console, options.data_flag)
    if one.failure is not None:
        raise one.failure
    # Stopped by a signal, or with stories left in the queues.
    if not result.complete:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if result.unread else 0)


def _count(step: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ConfigurationError(f"--replicas {step}={text}: N must be 1 or more")
    return int(text)
