"""Merged metadata in the forms in which they are printed."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from indexer.commands.console.terminal import lines_of_json
from indexer.software.merging.merged import MergedMetadata

FORMS: Mapping[str, Callable[[MergedMetadata], str]] = MappingProxyType(
    {
        "codemeta-3": lambda found: lines_of_json(found.document("3.0")),
        "codemeta-2": lambda found: lines_of_json(found.document("2.0")),
    }
)
"""The text of metadata in each form, by name."""


def printed(found: MergedMetadata, form: str) -> str:
    """Return the text of metadata in a form of that name."""
    return FORMS[form](found)


def unused(found: MergedMetadata) -> str:
    """Return how many conflicts and remarks there are, or an empty text."""
    remarks = sum(
        len(each.translation.diagnostics.kept) + each.translation.diagnostics.more
        for each in found.manifests
    )
    counts = ((len(found.conflicts), "conflict"), (remarks, "remark"))
    return ", ".join(f"{count} {noun}{'s' * (count > 1)}" for count, noun in counts if count)
