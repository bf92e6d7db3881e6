"""`story-indexer software translate`: the metadata files of a project as one document."""

import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType

from indexer.commands.console.parameters import with_options
from indexer.commands.console.terminal import lines_of_json
from indexer.commands.software.parameters import Source, SourceOptions
from indexer.commands.software.reading import merged, read_manifests
from indexer.errors import InputError
from indexer.software.merging.merged import MergedMetadata
from indexer.system.options import option


class OutputForm(StrEnum):
    """A form in which metadata are printed."""

    CODEMETA_3 = "codemeta-3"
    CODEMETA_2 = "codemeta-2"


class TranslateOptions(SourceOptions):
    """Options of `translate`."""

    to: OutputForm = option(OutputForm.CODEMETA_3, "The form of the document.")


@with_options
def translate(source: Source, options: TranslateOptions) -> None:
    """Translate a project's metadata files to one document.

    Where files contradict each other, the most trusted one counts: codemeta.json, then
    CITATION.cff, then the files of package managers. A line on standard error counts what is not
    used; `explain` lists it.

    Exit status: 0 if there is a document, 1 if no file states anything.

    Examples:

        story-indexer software translate my-project

        story-indexer software translate my-project --to codemeta-2 > codemeta.json

        curl -s https://site.example/package.json | story-indexer software translate - --format npm
    """
    found = merged(read_manifests(source, options.format))
    if not found.values:
        reasons = [f"{m.path}: {d.why}" for m in found.manifests for d in m.translation.diagnostics]
        raise InputError("; ".join(reasons[:5]) or f"{source}: no metadata")
    print(_PRINTED[options.to](found).rstrip("\n"))
    _tell_unused(found)


def _tell_unused(found: MergedMetadata) -> None:
    diagnostics = sum(
        len(each.translation.diagnostics.kept) + each.translation.diagnostics.more
        for each in found.manifests
    )
    counts = ((len(found.conflicts), "conflicts"), (diagnostics, "remarks"))
    if said := ", ".join(f"{count} {noun}" for count, noun in counts if count):
        print(f"{said}: `story-indexer software explain` lists them", file=sys.stderr)


_PRINTED: Mapping[OutputForm, Callable[[MergedMetadata], str]] = MappingProxyType(
    {
        OutputForm.CODEMETA_3: lambda found: lines_of_json(found.document("3.0")),
        OutputForm.CODEMETA_2: lambda found: lines_of_json(found.document("2.0")),
    }
)
