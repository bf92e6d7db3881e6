"""`story-indexer software translate`: the metadata files of a project as one document."""

import sys
from enum import StrEnum

from indexer.commands.console.parameters import with_options
from indexer.commands.software.parameters import Profile, ProjectPath, SourceOptions
from indexer.errors import ConfigurationError
from indexer.system.options import option


class OutputForm(StrEnum):
    """A form in which metadata are printed."""

    CODEMETA_3 = "codemeta-3"
    CODEMETA_2 = "codemeta-2"
    BIBTEX = "bibtex"
    CSL = "csl"
    CFF = "cff"


class TranslateOptions(SourceOptions):
    """Options of `translate`."""

    to: OutputForm = option(OutputForm.CODEMETA_3, "The form of the document.")
    profile: Profile = option(
        Profile.FULL,
        "compat: the document of the existing indexer of Software Heritage, in CodeMeta 2.0.",
    )


@with_options
def translate(path: ProjectPath, options: TranslateOptions) -> None:
    """Translate a project's metadata files to one document: CodeMeta, BibTeX, CSL or CFF.

    Where files contradict each other, the most trusted one counts: codemeta.json, then
    CITATION.cff, then the files of package managers. A line on standard error counts what is not
    used; `explain` lists it.

    Exit status: 0 if there is a document, 1 if no file states anything.

    Examples:

        story-indexer software translate my-project

        story-indexer software translate my-project --to codemeta-2 > codemeta.json

        story-indexer software translate my-project --to bibtex >> software.bib

        curl -s https://site.example/package.json | story-indexer software translate - --format npm
    """
    # The help needs none of it.
    from indexer.commands.software.documents import (  # noqa: PLC0415
        compat_document,
        lacking,
        printed,
        unused,
    )
    from indexer.commands.software.reading import merged_path, read_manifests  # noqa: PLC0415

    if options.profile is Profile.COMPAT:
        if not options.to.startswith("codemeta"):
            raise ConfigurationError(f"--profile compat is CodeMeta 2.0, and not {options.to}")
        print(compat_document(read_manifests(path, options.format)))
        return
    found = merged_path(path, options.format)
    print(printed(found, options.to))
    if gaps := lacking(found, options.to):
        print(f"{options.to} requires what no file states: {gaps}", file=sys.stderr)
    if said := unused(found):
        print(f"{said}: `story-indexer software explain` lists them", file=sys.stderr)
