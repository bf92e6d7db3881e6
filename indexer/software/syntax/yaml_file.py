"""YAML: each scalar is the text that the file has, so that `version: 1.10` is not 1.1."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import yaml

from indexer.errors import UnreadableManifest
from indexer.software.syntax.encoding import text_of
from indexer.software.syntax.limits import MAX_DEPTH, MAX_NODES, bounded, bounded_size
from indexer.software.syntax.tree import Tree

_NULL = frozenset({"", "~", "null", "Null", "NULL"})

Events = Iterator[yaml.Event]


def read_yaml(content: bytes) -> Tree:
    """Return the tree of the first document of a YAML file. Raises UnreadableManifest.

    All scalars are texts, but null. Tags are ignored, and aliases stand for the values that they
    name; no value may contain itself.
    """
    return read_yaml_text(text_of(bounded_size(content)))


def read_yaml_text(text: str) -> Tree:
    """Return the tree of the first document of a YAML text. Raises UnreadableManifest."""
    events = yaml.parse(text, Loader=yaml.CBaseLoader)
    try:
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                return bounded(_Document(events).value(next(events), 1))
    except (yaml.YAMLError, ValueError) as error:
        raise UnreadableManifest(f"not YAML: {' '.join(str(error).split())}") from error
    return {}


class _Anchored(NamedTuple):
    """A value that has a name, and the number of values in it."""

    value: Tree
    size: int


@dataclass(slots=True)
class _Document:
    """One document that is being built from its events."""

    events: Events
    nodes: int = 0
    anchors: dict[str, _Anchored] = field(default_factory=dict)

    def value(self, event: yaml.Event, depth: int) -> Tree:
        """Return the value that starts with an event."""
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if depth > MAX_DEPTH:
            raise UnreadableManifest(f"values more than {MAX_DEPTH} levels deep")
        start = self.nodes
        self._count(1)
        value = self._new_value(event, depth)
        if anchor := getattr(event, "anchor", None):
            self.anchors[anchor] = _Anchored(value, self.nodes - start)
        return value

    def _new_value(self, event: yaml.Event, depth: int) -> Tree:
        match event:
            case yaml.ScalarEvent():
                return None if event.implicit[0] and event.value in _NULL else event.value
            case yaml.SequenceStartEvent():
                return [self.value(item, depth + 1) for item in self._until(yaml.SequenceEndEvent)]
            case _:
                return self._mapping(depth)

    def _mapping(self, depth: int) -> dict[str, Tree]:
        found: dict[str, Tree] = {}
        for event in self._until(yaml.MappingEndEvent):
            key = (
                event.value if isinstance(event, yaml.ScalarEvent) else self.value(event, depth + 1)
            )
            if not isinstance(key, str):
                raise UnreadableManifest("not YAML of metadata: a key that is no text")
            found[key] = self.value(next(self.events), depth + 1)
        return found

    def _until(self, end: type[yaml.Event]) -> Events:
        while not isinstance(event := next(self.events), end):
            yield event

    def _alias(self, event: yaml.AliasEvent) -> Tree:
        if event.anchor not in self.anchors:
            raise UnreadableManifest(f"not YAML: no earlier value is named {event.anchor!r}")
        known = self.anchors[event.anchor]
        self._count(known.size)
        return known.value

    def _count(self, size: int) -> None:
        self.nodes += size
        if self.nodes > MAX_NODES:
            raise UnreadableManifest(f"more than {MAX_NODES:,} values, aliases included")
