"""The rules that keep the project in shape: which file may import what, and how files look.

workers.F → indexer.F → the core of indexer        commands: the top floor, imported by none
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from pipeline import PIPELINES
from tests.each_row import each_row
from tests.paths import ROOT
from tests.sources import Source, sources

LONGEST = 400
WIDEST = 18
"""The most modules that a reader can take in at one look, `__init__` included."""

SEEDS_CONTRACT = ("indexer.software.metadata_dictionary.base",)
"""Modules with such a name, and the reason: the seed's example says `from .base import …`."""

VAGUE = {"utils", "util", "common", "helpers", "helper", "base", "manager", "misc"}

FAMILIES = ("feeds", "filesets", "harvests", "operations", "pipeview", "software", "stories")
FLOORS = (
    ("errors",),
    ("text", "system"),
    ("files",),
    ("messages", "database", "warc"),
    ("blobstore", "metrics"),
    ("spool", "http"),
    ("broker", "search", "jobs"),
    ("loops",),
    ("programs", "running", "stack"),
    ("inputs", "news"),
    FAMILIES,
    ("commands",),
)
"""The rooms of `indexer`, from the ground up: a room imports rooms of lower floors only."""

PORTS = ("blobstore", "broker", "search")
"""Rooms whose `open_*()` imports the backend that a URL chooses: backends import their room."""

LANGUAGE = "indexer.search.language"
"""The one room in a port that is no backend."""

FORBIDDEN = {
    "indexer": ("benchmarks", "scripts", "tests"),
    **{f"indexer.{name}": ("workers", "newsroom") for names in FLOORS[:-1] for name in names},
    "newsroom": ("indexer", "workers", "pipeline", "benchmarks", "scripts", "tests"),
    "scripts": ("indexer", "workers", "newsroom", "pipeline", "benchmarks", "tests"),
    "benchmarks": ("scripts", "tests"),
}
"""What a folder must not import. Programs: `test_a_program_imports_its_family_and_the_core`."""

BACKENDS = {
    "pika": "indexer.broker",
    "boto3": "indexer.blobstore",
    "botocore": "indexer.blobstore",
    "elasticsearch": "indexer.search",
    "elastic_transport": "indexer.search",
    "psycopg": "indexer.database",
}

NOUNS = {"story", "stories", "article", "articles", "feed", "feeds", "archive", "archives"} | {
    *("archiver", "fileset", "filesets", "harvest", "harvests", "codemeta")
}
"""What messages are in the families: the core, which they share, names none of it."""

FAMILIAR = {
    "StoryIndexerError": "the name of the project",
    "BadFeed": "all errors are in one tree",
    "FilesetError": "all errors are in one tree",
    "ArchiveError": "all errors are in one tree; a WARC file is a web archive (ISO 28500)",
}
"""Names in the core that have such a word, and the reason."""

OF_ANY_FLAVOR = ("indexer.commands.running", "indexer.running", "indexer.pipeview.funnel")
"""What is told by `pipeline.py` what there is to know of steps."""

SHOWS_ALL_FLAVORS = {("workers.pipeview.api", "pipeline"): "the funnel is in the order of the flow"}
"""The only program that reads the flavors, and the reason: no program knows its own place."""

SHARED = ("news",)
"""Rooms that are between the core and the families."""

HOMES = {
    "sqlalchemy": (
        "indexer.database",
        "indexer.jobs",
        "indexer.pipeview",
        "indexer.feeds",
        "indexer.filesets.persisting",
        "indexer.software.store",
    ),
    "alembic": (
        "indexer.database",
        "indexer.jobs.migrations",
        "indexer.pipeview.migrations",
        "indexer.feeds.migrations",
        "indexer.filesets.persisting.migrations",
        "indexer.software.store.migrations",
    ),
    "fastapi": (
        "indexer.programs.streaming",
        "indexer.pipeview.api",
        "indexer.feeds",
        "indexer.software.api",
    ),
    "uvicorn": ("indexer.programs.serving",),
    "docker": ("workers.operations.docker_stats",),
    "tldextract": ("indexer.http.urls.registered_domains",),
    "prometheus_client": ("indexer.metrics.prometheus",),
}
"""Libraries that shape the code that uses them, and the parts that may."""


def within(source: Source, package: str) -> bool:
    """Whether a file is that package or in it."""
    return source.name == package or source.name.startswith(f"{package}.")


def room(name: str) -> str:
    """The room in `indexer` that a module is in: `indexer.http.urls.target` is in `http`."""
    return name.split(".")[1]


def floor(name: str) -> int:
    """The floor of a module of `indexer`."""
    return next(at for at, rooms in enumerate(FLOORS) if room(name) in rooms)


@cache
def library() -> dict[str, Source]:
    """The files of `indexer` by name, without its own docstring."""
    return {source.name: source for source in sources() if source.name.startswith("indexer.")}


def imported(source: Source) -> Iterator[str]:
    """The modules of `indexer` that a file imports, or takes names from."""
    known = library()
    for name in source.imports:
        module = name if name in known else name.rpartition(".")[0]
        if module in known:
            yield module


def defined(source: Source) -> Iterator[str]:
    """The names that a file gives to classes, functions, arguments, variables and attributes."""
    for node in ast.walk(source.tree):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name
            case ast.arg():
                yield node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr


def words(name: str) -> set[str]:
    """The words of a name, in lower case: `story` and `files` of `StoryFiles` and `STORY_FILES`."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def folder(source: Source) -> str:
    """The package that a file is in: of an `__init__`, the package itself."""
    return source.name if source.path.stem == "__init__" else source.name.rpartition(".")[0]


def product() -> list[Source]:
    """The files that are no tests, benchmarks or scripts."""
    tools = ("tests", "benchmarks", "scripts")
    return [source for source in sources() if not any(within(source, name) for name in tools)]


def names(found: Iterable[Source]) -> list[str]:
    """What to show of files that break a rule."""
    return [source.name for source in found]


def test_no_import_goes_up_or_sideways() -> None:
    wrong = [
        f"{source.name} imports {name}"
        for source in library().values()
        for name in imported(source)
        if room(name) != room(source.name) and floor(name) >= floor(source.name)
    ]
    assert wrong == []


def test_no_rooms_import_each_other_in_a_circle() -> None:
    arrows: dict[str, set[str]] = {}
    for source in library().values():
        here = folder(source)
        there = {folder(library()[name]) for name in imported(source)} - {here}
        if room(source.name) in PORTS and source.path.stem == "__init__":
            there = {each for each in there if not each.startswith(f"{here}.") or each == LANGUAGE}
        arrows.setdefault(here, set()).update(there)
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' → '.join(error.args[1])}")


def test_the_flavors_import_nothing_that_imports_them() -> None:
    pipeline = next(source for source in sources() if source.name == "pipeline")
    assert sorted(set(imported(pipeline))) == [
        "indexer.commands.pipeline",  # under `if __name__ == "__main__"`
        "indexer.errors",
        "indexer.feeds.routing_keys",
        "indexer.messages.exchanges",
        "indexer.messages.message",
        "indexer.messages.pipelines",
        "indexer.messages.service",
    ]
    users = [source for source in library().values() if source.uses("pipeline")]
    assert {room(source.name) for source in users} == {"commands"}


def test_what_works_on_any_flavor_knows_no_step_by_name() -> None:
    steps = {step.name for flavor in PIPELINES for step in flavor.steps if step.name != flavor.name}
    wrong = [
        f"{source.name}: {node.value}"
        for source in sources()
        if any(within(source, package) for package in OF_ANY_FLAVOR)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant) and node.value in steps
    ]
    assert wrong == []


@each_row(("package", "forbidden"), FORBIDDEN.items())
def test_a_folder_does_not_import_what_is_above_it(
    package: str, forbidden: tuple[str, ...]
) -> None:
    wrong = [
        f"{source.name} imports {name}"
        for source in sources()
        if within(source, package)
        for name in forbidden
        if source.uses(name)
    ]
    assert wrong == []


@each_row("family", FAMILIES)
def test_a_program_imports_its_family_and_the_core(family: str) -> None:
    others = [f"{package}.{name}" for package in ("indexer", "workers") for name in FAMILIES]
    forbidden = [each for each in others if not each.endswith(f".{family}")]
    wrong = [
        f"{source.name} imports {name}"
        for source in sources()
        if within(source, f"workers.{family}")
        for name in (*forbidden, "indexer.commands", "pipeline", "newsroom", "benchmarks", "tests")
        if source.uses(name) and (source.name, name) not in SHOWS_ALL_FLAVORS
    ]
    assert wrong == []


@each_row(("library", "package"), BACKENDS.items())
def test_a_backend_is_imported_only_behind_its_package(library: str, package: str) -> None:
    users = [source for source in product() if source.uses(library)]
    assert names(source for source in users if not within(source, package)) == []


@each_row(("library", "homes"), HOMES.items())
def test_a_library_is_used_only_where_it_is_at_home(library: str, homes: tuple[str, ...]) -> None:
    users = [source for source in product() if source.uses(library)]
    assert users, f"{library} is not used at all"
    assert names(user for user in users if not any(within(user, home) for home in homes)) == []


def test_only_options_reads_the_environment() -> None:
    naming = [source for source in product() if re.search("environb?|getenvb?", source.text)]
    readers = [source for source in naming if reads_environment(source.tree)]
    assert names(readers) == ["indexer.system.options"]


def reads_environment(tree: ast.Module) -> bool:
    """Whether it says `os.environ` or `os.getenv`, or imports one of them."""
    reading = {"environ", "environb", "getenv", "getenvb"}
    attributes = (node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    taken = (node.name for node in ast.walk(tree) if isinstance(node, ast.alias))
    return not reading.isdisjoint([*attributes, *taken])


@each_row("library", ["pickle", "_pickle", "cPickle", "dill", "marshal", "shelve"])
def test_nothing_can_unpickle(library: str) -> None:
    assert names(source for source in product() if source.uses(library)) == []


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {source.name: len(source.text.splitlines()) for source in sources()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_no_room_has_more_modules_than_a_reader_can_take_in() -> None:
    widths = Counter(folder(source) for source in product())
    assert {name: width for name, width in widths.items() if width > WIDEST} == {}


def test_every_room_says_what_is_in_it() -> None:
    rooms = [source for source in library().values() if source.path.stem == "__init__"]
    assert names(source for source in rooms if not ast.get_docstring(source.tree)) == []


def test_every_module_says_what_it_is() -> None:
    others = [source for source in sources() if source.text and not within(source, "tests")]
    assert names(source for source in others if not ast.get_docstring(source.tree)) == []


def test_the_core_names_nothing_that_only_a_family_has() -> None:
    core = {name for rooms in FLOORS[: FLOORS.index(FAMILIES)] for name in rooms} - {*SHARED}
    found = {
        name: source.name
        for source in library().values()
        if room(source.name) in core
        for name in defined(source)
        if words(name) & NOUNS
    }
    assert {name: where for name, where in found.items() if name not in FAMILIAR} == {}
    assert set(FAMILIAR) - set(found) == set()


def test_no_module_has_a_name_that_says_nothing() -> None:
    vague = [source for source in sources() if not VAGUE.isdisjoint(source.name.split("."))]
    assert [name for name in names(vague) if name not in SEEDS_CONTRACT] == []


@pytest.mark.parametrize(
    "path", [*sorted(path.name for path in ROOT.glob("requirements*.txt")), "pyproject.toml"]
)
def test_no_lock_names_an_index_or_a_host(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    assert not [word for word in ("://", "--index", "--find-links", " @ ") if word in text]


def test_a_public_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    programs = [source for source in sources() if within(source, "workers")]
    for source in (*library().values(), *programs):
        for node in source.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(source.name)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_options_classes_are_at_most_two_levels_deep() -> None:
    nodes = (node for source in product() for node in source.tree.body)
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}

    def level(name: str) -> int:
        """How far a class is below `Options`; 0 for `Options`, and for all other classes."""
        if name == "Options" or name not in classes:
            return 0
        bases = [base.id for base in classes[name].bases if isinstance(base, ast.Name)]
        return max(
            (1 + level(base) for base in bases if base == "Options" or level(base)), default=0
        )

    assert {name: level(name) for name in classes if level(name) > 2} == {}
