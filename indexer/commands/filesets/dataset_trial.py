"""What `story-indexer filesets try` shows: a dataset, and the files that an ingest would fetch."""

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.filesize import decimal

from indexer.commands.console.terminal import cell, line_of_json, print_table, say
from indexer.commands.console.working import Working
from indexer.commands.filesets.stored_items import file_table
from indexer.commands.filesets.trying import TryDatasetOptions
from indexer.filesets.ingest.ingester import FOUND
from indexer.filesets.ingest.inputs import request_of
from indexer.filesets.ingest.opening import opened_looker
from indexer.filesets.results.result import fileset_result

out = Console(soft_wrap=True)

_FACTS = {
    "status": "status",
    "why": "error_message",
    "platform": "platform_name",
    "site": "platform_domain",
    "dataset": "platform_id",
    "version": "platform_version",
    "all versions": "platform_concept_id",
    "page": "platform_base_url",
    "item": "archiveorg_item_name",
    "bundle": "web_bundle_url",
    "strategy": "ingest_strategy",
    "reason": "strategy_reason",
}
"""The headings of the facts that are shown, and their fields."""


def works(dataset: str, options: TryDatasetOptions) -> bool:
    """Print what an ingest of a dataset would do. Returns whether it would be archived."""
    request = request_of(dataset)
    with opened_looker(options) as looker, Working() as working:
        working.at(f"looking at {cell(dataset, 200)}")
        found = looker.look(request)
    result = fileset_result(found)
    if options.json_:
        print(line_of_json(result))
    else:
        _print(result, options.files)
    return found.status == FOUND


def _print(result: dict[str, Any], files: int) -> None:
    for name, value in _facts(result):
        if value:
            say(out, f"{name:<14}{cell(value, 2000)}")
    manifest = result.get("manifest", [])
    if manifest and files:
        say(out, "")
        print_table(file_table(manifest[:files]))
    if len(manifest) > files:
        say(out, f"{len(manifest):,} files; --files {len(manifest)} shows all")


def _facts(result: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for hop in result["hops"]:
        yield "way", hop
    for heading, name in _FACTS.items():
        yield heading, str(result.get(name) or "")
    if "file_count" in result:
        yield "files", f"{result['file_count']:,}, {decimal(result['total_size'])}"
