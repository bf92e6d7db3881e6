"""`story-indexer software mapping`: the mappings of metadata, one by one."""

from collections.abc import Mapping

from indexer.commands.console.groups import Later, LazyGroup, new_app

_HERE = "indexer.commands.software.mappings.showing_mappings"

COMMANDS: Mapping[str, Later] = {
    "list": Later(f"{_HERE}:list_mappings", "List the names of the mappings."),
    "list-terms": Later(
        f"{_HERE}:list_terms", "List the terms that the mappings yield, each with its mappings."
    ),
    "translate": Later(
        f"{_HERE}:translate_file", "Translate one file by a mapping, and print its document."
    ),
}


class _Mappings(LazyGroup):
    later = COMMANDS


app = new_app(
    """Look at mappings of metadata, and translate one file by one of them.

    Example:

        story-indexer software mapping list-terms --exclude-mapping codemeta
    """,
    _Mappings,
)
