"""XML: elements are dictionaries, without entities, without a network, with any prefix."""

import re
from collections.abc import Callable
from html.entities import name2codepoint
from typing import Any

from lxml import etree

from indexer.errors import UnreadableManifest
from indexer.software.syntax.encoding import FALLBACK, encoding_of, text_of
from indexer.software.syntax.limits import MAX_DEPTH, MAX_NODES
from indexer.software.syntax.tree import Tree

TEXT = "#text"
"""The key of the text of an element that also has attributes or children."""

_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_NAMED_CHARACTER = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]*);")

Naming = Callable[[str], str]


def read_xml(content: bytes) -> Tree:
    """Return `{root: tree}` of an XML document. Raises UnreadableManifest.

    An element without attributes and children is its text; another one is a dictionary: children by
    their local names, attributes with an `@` before the name, its text as `#text`. Elements of one
    name beside each other are a list. Documents that declare entities are refused.
    """
    return _tree(content, _local_name)


def read_qualified_xml(content: bytes) -> Tree:
    """Return the tree of an XML document with names such as `{namespace}local`, as `read_xml`."""
    return _tree(content, str)


def _tree(content: bytes, naming: Naming) -> Tree:
    root = _root(content)
    if sum(1 for _ in root.iter()) > MAX_NODES:
        raise UnreadableManifest(f"more than {MAX_NODES:,} elements")
    return {naming(root.tag): _element(root, naming, 1)}


def _root(content: bytes) -> etree._Element:
    try:
        root = _parsed(content)
    except (etree.XMLSyntaxError, ValueError) as error:
        if (mended := _mended(content)) == content:
            raise UnreadableManifest(f"not XML: {error}") from error
        root = _second_try(mended)
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and _declares_entities(declared):
        raise UnreadableManifest("XML that declares entities is refused")
    return root


def _declares_entities(declared: Any) -> bool:  # the stubs of lxml lack `iterentities`
    return any(True for _ in declared.iterentities())


def _mended(content: bytes) -> bytes:
    """The document without two faults that are common in files that their programs read.

    Named characters of HTML, such as `&oslash;`, are undeclared entities, which Maven knows. Some
    files are declared to be UTF-8, or nothing, and are Latin-1.
    """
    numbered = _NAMED_CHARACTER.sub(_numbered, content)
    if encoding_of(content) != FALLBACK:
        return numbered
    return _DECLARATION.sub("", text_of(numbered), count=1).encode()


def _numbered(name: re.Match[bytes]) -> bytes:
    code = name2codepoint.get(name[1].decode())
    return name[0] if code is None else b"&#%d;" % code


def _second_try(content: bytes) -> etree._Element:
    try:
        return _parsed(content)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableManifest(f"not XML: {error}") from error


def _parsed(content: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    return etree.fromstring(content.lstrip(), parser)


def _element(element: etree._Element, naming: Naming, depth: int) -> Tree:
    if depth > MAX_DEPTH:
        raise UnreadableManifest(f"elements more than {MAX_DEPTH} levels deep")
    text = _own_text(element)
    if not len(element) and not element.attrib:
        return text
    found: dict[str, Tree] = {f"@{naming(str(key))}": str(value) for key, value in element.items()}
    for child in element:
        if isinstance(child.tag, str):
            _add(found, naming(child.tag), _element(child, naming, depth + 1))
    if text:
        found[TEXT] = text
    return found


def _add(found: dict[str, Tree], name: str, value: Tree) -> None:
    # The value of an element is never a list, so a list holds the elements of one name.
    known = found.get(name)
    if isinstance(known, list):
        known.append(value)
    else:
        found[name] = value if name not in found else [known, value]


def _own_text(element: etree._Element) -> str:
    return "".join([element.text or "", *(child.tail or "" for child in element)]).strip()


def _local_name(name: str) -> str:
    return name.rpartition("}")[2]
