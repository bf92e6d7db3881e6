"""Coverage: the terms of CodeMeta that metadata state, by file, and those that they don't."""

from collections.abc import Iterator
from textwrap import wrap
from typing import TypedDict

from indexer.commands.console.terminal import cell
from indexer.software.merging.merged import MergedMetadata
from indexer.software.vocabulary.crosswalk import software_terms

WIDTH = 78


class Coverage(TypedDict):
    """The files of each term that is stated, in the order of the crosswalk; terms that are not."""

    stated: dict[str, list[str]]
    missing: list[str]


def covered(found: MergedMetadata) -> Coverage:
    """Return the terms of CodeMeta 3.0 that describe software, and other terms that are stated."""
    files: dict[str, list[str]] = {}
    for manifest in found.manifests:
        for term in dict.fromkeys(each.term for each in manifest.translation.properties):
            files.setdefault(term, []).append(manifest.path)
    terms = software_terms("3")
    known = {term: files[term] for term in terms if term in files}
    return {"stated": {**known, **files}, "missing": [each for each in terms if each not in files]}


def told(found: Coverage) -> Iterator[str]:
    """Yield the lines that tell a person of a coverage."""
    stated, missing = found["stated"], found["missing"]
    width = max(map(len, stated), default=0)
    yield from (
        f"{cell(term):<{width}}  {cell(', '.join(files))}" for term, files in stated.items()
    )
    yield from ("", f"{len(missing)} terms that no file states:")
    yield from wrap(", ".join(missing), WIDTH, initial_indent="    ", subsequent_indent="    ")
