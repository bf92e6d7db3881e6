"""Problems of metadata files: errors, warnings and notes."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from indexer.commands.console.terminal import cell
from indexer.commands.software.lines import FileLines
from indexer.commands.software.reading import ReadManifest, merged, tree_of
from indexer.commands.software.showing import short
from indexer.software.merging.merged import MergedMetadata
from indexer.software.rules.key_rule import find

REQUIRED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "cff": ("cff-version", "message", "title", "authors"),
        "codemeta": ("@context",),
        "npm": ("name", "version"),
        "pubspec": ("name",),
        "cargo": ("package/name",),
        "publiccode": ("publiccodeYmlVersion", "name", "url"),
    }
)
"""Keys that a format's specification requires, by name of the format."""

RECOMMENDED = ("name", "description", "version", "author", "license", "codeRepository")
"""Terms that a description of software should have."""


class ManifestProblem(NamedTuple):
    """A problem, and its place; `line` is None if it isn't known, `file` empty for all files."""

    severity: str
    file: str
    line: int | None
    place: str
    why: str
    raw: str = ""

    def line_of_text(self) -> str:
        """Return the problem in one line, as compilers print it."""
        where = ":".join(filter(None, (self.file, str(self.line or ""))))
        raw = f": {cell(self.raw, 80)}" if self.raw else ""
        place = f" {self.place}" if self.place else ""
        return cell(f"{where}{': ' if where else ''}{self.severity}:{place} {self.why}") + raw


def problems(manifests: Sequence[ReadManifest]) -> Iterator[ManifestProblem]:
    """Yield errors, then warnings, then notes, each by file."""
    lines = {each.path: FileLines(each.path, each.content) for each in manifests}
    remarks = [
        ManifestProblem(
            "warning" if remark.place else "error",
            each.path,
            lines[each.path].of(remark.place) if remark.place else None,
            *remark,
        )
        for each in manifests
        for remark in each.translation.diagnostics
    ]
    found = merged(manifests)
    yield from (each for each in remarks if each.severity == "error")
    for manifest in manifests:
        yield from _missing_keys(manifest)
    yield from (each for each in remarks if each.severity == "warning")
    yield from _conflicts(found, lines)
    terms = {each.term for each in found.values}
    for term in RECOMMENDED:
        if term not in terms:
            yield ManifestProblem("note", "", None, "", f"no file states {term}")


def _missing_keys(manifest: ReadManifest) -> Iterator[ManifestProblem]:
    tree = tree_of(manifest)
    for key in REQUIRED.get(manifest.form.name, ()) if tree is not None else ():
        if not any(
            value not in (None, "", [], {}) for value, _ in find(tree, tuple(key.split("/")))
        ):
            yield ManifestProblem("error", manifest.path, None, "", f"the format requires {key}")


def _conflicts(found: MergedMetadata, lines: Mapping[str, FileLines]) -> Iterator[ManifestProblem]:
    for conflict in found.conflicts:
        best = conflict.kept[0].stated[0]
        for other in conflict.others:
            stated = other.stated[0]
            line = lines[stated.path].of(stated.place)
            kept = short(conflict.kept[0].value)
            why = f"{conflict.term} contradicts {best.path}, which has {kept}"
            yield ManifestProblem(
                "warning", stated.path, line, stated.place, why, short(other.value)
            )
