"""The limits of trees: no file makes us recurse too deeply or visit too many values."""

from indexer.errors import UnreadableManifest
from indexer.software.syntax.tree import Tree

MAX_DEPTH = 64
"""The most values inside of each other: the deepest manifests of real projects have about 12."""

MAX_NODES = 100_000
"""The most values of a file, with each value of an alias counted again where it is used."""

MAX_SLOW_BYTES = 1_000_000
"""The size of the largest file for syntaxes whose readers are written in Python."""


def bounded(tree: Tree) -> Tree:
    """Return a tree that is within the limits. Raises UnreadableManifest for another one."""
    level = [tree]
    nodes = 0
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return tree
        nodes += len(level)
        if nodes > MAX_NODES:
            raise UnreadableManifest(f"more than {MAX_NODES:,} values")
        level = [item for value in level for item in _items(value)]
    raise UnreadableManifest(f"values more than {MAX_DEPTH} levels deep")


def bounded_size(content: bytes) -> bytes:
    """Return the bytes of a file that a slow reader may read. Raises UnreadableManifest."""
    if len(content) > MAX_SLOW_BYTES:
        raise UnreadableManifest(f"{len(content):,} bytes: above the limit of {MAX_SLOW_BYTES:,}")
    return content


def _items(value: Tree) -> list[Tree]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
