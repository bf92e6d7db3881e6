"""JSON, YAML, and headers of mail, as the existing system reads them (spec 5.4)."""

import json
import re
from collections.abc import Iterator
from email.errors import MessageError
from email.header import decode_header
from email.parser import HeaderParser

import yaml

from indexer.errors import UnreadableManifest
from indexer.software.syntax.tree import Tree

_ENCODED_WORD = re.compile(r"=\?[^?]*\?[^?]*\?([^?]*)\?=")
_CONTINUED = "\n" + " " * 8


def read_json(content: bytes) -> Tree:
    """Return the tree of JSON in UTF-8, without a byte order mark; NaN is accepted."""
    try:
        tree: Tree = json.loads(content.decode())
        if rb"\ud" in content.lower():
            # Half a character: no file and no database can hold it.
            tree = json.loads(json.dumps(tree, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise UnreadableManifest(f"not JSON: {error}") from error
    return tree


class _TextDates(yaml.SafeLoader):
    """Loads dates as the texts that they are written as."""


_TextDates.yaml_implicit_resolvers = {
    start: [each for each in found if each[0] != "tag:yaml.org,2002:timestamp"]
    for start, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_yaml(content: bytes) -> Tree:
    """Return the tree of one YAML document in UTF-8; scalars have their types, dates are texts."""
    try:
        tree: Tree = yaml.load(content.decode(), _TextDates)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        raise UnreadableManifest(f"not YAML: {error}") from error
    if isinstance(tree, dict):
        return {key: value for key, value in tree.items() if isinstance(key, str)}
    return tree


def read_headers(content: bytes) -> Tree:
    """Return the values of each header by its name in lower case; any bytes are readable."""
    message = HeaderParser().parsestr(content.decode("utf-8", "replace"))
    headers: dict[str, Tree] = {}
    for name, raw in message.items():
        value = _decoded(str(raw)).replace(_CONTINUED, "\n")
        if value != "UNKNOWN":
            known = headers.setdefault(name.lower(), [])
            if isinstance(known, list):
                known.append(value)
    return headers


def _decoded(value: str) -> str:
    """A header with its encoded words decoded (RFC 2047)."""
    if "=?" not in value:
        return value
    try:
        return "".join(_chunks(value))
    except (ValueError, MessageError):
        return _ENCODED_WORD.sub(r"\1", value)


def _chunks(value: str) -> Iterator[str]:
    for chunk, charset in decode_header(value):
        if isinstance(chunk, str):
            yield chunk
            continue
        try:
            yield chunk.decode(charset or "utf-8", "replace")
        except LookupError:
            yield chunk.decode("utf-8", "replace")
