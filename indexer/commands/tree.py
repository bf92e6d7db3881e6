"""All commands of `story-indexer`, by name; a command is imported when it is called."""

from collections.abc import Mapping
from typing import Annotated

import typer

from indexer.commands.console.groups import SETTINGS, Later, LazyGroup, new_app

_HERE = "indexer.commands"

PASSED_ON = {**SETTINGS, "allow_interspersed_args": False, "ignore_unknown_options": True}
"""For a command whose arguments are for another program, also its --help."""

COMMANDS: Mapping[str, Later] = {
    "run": Later(
        f"{_HERE}.running.run:run",
        "Fetch, parse, index and archive the stories of feeds, sitemaps, CSV files and URL lists.",
    ),
    "follow": Later(
        f"{_HERE}.running.follow:follow",
        "Poll feeds, each at its own pace; fetch, index and archive every new story, for as long "
        "as it runs.",
    ),
    "search": Later(
        f"{_HERE}.search:search",
        "Find stories by the words of their titles and texts, and by their fields.",
    ),
    "extract": Later(
        f"{_HERE}.extract:extract",
        "Show the fields that the parser extracts from a page, its encoding, and the extractor.",
    ),
    "eval": Later(
        f"{_HERE}.evaluating.eval:app",
        "Measure how good extraction is, on pages with a ground truth.",
    ),
    "warc": Later(
        f"{_HERE}.archives.warc:app",
        "Read archives of stories: list and show stories, verify archives, index them for replay.",
    ),
    "archives": Later(
        f"{_HERE}.archives.archives:app",
        "Work on all archives of stories: list, find, verify; and erase stories from the index.",
    ),
    "differences": Later(
        f"{_HERE}.archives.differences:differences",
        "Show which fields an update changes, in how many stories, with examples.",
    ),
    "feeds": Later(
        f"{_HERE}.feeds.feeds:app",
        "Add, import and export feeds, look into them, and change how they are polled.",
    ),
    "filesets": Later(
        f"{_HERE}.filesets.filesets:app",
        "Archive research datasets, each as an item with all its files, and verify them.",
    ),
    "software": Later(
        f"{_HERE}.software.software:app",
        "Translate the metadata files of software projects to CodeMeta and citations.",
    ),
    "program": Later(
        f"{_HERE}.programs.program:program",
        "Start one program. All that follows the name is for the program itself.",
        PASSED_ON,
    ),
    "pipeline": Later(
        f"{_HERE}.pipeline:app",
        "Flavors of pipelines: list them, and manage their queues on a broker.",
    ),
    "settings": Later(
        f"{_HERE}.programs.settings:settings",
        "List the settings of programs: variable, value, and whether the value is the default or "
        "comes from the environment.",
    ),
    "config": Later(
        f"{_HERE}.stacks.config:app",
        "Check a configuration before programs are started, or a stack is deployed.",
    ),
    "jobs": Later(
        f"{_HERE}.jobs.jobs:app",
        "List durable jobs, work of hours that survives its programs; stop them, run them again.",
    ),
    "qutil": Later(
        f"{_HERE}.queues.qutil:app",
        "Look into queues, and repair them: list, show, dump, load, retry, move, purge, delete.",
    ),
    "elastic-conf": Later(
        f"{_HERE}.elastic.conf:app",
        "Prepare an Elasticsearch for stories. Without a command: `configure`.",
    ),
    "elastic-reindex": Later(
        f"{_HERE}.elastic.reindex:reindex",
        "Copy documents that the other index lacks; documents that it has are not changed.",
    ),
    "elastic-update-canonical-domain": Later(
        f"{_HERE}.elastic.update_canonical_domain:update_canonical_domain",
        "Compute each document's canonical domain from its URL, and change those that differ.",
    ),
}


class _Commands(LazyGroup):
    later = COMMANDS


app = new_app("Collect, understand, search and preserve online news.", _Commands, completion=True)


def _print_version(*, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - slow, and not for other commands

        print(f"story-indexer {version('story-indexer')}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """Collect, understand, search and preserve online news."""
