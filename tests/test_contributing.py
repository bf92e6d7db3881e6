"""The recipes of CONTRIBUTING.md work as they are written: see `test_contributing_slow.py`, too."""

import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

import pipeline
from indexer.blobstore import BACKENDS
from indexer.broker import open_broker
from indexer.commands.pipeline import app
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline
from indexer.search import open_index
from indexer.search.language.query import Query
from indexer.search.language.schema import Schema
from indexer.stories.indexing import documents, fields
from indexer.stories.story import ContentMetadata, Story
from pipeline import PIPELINES
from tests import recipes
from tests.blobstore.conftest import OPENERS, memory
from tests.blobstore.memory import Memory
from tests.stories.archived import NOON, a_story

NAME = "workers.stories.language_filter"


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The worker of the recipe, imported from a file of its own."""
    path = tmp_path / "language_filter.py"
    path.write_text(recipes.WORKER, encoding="utf-8")
    spec = spec_from_file_location(NAME, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, NAME, module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def flavor() -> Iterator[Pipeline]:
    """The flavor of the recipe, in the place where it is typed."""
    [added] = eval(f"[{recipes.FLAVOR}]", vars(pipeline))  # noqa: S307
    PIPELINES.append(added)
    yield added
    PIPELINES.remove(added)


def test_the_worker_keeps_the_stories_that_it_should(
    worker: ModuleType, flavor: Pipeline, tmp_path: Path
) -> None:
    languages = ["en", "de", None]
    stories = [Story(content_metadata=ContentMetadata(language=each)) for each in languages]
    broker = open_broker(f"sqlite:///{tmp_path}/queues.sqlite3")
    broker.declare(flavor.compile())
    broker.publish([Send("arch-queuer-out", story.key, story.dump()) for story in stories])
    assert worker.main(["--data", str(tmp_path), "--until-empty"]) == 0
    assert [Story.load(each.body) for each in broker.peek("importer-in", 9)] == stories[:1]
    broker.close()


def test_the_help_of_the_worker_is_its_docstring(
    worker: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        worker.main(["--help"])
    shown = capsys.readouterr().out
    assert (worker.__doc__ or "").strip() in shown
    assert "--languages" in shown
    assert "--test-file-prefix" in shown


def test_the_flavor_is_listed_and_shown(flavor: Pipeline) -> None:
    listed = CliRunner().invoke(app, ["list"], env={"COLUMNS": "200"}).output
    assert flavor.about in listed
    shown = CliRunner().invoke(app, ["show", "--type", flavor.name]).output
    assert "arch-queuer-out → language-filter-in [#]" in shown
    assert "language-filter-out → importer-in [#]" in shown


def test_the_blobstore_that_is_copied_passes_the_conformance_tests() -> None:
    # They run on it: it is one of the openers, and the line of the recipe is the one that is used.
    assert memory in OPENERS
    [(scheme, path)] = eval(f"{{{recipes.BLOBSTORE}}}").items()  # noqa: S307
    assert scheme not in BACKENDS
    assert path.rpartition(".")[2] == Memory.__name__


def test_the_field_is_stored_and_searched_by_its_line_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = eval(f"{{{recipes.FIELD}}}", vars(fields))  # noqa: S307
    table = fields.TABLE | added
    monkeypatch.setattr(documents, "TABLE", table)
    index = open_index(f"sqlite:///{tmp_path}/index.sqlite3", Schema(tuple(table)))
    index.add([documents.document(a_story(), NOON)])
    [hit] = index.search(Query("feed:7 feed:[1 TO 9]"))
    assert hit.document.get("feed_id") == 7
    index.close()
