"""The README's commands exist, with the options that it shows, and its links lead somewhere."""

import re
from pathlib import Path

import pytest
import typer.main

from indexer.commands.main import app

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
COMMAND = typer.main.get_command(app)
SHOWN = re.findall(r"story-indexer (run|search|extract|warc)\b((?:[^\n\\]|\\\n)*)", README)


@pytest.mark.parametrize(("name", "rest"), SHOWN)
def test_the_readmes_commands_have_the_options_it_shows(name: str, rest: str) -> None:
    command = COMMAND.commands[name]  # type: ignore[attr-defined]  # a typer group has them
    known = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"--[a-z-]+", rest)) <= known


@pytest.mark.parametrize("target", ["run", "test"])
def test_the_two_commands_are_targets_of_the_makefile(target: str) -> None:
    assert f"make {target} " in README
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.M)


@pytest.mark.parametrize("path", re.findall(r"\]\(([\w/.-]+)\)", README))
def test_the_readmes_links_lead_somewhere(path: str) -> None:
    assert (ROOT / path).exists()
