"""The programs by name, and the settings that they read."""

import re

import pytest

from indexer.commands.programs.catalog import STORES, check_names, classes, module, modules
from indexer.errors import ConfigurationError
from indexer.system.origins import variables
from pipeline import PIPELINES
from tests.each_row import each_row
from tests.sources import sources


@each_row(
    ("name", "found"),
    [
        ("parser", "workers.stories.parser"),
        ("fetcher", "workers.stories.tqfetcher"),
        ("tqfetcher", "workers.stories.tqfetcher"),
        ("reparse-queuer", "workers.stories.arch_queuer"),
        ("feeds.api", "workers.feeds.api"),
        ("workers.pipeview.api", "workers.pipeview.api"),
    ],
)
def test_a_program_is_found_by_its_name_by_its_steps_and_by_its_modules(
    name: str, found: str
) -> None:
    assert module(name) == found


@each_row(
    ("name", "why"),
    [
        ("parsr", "no program parsr: is it parser"),
        ("feeds-api", "no program feeds-api: is it feeds.api"),
        ("xyzzy", "there are arch-queuer, archiver"),
    ],
)
def test_a_misspelt_program_is_refused_with_similar_names(name: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        module(name)


def test_every_program_of_a_flavor_is_in_the_catalog() -> None:
    steps = {each.program(step) for each in PIPELINES for step in each.steps}
    assert steps <= set(modules().values())


def test_every_setting_of_a_flavor_is_read_by_one_of_its_programs() -> None:
    for each in PIPELINES:
        read = set().union(*(variables(classes(each.program(step))) for step in each.steps))
        named = {name for step in each.steps for name in (*step.settings, *step.uses)}
        assert {*each.environment, *named, *each.reports} <= read, each.name


@each_row(
    ("name", "similar"),
    [("RETRY_DELAY_MINUTE", "RETRY_DELAY_MINUTES"), ("archiver_s3_buckt", "ARCHIVER_S3_BUCKET")],
)
def test_a_misspelt_setting_is_refused_with_the_nearest_one(name: str, similar: str) -> None:
    with pytest.raises(ConfigurationError, match=f"--set {name}: .* is it {similar}?"):
        check_names(["MAX_RETRIES", name])


def test_an_unknown_setting_is_refused_and_credentials_of_stores_are_known() -> None:
    check_names([])
    check_names(["INDEX_URL_FILE", "QUEUER_B2_ACCESS_KEY_ID", "ARCHIVER_S3_SECRET_ACCESS_KEY_FILE"])
    with pytest.raises(ConfigurationError, match="--set XYZZY: no program reads it"):
        check_names(["XYZZY"])


def test_the_stores_of_all_programs_are_known() -> None:
    product = (each for each in sources() if each.name.startswith(("indexer.", "workers.")))
    texts = [found for each in product for found in _STORES.findall(each.text)]
    assert {name for text in texts for name in re.findall(r"\w+", text)} == set(STORES)


_STORES = re.compile(r"^STORES? = (\(.*?\)|.*)$", re.MULTILINE)
