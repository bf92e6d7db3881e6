"""Variables of places: every program and every command reads all that name the same place."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import indexer.commands
import workers
from indexer.system.options import Definition, Options

PLACES = [
    ("BROKER_URL", "RABBITMQ_URL"),
    ("INDEX_URL", "ELASTICSEARCH_HOSTS"),
    ("FEEDS_DATABASE_URL", "DATABASE_URL"),
]


def kinds(kind: type[Options]) -> Iterator[type[Options]]:
    for each in kind.__subclasses__():
        yield each
        yield from kinds(each)


def definitions() -> Iterator[tuple[str, Definition]]:
    for package in (indexer.commands, workers):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    for kind in kinds(Options):
        if not kind.__module__.startswith("tests."):
            for definition in kind.definitions().values():
                yield f"{kind.__module__}.{kind.__name__}", definition


def test_an_option_that_reads_a_variable_of_a_place_reads_the_others_too() -> None:
    found = 0
    for name, definition in definitions():
        for place in PLACES:
            # DATABASE_URL alone is pipeview's, too.
            if place[0] in definition.env or (
                place[1] in definition.env and place[1] != "DATABASE_URL"
            ):
                found += 1
                assert tuple(definition.env[-2:]) == place, (name, definition.flag)
    assert found > 40
