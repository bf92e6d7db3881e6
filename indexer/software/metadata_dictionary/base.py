"""The two classes that a mapping of the seed's contract inherits from.

    translate(bytes) → dictionary → _translate_dict → CodeMeta 2.0

This is the project's one exception to "no inherited behaviour": mappings that were written for the
seed's contract run with only their imports changed (spec 9.3).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from indexer.software.compat.jsonld.compaction import CODEMETA_2, compact
from indexer.software.compat.jsonld.context import context_of
from indexer.software.compat.jsonld.expansion import expand_values
from indexer.software.compat.jsonld.node import Document, Node
from indexer.software.compat.keys.key_table import add_values
from indexer.software.compat.keys.values import Values, dates, links, texts
from indexer.software.syntax.tree import Tree
from indexer.software.vocabulary.contexts import iri_of


class MetadataMapping(ABC):
    """What every mapping has: a name, and a translation; `log_suffix` names the file."""

    name: ClassVar[str]

    def __init__(self, log_suffix: str = "") -> None:
        self.log_suffix = log_suffix

    @abstractmethod
    def translate(self, raw_content: bytes) -> Document | None:
        """Return the document of a file, or None if the file says nothing."""

    @classmethod
    def supported_terms(cls) -> frozenset[str]:
        """Return the IRI of each term that a document may have."""
        return frozenset()


class SingleFileMapping(MetadataMapping, ABC):
    """A mapping of files of one name, which is bytes; the case of letters doesn't count."""

    filename: ClassVar[bytes]

    @classmethod
    def matches(cls, name: bytes) -> bool:
        """Whether a file of this name is translated."""
        return name.lower() == cls.filename.lower()


class DictMapping(MetadataMapping, ABC):
    """A mapping of dictionaries: keys by a column of the crosswalk, values by their kind.

    `mapping`: the IRI of the term of each key, `CROSSWALK_TABLE['…']`. A key is read by the method
    `translate_<key>(document, value)`, which adds to the document itself; else, if the key is in
    `mapping`, by `normalize_<key>(value)`, which returns values of JSON-LD; else as one of
    `string_fields`, `date_fields`, `uri_fields`. Other keys are ignored. A `-` in a key is a `_` in
    the name of its method.
    """

    mapping: ClassVar[Mapping[str, str]]
    string_fields: ClassVar[Sequence[str]] = ()
    date_fields: ClassVar[Sequence[str]] = ()
    uri_fields: ClassVar[Sequence[str]] = ()

    @classmethod
    def supported_terms(cls) -> frozenset[str]:
        """Return the IRI of each term of `mapping` whose key is read."""
        fields = {*cls.string_fields, *cls.date_fields, *cls.uri_fields}
        methods = ("normalize_", "translate_")
        return frozenset(
            iri
            for key, iri in cls.mapping.items()
            if key in fields or any(hasattr(cls, each + _method(key)) for each in methods)
        )

    def extra_translation(self, document: Node, content_dict: Mapping[str, Any]) -> None:
        """Add to a document what no single key says; it is called last."""

    def _translate_dict(self, content_dict: Mapping[str, Any]) -> Document:
        """Return the document of a dictionary, in CodeMeta 2.0."""
        document: Node = {"@type": [iri_of("schema:SoftwareSourceCode")]}
        for key, value in content_dict.items():
            if translate := getattr(self, f"translate_{_method(key)}", None):
                translate(document, value)
            elif key in self.mapping:
                add_values(document, self.mapping[key], self._values(key, value))
        self.extra_translation(document, content_dict)
        return compact([_expanded(document)])

    def _values(self, key: str, value: Tree) -> Values:
        normalize: Callable[[Tree], Any] | None = getattr(self, f"normalize_{_method(key)}", None)
        if normalize is not None:
            found = expand_values(_written(normalize(value)), context_of(CODEMETA_2))
            return [each for each in found if " " not in each.get("@id", "")]
        if key in self.string_fields:
            return texts(value)
        return dates(value) if key in self.date_fields else self._links(key, value)

    def _links(self, key: str, value: Tree) -> Values:
        return links(value) if key in self.uri_fields else ()


def _method(key: object) -> str:
    """The end of the names of the methods that read a key."""
    return re.sub(r"\W", "_", str(key))


def _written(value: Any) -> Tree:
    """Values that a method returned, as JSON: other sequences become lists."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_written(each) for each in value]
    return value if isinstance(value, dict | str | int | float | None) else str(value)


def _expanded(document: Node) -> Node:
    """A document to which `translate_<key>` may have added values that are not expanded."""
    context = context_of(CODEMETA_2)
    expanded: Node = {}
    for key, value in document.items():
        if key.startswith("@"):
            expanded[key] = value
        else:
            iri = context.iri(key, in_vocabulary=True)
            add_values(expanded, iri, expand_values(_written(value), context))
    return expanded
