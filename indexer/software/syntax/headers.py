"""Headers: `Name: value` lines with continuations, as Python, R and Debian write them.

Python (RFC 822): continuations are indented by 8 blanks, or by 7 and a bar; a body follows.
R (DCF): indentation and line breaks mean nothing. Debian: paragraphs, remarks, ` .` for a blank
line. Names are in lower case; the values of a repeated header are a list.
"""

import re
from collections.abc import Callable, Iterator
from email.errors import HeaderParseError
from email.header import decode_header, make_header

from indexer.software.syntax.encoding import text_of
from indexer.software.syntax.limits import bounded, bounded_size
from indexer.software.syntax.tree import Tree

BODY = "#body"
"""The key of the text after the headers."""

_HEADER = re.compile(r"([!-9;-~]+):[ \t]*(.*)")
_PYTHON_INDENTATION = re.compile(r"^(?: {7}\|| {8}|\t)")

Joining = Callable[[list[str]], str]


def read_python_headers(content: bytes) -> Tree:
    """Return the headers of PKG-INFO or METADATA, and the body. Raises UnreadableManifest."""
    lines = _lines(content)
    found = _paragraph(lines, _python_value)
    if body := "\n".join(lines).strip():
        found[BODY] = body
    return bounded(found)


def read_dcf(content: bytes) -> Tree:
    """Return the fields of a DESCRIPTION of R. Raises UnreadableManifest."""
    return bounded(_paragraph(_lines(content), _folded))


def read_debian_control(content: bytes) -> Tree:
    """Return the list of paragraphs of debian/control. Raises UnreadableManifest."""
    lines = (line for line in _lines(content) if not line.startswith("#"))
    found: list[Tree] = []
    while paragraph := _paragraph(lines, _debian_value):
        found.append(paragraph)
    return bounded(found)


def _lines(content: bytes) -> Iterator[str]:
    text = text_of(bounded_size(content))
    return iter(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def _paragraph(lines: Iterator[str], join: Joining) -> dict[str, Tree]:
    """The fields up to an empty line; a line that is no header belongs to the header above it."""
    fields: list[tuple[str, list[str]]] = []
    for line in lines:
        if not line and fields:
            break
        header = _HEADER.fullmatch(line)
        if header:
            fields.append((header[1].lower(), [header[2]]))
        elif fields:
            fields[-1][1].append(line)
    return _collected((name, join(value)) for name, value in fields)


def _collected(fields: Iterator[tuple[str, str]]) -> dict[str, Tree]:
    found: dict[str, list[Tree]] = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _python_value(lines: list[str]) -> str:
    first, *others = lines
    value = "\n".join([first, *(_PYTHON_INDENTATION.sub("", line) for line in others)]).strip()
    if "=?" not in value:
        return value
    try:
        # An unknown byte of a MIME word becomes a lone surrogate, which fits into no output.
        return str(make_header(decode_header(value))).encode("utf-8", "replace").decode()
    except (LookupError, ValueError, HeaderParseError):
        return value


def _folded(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def _debian_value(lines: list[str]) -> str:
    first, *others = (line.strip() for line in lines)
    return "\n".join([first, *("" if line == "." else line for line in others)]).strip()
