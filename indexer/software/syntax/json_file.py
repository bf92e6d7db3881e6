"""JSON, as package managers of JavaScript and PHP write it, and as people edit it."""

import msgspec

from indexer.errors import UnreadableManifest
from indexer.software.syntax.tree import Tree


def read_json(content: bytes) -> Tree:
    """Return the tree of a JSON document. Raises UnreadableManifest."""
    try:
        tree: Tree = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableManifest(f"not JSON: {error}") from error
    return tree
