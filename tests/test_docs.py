"""What the documents show can be typed: commands, programs and options exist, and links lead on."""

import re
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import typer.main

from indexer.commands import pipeline, tree
from indexer.commands.elastic import conf as elastic_conf
from indexer.commands.programs.catalog import module
from indexer.commands.queues import qutil
from tests.each_row import each_row
from tests.paths import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]

COMMANDS = {
    "story-indexer": tree.app,
    "qutil": qutil.app,
    "elastic-conf": elastic_conf.app,
    "pipeline.py": pipeline.app,
}

_CODE = re.compile(r"^(?: {4,}|\$ )(.*(?:\\\n.*)*)", re.MULTILINE)
_COMMAND = re.compile(
    r"(?:^|[ /])(story-indexer|qutil|elastic-conf|pipeline\.py|python -m workers\.[\w.]+)"
    r"((?: [^\n|#;]*?(?:\\\n[^\n|]*)*)?)(?: {3,}.*)?$",
    re.MULTILINE,
)
_MODULE = re.compile(r"`([a-z_]+/(?:[a-z_]+/)*[a-z_]+\.py)`")
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")


class Shown(NamedTuple):
    """A command as a document has it."""

    document: str
    program: str
    words: tuple[str, ...]


def shown() -> Iterator[Shown]:
    """Every command in the code of the documents."""
    for path in DOCUMENTS:
        for code in _CODE.findall(path.read_text(encoding="utf-8")):
            for program, rest in _COMMAND.findall(code):
                words = rest.replace("\\\n", " ").partition("   ")[0].split()
                yield Shown(str(path.relative_to(ROOT)), program, tuple(words))


SHOWN = sorted(set(shown()))


@each_row("command", SHOWN)
def test_a_command_that_is_shown_exists_with_its_options(command: Shown) -> None:
    given = {word.partition("=")[0] for word in command.words if word.startswith("--")}
    assert given - known(command) == set(), command


def test_there_are_commands_of_each_program() -> None:
    programs = {command.program for command in SHOWN}
    assert programs >= {"story-indexer", "qutil", "elastic-conf", "pipeline.py"}
    named = {command.words[:2] for command in SHOWN if command.words[:1] == ("program",)}
    assert len(named) > 10


def known(command: Shown) -> set[str]:
    """The options of what is shown."""
    if command.program.startswith("python -m "):
        return options_of(command.program.removeprefix("python -m ")) | {"--help"}
    if command.words[:1] == ("program",) and len(command.words) > 1:
        return options_of(module(command.words[1])) | {"--help"}
    found: Any = typer.main.get_command(COMMANDS[command.program])
    words = list(command.words)
    options = _options(found)
    while hasattr(found, "commands"):
        if not words or (words[0].startswith("-") and "configure" in found.commands):
            words.insert(0, "configure" if "configure" in found.commands else "--help")
        name = words.pop(0)
        if name == "--help":
            break
        # `list|show` names several
        names = name.rstrip("…").split("|")
        assert set(names) <= found.commands.keys(), command
        found = found.commands[names[0]]
        options = _options(found)
    return options | {"--help"}


def _options(command: Any) -> set[str]:
    return {
        flag
        for parameter in command.params
        for flag in (*parameter.opts, *parameter.secondary_opts)
    }


def options_of(module: str) -> set[str]:
    """Return the options in the help of a program."""
    with redirect_stdout(StringIO()) as shown, suppress(SystemExit):
        import_module(module).main(["--help"])
    return set(re.findall(r"--[a-z][a-z-]*", shown.getvalue().partition("\noptions:\n")[2]))


@each_row("document", DOCUMENTS)
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert [path for path in _LINK.findall(text) if not (document.parent / path).exists()] == []


def test_the_notice_names_files_that_exist() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    named = re.findall(r"\b(?:indexer|newsroom|tests)/[\w./]*\w", notice)
    assert len(named) > 10
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_document_of_operations_is_listed() -> None:
    folder = ROOT / "docs" / "operations"
    index = (folder / "README.md").read_text(encoding="utf-8")
    names = {path.name for path in folder.glob("*.md")} - {"README.md"}
    assert names <= set(_LINK.findall(index))


@each_row("target", ["run", "test"])
def test_the_two_commands_of_the_readme_are_targets_of_the_makefile(target: str) -> None:
    assert f"make {target} " in (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.M)


def test_the_modules_that_documents_name_exist() -> None:
    missing = [
        f"{document.relative_to(ROOT)}: {name}"
        for document in DOCUMENTS
        if document.name != "CONTRIBUTING.md"  # its recipes name files that are to be made
        for name in _MODULE.findall(document.read_text(encoding="utf-8"))
        if not ((ROOT / "indexer" / name).exists() or (ROOT / name).exists())
    ]
    assert missing == []
