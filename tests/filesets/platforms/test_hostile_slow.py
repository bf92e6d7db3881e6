"""Answers in which any value is missing or of another type: an item or a status, no other error."""

import copy
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from indexer.errors import FilesetError
from tests.each_row import each_row
from tests.filesets.platforms.samples import SAMPLES, item_of, sample

pytestmark = pytest.mark.slow

STRANGE: tuple[Any, ...] = (
    None,
    "",
    "text",
    7,
    -1,
    1e300,
    True,
    [],
    [[]],
    ["x"],
    {},
    {"a": 1},
    "\ud800",
    "a\nb",
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each container in a value, and each of its keys."""
    pairs: list[tuple[Any, Any]] = []
    match value:
        case dict():
            pairs = [*value.items()]
        case list():
            pairs = [*enumerate(value)]
    for key, each in pairs:
        yield value, key
        yield from places(each)


def changed(answers: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The answers, with one value after the other replaced by each strange one, or removed."""
    whole = copy.deepcopy(answers)
    for place, key in places(whole):
        kept = place[key]
        for strange in STRANGE:
            place[key] = strange
            yield whole
        place[key] = kept
    for place, key in list(places(whole)):
        if isinstance(place, dict):
            kept = place.pop(key)
            yield whole
            place[key] = kept


@each_row("name", SAMPLES)
def test_a_strange_value_never_ends_the_program(name: str) -> None:
    url, answers = sample(name)
    for each in changed(answers):
        with suppress(FilesetError):
            item = item_of(url, each, api_tries=1)
            paths = [file.path for file in item.files]
            assert len(set(paths)) == len(paths)
            assert item.archiveorg_item_name
            assert msgspec.json.encode(item)
