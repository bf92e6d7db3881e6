"""What people deposit beside their software: SWORD (Atom with CodeMeta) and COAR Notify."""

import re
from collections.abc import Iterator
from datetime import date
from types import MappingProxyType

from indexer.software.readings.links import is_iri
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.json_file import read_json
from indexer.software.syntax.tree import Tree, below
from indexer.software.syntax.xml_file import TEXT, read_qualified_xml
from indexer.software.translation.term_readers import reader_of
from indexer.software.vocabulary import contexts

ATOM = "http://www.w3.org/2005/Atom"
CODEMETA = contexts.URLS["2.0"]

ATOM_TERMS = MappingProxyType(
    {"title": "name", "name": "name", "author": "author", "email": "email"}
)
"""The terms of elements of Atom; its other elements describe the deposit."""

DATES = frozenset({"dateCreated", "dateModified", "datePublished"})
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")

RELATIONSHIPS = MappingProxyType(
    {
        "http://purl.org/vocab/frbr/core#supplement": (
            "http://purl.org/vocab/frbr/core#supplementOf"
        ),
        "http://purl.org/spar/cito/cites": "http://purl.org/spar/cito/isCitedBy",
        "http://purl.org/spar/cito/usesMethodIn": ("http://purl.org/spar/cito/providesMethodFor"),
        "https://schema.org/mentions": "https://schema.org/subjectOf",
        "http://schema.org/mentions": "http://schema.org/subjectOf",
    }
)
"""The inverse of each relationship that a mention may have."""


def entry(tree: Tree, diagnostics: Diagnostics) -> Tree:
    """Return the entry of an XML deposit, elements by their terms."""
    root = next(iter(tree.values()), None) if isinstance(tree, dict) else None
    return _named(root, diagnostics, "") if isinstance(root, dict) else {}


def json_entry(tree: Tree, diagnostics: Diagnostics) -> Tree:
    """Return the entry of a deposit in JSON, whose keys have the prefixes of XML."""
    if not isinstance(tree, dict):
        return tree
    default = tree.get("@xmlns", ATOM)
    if default not in (ATOM, CODEMETA):
        diagnostics.add("/@xmlns", "another namespace than those of Atom and CodeMeta", default)
        return {}
    prefixes: dict[str, str] = {"": str(default), "atom": ATOM, "codemeta": CODEMETA}
    for key, value in tree.items():
        if key.startswith("@xmlns:") and isinstance(value, str):
            prefixes[key.removeprefix("@xmlns:")] = value
    return _named(_qualified(tree, prefixes), diagnostics, "")


def _qualified(value: Tree, prefixes: dict[str, str]) -> Tree:
    if isinstance(value, list):
        return [_qualified(item, prefixes) for item in value]
    if not isinstance(value, dict):
        return value
    found: dict[str, Tree] = {}
    for key, item in value.items():
        prefix, colon, local = key.rpartition(":")
        if key.startswith(("@", "#")) or (colon and prefix not in prefixes):
            found[key] = _qualified(item, prefixes)
        else:
            found[f"{{{prefixes[prefix]}}}{local}"] = _qualified(item, prefixes)
    return found


def _named(value: Tree, diagnostics: Diagnostics, place: str) -> Tree:
    """A tree whose keys are terms, or IRIs of other namespaces; text wins over children."""
    if isinstance(value, list):
        return [
            _named(item, diagnostics, below(place, number)) for number, item in enumerate(value)
        ]
    if not isinstance(value, dict):
        return value
    if value.get(TEXT):
        return value[TEXT]
    found: dict[str, Tree] = {}
    for key, item in value.items():
        term = _term(key)
        if term and not key.startswith("@"):
            _add(found, term, _named(item, diagnostics, below(place, term)))
        elif not key.startswith(("@", "{" + ATOM)):
            diagnostics.add(below(place, key), "an element without a namespace")
    return found


def _add(found: dict[str, Tree], term: str, value: Tree) -> None:
    # Elements of Atom and of CodeMeta may stand for one term.
    if term not in found:
        found[term] = value
        return
    before, after = (each if isinstance(each, list) else [each] for each in (found[term], value))
    found[term] = [*before, *after]


def _term(key: str) -> str:
    namespace, closing, local = key.removeprefix("{").rpartition("}")
    if not closing:
        return ""
    if namespace == ATOM:
        return ATOM_TERMS.get(local, "")
    return local if namespace.lower() == CODEMETA.lower() else namespace + local


def deposited(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield each value of an entry; of several identities the first one counts."""
    for term, value in tree.items() if isinstance(tree, dict) else ():
        place, rule = below("", term), f"{term} (deposit)"
        if term == "id":
            yield from _identity(value, place, rule, diagnostics)
            continue
        given = _with_zeros(value, place, diagnostics) if term in DATES else value
        for found, where in reader_of(term)(given, place, diagnostics):
            yield Property(term, found, where, rule)


def _identity(value: Tree, place: str, rule: str, diagnostics: Diagnostics) -> Iterator[Property]:
    texts = [each for each in (value if isinstance(value, list) else [value]) if each]
    for number, text in enumerate(texts):
        if number or not isinstance(text, str):
            diagnostics.add(place, "another identity than the first one", text)
        else:
            yield Property("id", text, place, rule)


def _with_zeros(value: Tree, place: str, diagnostics: Diagnostics) -> Tree:
    match = _DATE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return value
    try:
        return date(int(match[1]), int(match[2]), int(match[3])).isoformat()
    except ValueError:
        diagnostics.add(place, "no day of the calendar: kept as a text", value)
        return value


def mention(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the citation that a notification announces."""
    announced = _part(tree, "object")
    software, relationship = _text(announced, "object"), _text(announced, "relationship")
    work = _part(tree, "context")
    inverse = RELATIONSHIPS.get(relationship)
    if not (software and inverse and _text(work, "id") and _text(tree, "id")):
        diagnostics.add("", "no mention: it lacks an id, an object, a context or a relationship")
        return
    if is_iri(software):
        yield Property("id", software, "/object/object", "object/object → id")
    cited: Tree = {inverse: {"id": _text(work, "id")}}
    yield Property("citation", cited, "/context", "context, object/relationship → citation")


def _part(tree: Tree, key: str) -> Tree:
    return tree.get(key, tree.get(f"as:{key}")) if isinstance(tree, dict) else None


def _text(tree: Tree, key: str) -> str:
    found = _part(tree, key)
    found = found.get("id") if isinstance(found, dict) else found
    return found if isinstance(found, str) else ""


_TERMS = ("id", *contexts.terms("3.0"))

SWORD = ManifestFormat(
    "sword-codemeta",
    "SwordCodemetaMapping",
    (),
    read_qualified_xml,
    specials=(SpecialRule(deposited, _TERMS, ("*",)),),
    prepare=entry,
)

JSON_SWORD = ManifestFormat(
    "json-sword-codemeta",
    "JsonSwordCodemetaMapping",
    (),
    read_json,
    specials=(SpecialRule(deposited, _TERMS, ("*",)),),
    prepare=json_entry,
)

COAR_MENTION = ManifestFormat(
    "coarnotify-mention-codemeta",
    "CoarNotifyMentionMapping",
    (),
    read_json,
    specials=(SpecialRule(mention, ("id", "citation"), ("*",)),),
    rank=5,
)
