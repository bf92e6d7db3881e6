"""The places of a run: its queues, and the stores that its stories go to."""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress

from rich.console import Console

from indexer.commands.console.terminal import say
from indexer.errors import AccessDenied
from indexer.feeds.store import FeedsOptions
from indexer.filesets.items.options import ItemsOptions
from indexer.filesets.items.stores import open_items
from indexer.http.urls.parts import without_credentials
from indexer.messages.pipelines import Pipeline
from indexer.programs.settings import BrokerOptions
from indexer.search import open_index
from indexer.software.searching.fields import SOFTWARE_FIELDS
from indexer.software.searching.options import SoftwareIndexOptions
from indexer.software.store.options import SoftwareDatabaseOptions
from indexer.software.store.store import SoftwareStore
from indexer.stories.archiving.archive_stores import (
    ArchiveStoreOptions,
    archive_stores,
    archive_urls,
)
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.system.options import Options, environment, reading
from indexer.system.origins import FILE
from workers.stories.importer import ImporterOptions

NO_KEY = "is-it-there/"
"""A prefix of keys that no store has: listing them tells whether the store answers."""

OPTIONS: Mapping[type[Options], str] = {
    BrokerOptions: "broker_url",
    ImporterOptions: "index_url",
    ArchiveStoreOptions: "archive_url",
    FeedsOptions: "database_url",
}
"""The options that name places. Several variables set one of them."""


def overridden(given: Mapping[str, str], by: Mapping[str, str]) -> dict[str, str]:
    """Merge two environments: a place in `by` replaces all variables that name the same place."""
    options = [kind.definitions()[name] for kind, name in OPTIONS.items()]
    same = [{name + end for name in each.env for end in ("", FILE)} for each in options]
    replaced = {name for names in same if names & by.keys() for name in names}
    return {name: value for name, value in given.items() if name not in replaced} | {**by}


def show_places(console: Console, pipeline: Pipeline, given: Mapping[str, str]) -> None:
    """Print the URLs of a run's places, without credentials."""
    for name, urls in _places(pipeline, given):
        say(console, f"{name:<9} {', '.join(map(without_credentials, urls))}")


def index_flag(given: Mapping[str, str]) -> str:
    """Return the option with which `search` finds the index of a run, with a space; blank if it
    needs none, as the environment names that index, too.
    """
    url = ImporterOptions.of(given).index
    alone = ImporterOptions.of({**environment(), "DATAROOT": given["DATAROOT"]}).index
    return "" if url == alone else f" --index {shlex.quote(without_credentials(url))}"


def _places(pipeline: Pipeline, given: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    uses = {setting for step in pipeline.steps for setting in step.uses}
    yield "queues", [BrokerOptions.of(given).broker]
    if pipeline.family == "feeds":
        yield "feeds", [FeedsOptions.of(given).database]
    if "INDEX_URL" in uses:
        yield "index", [ImporterOptions.of(given).index]
    if "ARCHIVE_URL" in uses:
        with reading(given):
            yield "archives", archive_urls(ArchiveStoreOptions.of(given))
    if "FILESETS_URL" in uses:
        yield "items", [ItemsOptions.of(given).items]
    if "SOFTWARE_DATABASE_URL" in uses:
        yield "software", [SoftwareDatabaseOptions.of(given).database]
    if "SOFTWARE_INDEX_URL" in uses:
        yield "index", [SoftwareIndexOptions.of(given).software_index_url]


def check_stores(pipeline: Pipeline, given: Mapping[str, str]) -> None:
    """Check that the stores of a flavor answer, before anything is queued.

    Raises ConfigurationError, SearchError, StorageError: once, instead of in each program's log.
    """
    for setting in {setting: None for step in pipeline.steps for setting in step.uses}:
        CHECKS[setting](given)


def _check_index(given: Mapping[str, str]) -> None:
    with closing(open_index(ImporterOptions.of(given).index, STORY_FIELDS)) as index:
        index.refresh()


def _check_archives(given: Mapping[str, str]) -> None:
    with reading(given):
        stores = archive_stores(ArchiveStoreOptions.of(given))
    for store in stores.values():
        # Credentials that may only write are refused here: the store answers all the same.
        with suppress(AccessDenied):
            next(store.entries(NO_KEY), None)


def _check_items(given: Mapping[str, str]) -> None:
    with reading(given), suppress(AccessDenied):
        next(open_items(ItemsOptions.of(given).items).entries(NO_KEY), None)


def _check_software(given: Mapping[str, str]) -> None:
    SoftwareStore.open(SoftwareDatabaseOptions.of(given).database).close()


def _check_software_index(given: Mapping[str, str]) -> None:
    url = SoftwareIndexOptions.of(given).software_index_url
    with closing(open_index(url, SOFTWARE_FIELDS)) as index:
        index.refresh()


CHECKS = {
    "INDEX_URL": _check_index,
    "ARCHIVE_URL": _check_archives,
    "FILESETS_URL": _check_items,
    "SOFTWARE_DATABASE_URL": _check_software,
    "SOFTWARE_INDEX_URL": _check_software_index,
}
"""The check of each kind of store, by the setting with its URL."""
