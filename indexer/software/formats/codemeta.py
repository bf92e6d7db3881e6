"""codemeta.json: the identity, in whatever version, context and form of JSON-LD it is written.

    key         →  IRI                  →  term                    →  property
    as written     by the contexts         the short name in 3.0      values in compact form

Short, prefixed and full names of a term are equal, and so are `http` and `https` of schema.org, and
both namespaces of CodeMeta. Terms of unknown contexts are kept under the names that they have.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from indexer.software.readings.licences import licences
from indexer.software.readings.links import is_iri, literal
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.json_file import read_json
from indexer.software.syntax.tree import Tree, below
from indexer.software.vocabulary import contexts

SCHEMA, CODEMETA = contexts.PREFIXES["schema"], contexts.PREFIXES["codemeta"]

NAMESPACES = (
    (SCHEMA, "schema:"),
    ("https://schema.org/", "schema:"),
    (CODEMETA, "codemeta:"),
    ("https://w3id.org/codemeta/terms/", "codemeta:"),
)
"""Namespaces, and the prefix that each is written with."""

KNOWN_CONTEXTS = frozenset(
    {
        *("doi.org/10.5063/schema/codemeta-2.0", "doi.org/doi:10.5063/schema/codemeta-2.0"),
        *("purl.org/codemeta/2.0", "w3id.org/codemeta/2.0", "w3id.org/codemeta"),
        *("w3id.org/codemeta/3.0", "w3id.org/codemeta/3.1", "w3id.org/codemeta/4.0"),
        *("w3id.org/codemeta/v4", "schema.org", "codemeta.github.io/terms"),
        *("w3id.org/codemeta/terms", "schema.org/docs/jsonldcontext.json"),
    }
)
"""Contexts without their scheme (spec 5.2). Copies of a repository's files are known by name."""

KEYWORDS = MappingProxyType({"@id": "id", "@type": "type", "id": "id", "type": "type"})

SOFTWARE_TYPES = frozenset({"SoftwareSourceCode", "SoftwareApplication"})


def terms_of(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield a property for each value of the document's node that describes the software."""
    if not isinstance(tree, dict):
        return
    names = _names(tree.get("@context"), diagnostics)
    node, place, others = _main_node(tree, names)
    for key, value in node.items():
        if key in ("@context", "@graph"):
            continue
        at = below(place, key)
        term = names.term(key, at, diagnostics)
        rule = f"{key} → {term} (identity)"
        for item, where in _values(value, at):
            found = names.type(item) if term == "type" else _linked(names.compact(item), others)
            for read, there in _read(term, key, found, where, diagnostics):
                yield Property(term, read, there, rule)


CODEMETA_JSON = ManifestFormat(
    "codemeta",
    "CodemetaMapping",
    ("codemeta.json",),
    read_json,
    prepare=lambda tree, _: {"@graph": tree} if isinstance(tree, list) else tree,
    specials=(SpecialRule(terms_of, (*contexts.terms("3.0"), "id", "type"), ("*",)),),
    rank=1,
)


@dataclass(slots=True)
class _Names:
    """What the names of a document stand for: `own` are those that its own context defines."""

    own: dict[str, str] = field(default_factory=dict)
    vocabulary: str = ""

    def term(self, key: str, place: str, diagnostics: Diagnostics) -> str:
        """The name that a key has in CodeMeta 3.0; an unknown one stays as it is."""
        if key in KEYWORDS:
            return KEYWORDS[key]
        published = contexts.terms("3.0").get(key) or contexts.terms("2.0").get(key)
        if key in self.own or ":" in key or key.startswith("@"):
            name = self.prefixed(key)
        elif published:
            name = published.name
        elif self.vocabulary:
            name = self.prefixed(self.vocabulary + key)
        else:
            diagnostics.add(place, "no term of CodeMeta: kept under its name", key)
            return key
        return _known().get(name, name)

    def prefixed(self, key: str) -> str:
        """The prefixed name or the IRI of a key."""
        iri = self.own.get(key, key)
        prefix, colon, rest = iri.partition(":")
        if colon and prefix in self.own and not rest.startswith("//"):
            iri = self.own[prefix] + rest
        for namespace, name in NAMESPACES:
            if iri.startswith(namespace):
                return name + iri[len(namespace) :]
        return iri

    def compact(self, value: Tree) -> Tree:
        """A value with the short keywords and types of the compact form."""
        if isinstance(value, list):
            return [self.compact(item) for item in value]
        if not isinstance(value, dict):
            return value
        if isinstance(value.get("@list"), list):
            return [self.compact(item) for item in _listed(value["@list"])]
        if value.keys() == {"@value"}:
            return value["@value"]
        return {
            name: self.type(item) if name == "type" else self._inner(key, item)
            for key, item in value.items()
            if (name := KEYWORDS.get(key) or self._nested(key))
        }

    def _inner(self, key: str, value: Tree) -> Tree:
        # The expanded form, whose keys are IRIs, has a list around each value.
        if "://" in key and isinstance(value, list) and len(value) == 1:
            return self.compact(value[0])
        return self.compact(value)

    def _nested(self, key: str) -> str:
        """A name inside of an object: full names become short, all others stay as written."""
        return _known().get(self.prefixed(key), key) if "://" in key else key

    def type(self, value: Tree) -> Tree:
        """The short names of the types of a node."""
        if isinstance(value, list):
            types = [self.type(item) for item in value]
            return types[0] if len(types) == 1 else types
        if not isinstance(value, str):
            return value
        name = self.prefixed(value)
        return _known().get(name, name)


@cache
def _known() -> Mapping[str, str]:
    """The term of 3.0 of each prefixed name, those of 2.0 included."""
    renamed = {"codemeta:contIntegration": "continuousIntegration"}
    renamed["codemeta:embargoDate"] = "embargoEndDate"
    return MappingProxyType({**contexts.short_names("3.0"), **renamed})


def _names(context: Tree, diagnostics: Diagnostics) -> _Names:
    names = _Names(dict(contexts.PREFIXES))
    for item in context if isinstance(context, list) else [context]:
        if isinstance(item, str) and not _is_known_context(item):
            diagnostics.add("/@context", "an unknown context: known terms are used", item)
        elif isinstance(item, str) and "schema.org" in item:
            names.vocabulary = SCHEMA
        elif isinstance(item, dict):
            _define(names, item)
    return names


def _define(names: _Names, definitions: Mapping[str, Tree]) -> None:
    for name, definition in definitions.items():
        iri = definition.get("@id") if isinstance(definition, dict) else definition
        if name == "@vocab" and isinstance(iri, str):
            names.vocabulary = iri
        elif isinstance(iri, str) and name not in KEYWORDS and not iri.startswith("@"):
            names.own[name] = iri


def _is_known_context(url: str) -> bool:
    plain = url.lower().partition("://")[2].rstrip("/#")
    # Copies of the file in the repository of CodeMeta, such as `…/master/codemeta.jsonld`.
    return plain in KNOWN_CONTEXTS or plain.endswith("codemeta.jsonld")


Node = dict[str, Tree]


def _main_node(tree: Node, names: _Names) -> tuple[Node, str, Node]:
    """The node of the software, its place, and the other nodes by their ids."""
    graph = tree.get("@graph")
    nodes = [node for node in _listed(graph) if isinstance(node, dict)]
    if not nodes:
        return tree, "", {}
    chosen = next((node for node in nodes if _is_software(node, names)), nodes[0])
    place = below("/@graph", _listed(graph).index(chosen)) if isinstance(graph, list) else "/@graph"
    others = {
        identity: node
        for node in nodes
        if node is not chosen and isinstance(identity := node.get("@id", node.get("id")), str)
    }
    return chosen, place, {key: names.compact(node) for key, node in others.items()}


def _is_software(node: dict[str, Tree], names: _Names) -> bool:
    compact = names.compact({"type": node.get("@type", node.get("type"))})
    types = compact["type"] if isinstance(compact, dict) else None
    return any(each in SOFTWARE_TYPES for each in _listed(types) if isinstance(each, str))


def _listed(value: Tree) -> list[Tree]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _values(value: Tree, place: str) -> Iterator[tuple[Tree, str]]:
    """Each value of a key; the list of a term in expanded form is a list, too."""
    if isinstance(value, dict) and isinstance(inner := value.get("@list", value.get("@set")), list):
        value = inner
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _values(item, below(place, number))
    elif value is not None:
        yield value, place


def _linked(value: Tree, others: dict[str, Tree]) -> Tree:
    """The node that a reference in a graph names, the first time; else the value itself."""
    identity = value.get("id") if isinstance(value, dict) and value.keys() == {"id"} else value
    return others.pop(identity, value) if isinstance(identity, str) else value


def _read(
    term: str, key: str, value: Tree, place: str, diagnostics: Diagnostics
) -> Iterator[tuple[Tree, str]]:
    definition = contexts.terms("3.0").get(term)
    if isinstance(value, dict):
        value = _without_wrapping(value, definition)
    takes_iris = definition is not None and definition.is_iri
    if not takes_iris or not isinstance(value, str) or is_iri(value):
        yield value, place
    elif term == "license":
        yield from licences(value, place, diagnostics)
    else:
        if ":" not in key:
            diagnostics.add(place, "no absolute IRI: kept as a text", value)
        yield literal(value), place


def _without_wrapping(value: dict[str, Tree], definition: contexts.Term | None) -> Tree:
    """An IRI or a typed text, where the term itself says that its values are."""
    if definition is None:
        return value
    if definition.is_iri and value.keys() == {"id"}:
        return value["id"]
    if definition.type and value.keys() == {"type", "@value"}:
        return value["@value"]
    return value
