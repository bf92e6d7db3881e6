"""Merged metadata in the forms in which they are printed."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from indexer.commands.console.terminal import lines_of_json
from indexer.commands.software.reading import ReadManifest
from indexer.errors import InputError
from indexer.software.citing.bibtex import bibtex
from indexer.software.citing.cff import cff, gaps
from indexer.software.citing.citation import Citation, citation_of, citations_of
from indexer.software.citing.csl import csl
from indexer.software.compat.merging import merge
from indexer.software.compat.table import MAPPINGS, translate
from indexer.software.merging.merged import MergedMetadata


def _with_publications(found: MergedMetadata) -> list[Citation]:
    document = found.document()
    return [citation_of(document), *citations_of(document, "referencePublication")]


def _cff(found: MergedMetadata) -> str:
    document = found.document()
    works = [citations_of(document, term) for term in ("referencePublication", "citation")]
    return cff(citation_of(document), *works)


FORMS: Mapping[str, Callable[[MergedMetadata], str]] = MappingProxyType(
    {
        "codemeta-3": lambda found: lines_of_json(found.document("3.0")),
        "codemeta-2": lambda found: lines_of_json(found.document("2.0")),
        "bibtex": lambda found: bibtex(_with_publications(found)),
        "csl": lambda found: lines_of_json(csl(_with_publications(found))),
        "cff": _cff,
    }
)
"""The text of metadata in each form, by name."""


def printed(found: MergedMetadata, form: str) -> str:
    """Return the text of metadata in a form of that name."""
    return FORMS[form](found).rstrip("\n")


def compat_document(manifests: Iterable[ReadManifest]) -> str:
    """Return the document that the existing system makes of some files (docs/software/compat.md).

    Files without one of its mappings are left out. Raises InputError if none is left.
    """
    by_class = {each.form.class_name: each.content for each in manifests}
    read = (
        translate(by_class[mapping.class_name], mapping)
        for mapping in MAPPINGS
        if mapping.class_name in by_class
    )
    if not (documents := [each for each in read if each]):
        raise InputError("no metadata file that the existing system reads")
    return lines_of_json(merge(documents))


def lacking(found: MergedMetadata, form: str) -> str:
    """Return what a form requires and the metadata lack, or an empty text."""
    return ", ".join(gaps(citation_of(found.document()))) if form == "cff" else ""


def unused(found: MergedMetadata) -> str:
    """Return how many conflicts and remarks there are, or an empty text."""
    remarks = sum(
        len(each.translation.diagnostics.kept) + each.translation.diagnostics.more
        for each in found.manifests
    )
    counts = ((len(found.conflicts), "conflict"), (remarks, "remark"))
    return ", ".join(f"{count} {noun}{'s' * (count > 1)}" for count, noun in counts if count)
