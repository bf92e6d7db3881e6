"""Expansion: a document of JSON-LD → its nodes, with IRIs instead of terms (JSON-LD 1.1, 5.1)."""

from collections.abc import Iterator

from indexer.errors import UnreadableManifest
from indexer.software.compat.jsonld.context import EMPTY, KEYWORDS, Context, context_of
from indexer.software.compat.jsonld.node import Node, Value
from indexer.software.syntax.tree import Tree


def expand(document: Tree, context: Context = EMPTY) -> list[Node]:
    """Return the nodes at the top of a document. Raises UnreadableManifest.

    Keys that the context doesn't know are dropped, and so are texts that belong to no property.
    """
    try:
        found = list(_expanded(document, None, context))
    except RecursionError as error:
        raise UnreadableManifest("too many levels") from error
    if len(found) == 1 and found[0].keys() == {"@graph"}:
        found = found[0]["@graph"]
    return [node for node in found if _is_described(node)]


def expand_values(value: Tree, context: Context) -> list[Value]:
    """Return the values of a property that has no definition. Raises UnreadableManifest."""
    return list(_expanded(value, "", context))


def _is_described(node: Node) -> bool:
    """Whether a node at the top says anything but its own IRI."""
    return bool(node.keys() - {"@id"}) and not node.keys() & {"@value", "@list"}


def _expanded(value: Tree, key: str | None, context: Context) -> Iterator[Value]:
    """The expanded values under a key; `key` is None at the top of a document."""
    match value:
        case None:
            return
        case list():
            for each in value:
                inner = list(_expanded(each, key, context))
                yield from [{"@list": inner}] if _nested(each, key, context) else inner
        case dict():
            yield from _object(value, key, context)
        case _ if key is not None:
            yield _scalar(value, key, context)


def _nested(value: Tree, key: str | None, context: Context) -> bool:
    definition = context.terms.get(key or "")
    return isinstance(value, list) and definition is not None and definition.is_list


def _scalar(value: str | float | bool, key: str, context: Context) -> Value:
    definition = context.terms.get(key)
    kind = definition.type if definition else ""
    if isinstance(value, str) and kind in {"@id", "@vocab"}:
        return {"@id": context.iri(value, in_vocabulary=kind == "@vocab")}
    if kind and not kind.startswith("@"):
        return {"@value": value, "@type": kind}
    if isinstance(value, str) and context.language:
        return {"@value": value, "@language": context.language}
    return {"@value": value}


def _object(value: dict[str, Tree], key: str | None, context: Context) -> Iterator[Value]:
    if "@context" in value:
        context = context_of(value["@context"], context)
    node: Node = {}
    for name, inner in value.items():
        iri = context.iri(name, in_vocabulary=True)
        if iri in KEYWORDS:
            _add_keyword(node, iri, inner, key, context)
        elif ":" in iri and inner is not None:
            found = _property(inner, name, context)
            if found or isinstance(inner, list):
                node.setdefault(iri, []).extend(found)
    yield from _checked(node)


def _property(value: Tree, name: str, context: Context) -> list[Value]:
    found = list(_expanded(value, name, context))
    definition = context.terms.get(name)
    if definition is None or not definition.is_list:
        return found
    is_written_as_list = isinstance(value, dict) and bool(found) and "@list" in found[0]
    return found if is_written_as_list else [{"@list": found}]


def _add_keyword(node: Node, keyword: str, value: Tree, key: str | None, context: Context) -> None:
    if keyword in node and keyword not in ("@type", "@included"):
        raise UnreadableManifest(f"no JSON-LD: two values of {keyword}")
    match keyword, value:
        case "@context", _:
            pass
        case "@id", str():
            node["@id"] = context.iri(value)
        case "@type", str():
            node.setdefault("@type", []).append(context.iri(value, in_vocabulary=True))
        case "@type", list() if all(isinstance(each, str) for each in value):
            found = [context.iri(str(each), in_vocabulary=True) for each in value]
            node.setdefault("@type", []).extend(found)
        case "@value", None | str() | bool() | int() | float():
            node["@value"] = value
        case (("@list" | "@set"), _):
            node[keyword] = list(_expanded(value, key or "", context))
        case (("@graph" | "@included"), _):
            node[keyword] = list(_expanded(value, None, context))
        case (("@language" | "@index"), str()):
            node[keyword] = value
        case _:
            raise UnreadableManifest(f"no JSON-LD: {keyword} with such a value")


def _checked(node: Node) -> Iterator[Value]:
    if "@value" in node:
        if node.keys() - {"@value", "@type", "@language", "@index"}:
            raise UnreadableManifest("no JSON-LD: a value with properties")
        if "@type" in node:
            node["@type"] = node["@type"][0]
        if node["@value"] is not None:
            yield node
    elif "@set" in node:
        yield from node["@set"]
    elif node.keys() != {"@language"}:
        yield node
