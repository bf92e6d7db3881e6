"""The rules that keep the project in shape: which file may import what, and how files look.

workers.F → indexer.F → the core of indexer        commands: the top floor, imported by none
"""

import ast
import subprocess
import sys
from collections.abc import Iterable
from typing import NamedTuple

import pytest

from tests.sources import ROOT, Source, sources

FAMILIES = ("feeds", "filesets", "harvests", "operations", "pipeview", "software", "stories")
LONGEST = 400
VAGUE = {"utils", "util", "common", "helpers", "helper", "base", "manager", "misc"}


class Floor(NamedTuple):
    """A part of the project, and the parts that it must not import."""

    name: str
    forbidden: tuple[str, ...]


def core() -> tuple[str, ...]:
    """The packages that are not the core's."""
    return tuple(f"indexer.{name}" for name in (*FAMILIES, "commands"))


def other_families(family: str) -> tuple[str, ...]:
    """The domain code and the programs of all families but one."""
    others = [name for name in FAMILIES if name != family]
    return tuple(f"{package}.{name}" for package in ("indexer", "workers") for name in others)


TOP = ("indexer.commands", "newsroom", "pipeline", "benchmarks", "scripts", "tests")
FLOORS = [
    Floor("indexer", (*core(), "workers", *TOP)),
    *(Floor(f"indexer.{name}", ("workers", *other_families(name), *TOP)) for name in FAMILIES),
    *(Floor(f"workers.{name}", (*other_families(name), *TOP)) for name in FAMILIES),
    Floor("indexer.commands", ("benchmarks", "scripts", "tests")),
    Floor("newsroom", ("indexer", "workers", "pipeline", "benchmarks", "scripts", "tests")),
    Floor("scripts", ("indexer", "workers", "newsroom", "pipeline", "benchmarks", "tests")),
    Floor("benchmarks", ("scripts", "tests")),
]

BACKENDS = {
    "pika": "indexer.broker",
    "boto3": "indexer.blobstore",
    "botocore": "indexer.blobstore",
    "elasticsearch": "indexer.search",
    "elastic_transport": "indexer.search",
    "psycopg": "indexer.database",
}

HOMES = {
    "sqlalchemy": ("indexer.database", "indexer.bulk", "indexer.pipeview", "indexer.feeds"),
    "alembic": (
        "indexer.database",
        "indexer.pipeview.migrations",
        "indexer.feeds.migrations",
    ),
    "fastapi": ("indexer.streaming", "indexer.pipeview.api", "indexer.feeds"),
    "uvicorn": ("indexer.serving",),
    "docker": ("indexer.operations.docker_services",),
    "prometheus_client": ("indexer.metrics.prometheus",),
}
"""Libraries that shape the code that uses them, and the parts that may."""


def within(source: Source, package: str) -> bool:
    """Whether a file is that package or in it."""
    return source.name == package or source.name.startswith(f"{package}.")


def on(floor: Floor) -> list[Source]:
    """The files of a floor: those of the core are the ones on no other."""
    files = [source for source in sources() if within(source, floor.name)]
    if floor.name != "indexer":
        return files
    return [source for source in files if not any(within(source, name) for name in core())]


def product() -> list[Source]:
    """The files that are no tests, benchmarks or scripts."""
    tools = ("tests", "benchmarks", "scripts")
    return [source for source in sources() if not any(within(source, name) for name in tools)]


def names(found: Iterable[Source]) -> list[str]:
    """What to show of files that break a rule."""
    return [source.name for source in found]


@pytest.mark.parametrize("floor", FLOORS, ids=[floor.name for floor in FLOORS])
def test_imports_go_one_way(floor: Floor) -> None:
    wrong = [
        f"{source.name} imports {package}"
        for source in on(floor)
        for package in floor.forbidden
        if source.uses(package)
    ]
    assert wrong == []


@pytest.mark.parametrize(("library", "package"), BACKENDS.items())
def test_a_backend_is_imported_only_behind_its_package(library: str, package: str) -> None:
    users = [source for source in product() if source.uses(library)]
    assert names(source for source in users if not within(source, package)) == []


@pytest.mark.parametrize(("library", "homes"), HOMES.items())
def test_a_library_is_used_only_where_it_is_at_home(library: str, homes: tuple[str, ...]) -> None:
    users = [source for source in product() if source.uses(library)]
    assert users, f"{library} is not used at all"
    assert names(user for user in users if not any(within(user, home) for home in homes)) == []


def test_a_program_loads_no_backend_until_a_url_chooses_it() -> None:
    modules = ["indexer.app", *(source.name for source in sources() if within(source, "workers"))]
    script = "import sys\n" + "".join(f"import {name}\n" for name in modules)
    script += f"print(*sorted(set({list(BACKENDS)}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stderr


def test_only_options_reads_the_environment() -> None:
    readers = [source for source in product() if reads_environment(source.tree)]
    assert names(readers) == ["indexer.options"]


def reads_environment(tree: ast.Module) -> bool:
    """Whether it says `os.environ` or `os.getenv`, or imports one of them."""
    reading = {"environ", "environb", "getenv", "getenvb"}
    attributes = (node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    taken = (node.name for node in ast.walk(tree) if isinstance(node, ast.alias))
    return not reading.isdisjoint([*attributes, *taken])


@pytest.mark.parametrize("library", ["pickle", "_pickle", "cPickle", "dill", "marshal", "shelve"])
def test_nothing_can_unpickle(library: str) -> None:
    assert names(source for source in product() if source.uses(library)) == []


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {source.name: len(source.text.splitlines()) for source in sources()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_every_module_says_what_it_is() -> None:
    silent = [source for source in sources() if source.text and not ast.get_docstring(source.tree)]
    assert names(source for source in silent if not within(source, "tests")) == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    vague = [source for source in sources() if not VAGUE.isdisjoint(source.name.split("."))]
    assert names(vague) == []


@pytest.mark.parametrize(
    "path", [*sorted(path.name for path in ROOT.glob("requirements*.txt")), "pyproject.toml"]
)
def test_no_lock_names_an_index_or_a_host(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    assert not [word for word in ("://", "--index", "--find-links", " @ ") if word in text]
