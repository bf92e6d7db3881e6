"""`story-indexer software`: commands for the metadata of software projects."""

from collections.abc import Mapping

from indexer.commands.console.groups import Later, LazyGroup, new_app

_HERE = "indexer.commands.software"

COMMANDS: Mapping[str, Later] = {
    "translate": Later(
        f"{_HERE}.translating:translate",
        "Translate a project's metadata files to one document: CodeMeta, BibTeX, CSL or CFF.",
    ),
    "explain": Later(
        f"{_HERE}.explaining:explain",
        "Explain a translation: the files, places and rules of each value, and what is not used.",
    ),
    "validate": Later(
        f"{_HERE}.checking:validate",
        "Validate metadata files: errors, warnings and notes, each with its file and line.",
    ),
    "coverage": Later(
        f"{_HERE}.checking:coverage",
        "Show which terms of CodeMeta the metadata files state, and which no file states.",
    ),
    "diff": Later(
        f"{_HERE}.checking:diff",
        "Show the values that two projects, files or documents don't have in common.",
    ),
    "head": Later(
        f"{_HERE}.indexing:head",
        "Show the head of each origin: its root directory, and the rule that chose it.",
    ),
    "index": Later(
        f"{_HERE}.indexing:index",
        "Index origins: store the metadata of their heads, and make it searchable.",
    ),
    "mapping": Later(
        f"{_HERE}.mappings.mapping:app",
        "Look at single mappings: their names and terms, and the translation of one file.",
    ),
}


class _Software(LazyGroup):
    later = COMMANDS


app = new_app(
    """Translate the metadata files of software projects to CodeMeta and citations.

    Examples:

        story-indexer software translate my-project

        story-indexer software explain my-project
    """,
    _Software,
)
