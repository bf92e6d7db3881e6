"""Cabal: fields and sections by indentation, as Haskell's packages have them."""

import re
from typing import NamedTuple, TypeAlias

from indexer.software.syntax.encoding import text_of
from indexer.software.syntax.limits import bounded, bounded_size
from indexer.software.syntax.tree import Tree

SECTION_NAME = "#name"
"""The key of the words after the name of a section, such as `head` of `source-repository head`."""

_FIELD = re.compile(r"([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*)")
_SECTION = re.compile(r"([A-Za-z][\w-]*)(?:[ \t]+(.*?))?[ \t]*\{?")

_CONDITIONS = frozenset({"if", "elif", "else"})
"""Their fields belong to the section around them: which branch holds is unknown."""

Fields: TypeAlias = "dict[str, list[str | Fields]]"


class _Entry(NamedTuple):
    """A line that starts a field or a section, and the lines that continue a field."""

    indentation: int
    text: str
    field: re.Match[str] | None
    more: list[str]


def read_cabal(content: bytes) -> Tree:
    """Return the fields of a package, names in lower case; each kind of section is a list of them.

    The values of a repeated field have commas between them. Raises UnreadableManifest.
    """
    root: Fields = {}
    around = [(-1, root)]
    for entry in _entries(text_of(bounded_size(content))):
        while entry.indentation <= around[-1][0]:
            around.pop()
        fields = around[-1][1]
        if entry.field:
            lines = [entry.field[2], *("" if line == "." else line for line in entry.more)]
            fields.setdefault(entry.field[1].lower(), []).append("\n".join(lines).strip())
        elif section := _SECTION.fullmatch(entry.text):
            around.append((entry.indentation, _opened(section, fields, root)))
    return bounded(_collected(root))


def _entries(text: str) -> list[_Entry]:
    entries: list[_Entry] = []
    for line in text.expandtabs().splitlines():
        stripped = line.strip()
        if not stripped or stripped.startswith("--") or stripped == "}":
            continue
        indentation = len(line) - len(line.lstrip())
        if entries and entries[-1].field and indentation > entries[-1].indentation:
            entries[-1].more.append(stripped)
        else:
            entries.append(_Entry(indentation, stripped, _FIELD.fullmatch(stripped), []))
    return entries


def _opened(section: re.Match[str], fields: Fields, root: Fields) -> Fields:
    name = section[1].lower()
    if name in _CONDITIONS:
        return fields
    opened: Fields = {SECTION_NAME: [section[2] or ""]}
    root.setdefault(name, []).append(opened)
    return opened


def _collected(fields: Fields) -> dict[str, Tree]:
    """The tree of fields: repeated fields add to their list, sections are a list."""
    found: dict[str, Tree] = {}
    for name, values in fields.items():
        sections = [_collected(each) for each in values if isinstance(each, dict)]
        texts = [each for each in values if isinstance(each, str)]
        found[name] = [*sections] or ",\n".join(texts)
    return found
