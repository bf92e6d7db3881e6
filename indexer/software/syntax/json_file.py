"""JSON, as package managers of JavaScript and PHP write it, and as people edit it."""

import json
import re

import msgspec

from indexer.errors import UnreadableManifest
from indexer.software.syntax.encoding import text_of
from indexer.software.syntax.limits import MAX_DEPTH, bounded
from indexer.software.syntax.tree import Tree

_LARGE = 100_000
"""Bytes of a file that may hold more values than the limit; a smaller one cannot."""

_REMARKS = re.compile(r'("(?:[^"\\]|\\.)*+")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*+[}\]])', re.DOTALL)


def read_json(content: bytes) -> Tree:
    """Return the tree of a JSON document. Raises UnreadableManifest.

    Accepted though RFC 8259 forbids them: a byte order mark, encodings other than UTF-8, and line
    breaks inside of texts; NaN, infinities and numbers out of range stay texts. Of equal keys the
    last one wins. Refused, as by package managers: remarks, and a comma after the last item.
    """
    try:
        tree: Tree = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return bounded(_tolerant(text_of(content)))
    # A file with so few brackets cannot be too deep, and most files have few.
    if content.count(b"{") + content.count(b"[") > MAX_DEPTH or len(content) > _LARGE:
        return bounded(tree)
    return tree


def read_json_with_remarks(content: bytes) -> Tree:
    """Return the tree of JSON that may have remarks and a comma after the last item (JSONC).

    Raises UnreadableManifest.
    """
    text = text_of(content)
    for pattern in (_REMARKS, _LAST_COMMA):
        text = pattern.sub(lambda match: match[1] or " ", text)
    return read_json(text.encode())


def _tolerant(text: str) -> Tree:
    try:
        tree: Tree = json.loads(
            text, strict=False, parse_constant=str, parse_int=_whole, parse_float=_number
        )
        # Half of a surrogate pair, which an escape can spell, would fit into no output.
        tree = msgspec.json.decode(json.dumps(tree, ensure_ascii=False).encode("utf-8", "replace"))
    except RecursionError as error:
        raise UnreadableManifest(f"values more than {MAX_DEPTH} levels deep") from error
    except ValueError as error:
        raise UnreadableManifest(f"not JSON: {error}") from error
    return tree


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) < 19 else digits


def _number(digits: str) -> float | str:
    number = float(digits)
    return number if abs(number) != float("inf") else digits
