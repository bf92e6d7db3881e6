"""AppStream: `*.metainfo.xml` and `*.appdata.xml` of desktop software."""

from collections.abc import Iterator
from types import MappingProxyType

from indexer.software.readings.identifiers import identifiers
from indexer.software.readings.people import people
from indexer.software.rules.key_rule import KeyRule, Readings
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.tree import Tree, below
from indexer.software.syntax.xml_file import TEXT, read_xml
from indexer.software.translation.term_readers import reader_of

URLS = MappingProxyType(
    {
        **{"homepage": "url", "vcs-browser": "codeRepository", "bugtracker": "issueTracker"},
        **{"help": "relatedLink", "faq": "relatedLink", "contact": "relatedLink"},
        **{"contribute": "relatedLink", "translate": "relatedLink", "donation": "funding"},
    }
)
"""The term of each type of `url`."""

_LANGUAGE = "@lang"


def component(tree: Tree, diagnostics: Diagnostics) -> Tree:
    """Return the component, without texts in other languages than that of the source."""
    found = tree.get("component", tree.get("application")) if isinstance(tree, dict) else None
    if not isinstance(found, dict):
        if tree:
            diagnostics.add("", "no element `component` with elements in it")
        return {}
    plain = {key: _untranslated(value) for key, value in found.items()}
    # Old identifiers have an attribute beside their text.
    identity = plain.get("id")
    if isinstance(identity, dict) and TEXT in identity:
        plain["id"] = identity[TEXT]
    return plain


def _untranslated(value: Tree) -> Tree:
    if isinstance(value, list):
        kept = [each for each in value if not (isinstance(each, dict) and _LANGUAGE in each)]
        return kept[0] if len(kept) == 1 else [_untranslated(each) for each in kept]
    if isinstance(value, dict):
        return {key: _untranslated(item) for key, item in value.items()}
    return value


def urls(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield each `url` by its type."""
    found = tree.get("url") if isinstance(tree, dict) else None
    for number, each in enumerate(found if isinstance(found, list) else [found]):
        place = below("/url", number) if isinstance(found, list) else "/url"
        if isinstance(each, dict) and isinstance(text := each.get(TEXT), str):
            kind = str(each.get("@type"))
            term = URLS.get(kind, "relatedLink")
            for value, where in reader_of(term)(text, place, diagnostics):
                yield Property(term, value, where, f"url ({kind}) → {term}")


def release(tree: Tree, _diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield version and date of the newest release, which is the first one."""
    releases = tree.get("releases") if isinstance(tree, dict) else None
    found = releases.get("release") if isinstance(releases, dict) else None
    first = found[0] if isinstance(found, list) and found else found
    place = "/releases/release/0" if isinstance(found, list) else "/releases/release"
    for key, term in (("@version", "version"), ("@date", "datePublished")):
        if isinstance(first, dict) and (text := first.get(key)):
            yield Property(term, text, below(place, key), f"releases/release/{key} → {term}")


def paragraphs(value: Tree, place: str, _diagnostics: Diagnostics) -> Readings:
    """Yield the texts of a description, paragraphs and lists, as one text."""
    if text := "\n\n".join(_texts(value)):
        yield text, place


def _texts(value: Tree) -> Iterator[str]:
    if isinstance(value, str) and value.strip():
        yield " ".join(value.split())
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not key.startswith("@"):
                yield from _texts(item)


APPSTREAM = ManifestFormat(
    "appstream",
    "AppStreamMapping",
    ("*.metainfo.xml", "*.appdata.xml"),
    read_xml,
    rules=(
        KeyRule("id", "identifier", identifiers),
        KeyRule("name", "name"),
        KeyRule("summary", "description"),
        KeyRule("description", "description", paragraphs),
        KeyRule("project_license", "license"),
        KeyRule("developer_name", "author", people),
        KeyRule("developer/name", "author", people),
        KeyRule("project_group", "producer", people),
        KeyRule("keywords/keyword", "keywords"),
        KeyRule("categories/category", "applicationCategory"),
    ),
    specials=(
        SpecialRule(urls, tuple(dict.fromkeys(URLS.values())), ("url",)),
        SpecialRule(release, ("version", "datePublished"), ("releases",)),
    ),
    prepare=component,
)
