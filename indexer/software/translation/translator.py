"""The translator: applies the rules of one format to the bytes of one file."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from indexer.errors import UnreadableManifest
from indexer.software.rules.key_rule import KeyRule, ValueReader, find
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.rules.property import Property, Translation
from indexer.software.syntax.encoding import FALLBACK, encoding_of
from indexer.software.syntax.tree import Tree, below, kind
from indexer.software.translation.term_readers import reader_of
from indexer.software.vocabulary import crosswalk

CROSSWALK = "3"
"""The version of the crosswalk that translations use."""

MAX_BYTES = 5_000_000
"""The size of the largest file that is read; a larger one is no manifest that a person wrote."""


class _Step(NamedTuple):
    """A rule, ready to be applied; `place` is that of its value if the key is one name."""

    steps: tuple[str, ...]
    place: str
    term: str
    read: ValueReader
    name: str


def translate(content: bytes, form: ManifestFormat) -> Translation:
    """Return the properties that a file states.

    It never raises: a file that can't be read has no properties and one diagnostic.
    """
    result = Translation(form.name)
    try:
        tree = _tree(content, form)
    except UnreadableManifest as error:
        result.diagnostics.add("", str(error))
        return result
    if not content.isascii() and encoding_of(content) == FALLBACK and tree:
        result.diagnostics.add("", f"in no Unicode encoding: read as {FALLBACK}")
    if form.prepare is not None:
        tree = form.prepare(tree, result.diagnostics)
    if not isinstance(tree, dict):
        result.diagnostics.add("", f"{kind(tree)}, where an object belongs")
        return result
    _apply(tree, form, result)
    return result


def rules(form: ManifestFormat) -> tuple[KeyRule, ...]:
    """Return all rules of single keys: those of the crosswalk, then the format's own."""
    listed = crosswalk.keys(CROSSWALK, form.column) if form.column else {}
    # The crosswalk writes a key within another one with a dot.
    published = {key.replace(".", "/"): term for key, term in listed.items()}
    if form.lower_case:
        published = {key.lower(): term for key, term in published.items()}
    source = f"crosswalk {CROSSWALK}, {form.column.strip()}"
    own = {rule.key for rule in form.rules} | form.without
    plain = [KeyRule(key, term, source=source) for key, term in published.items() if key not in own]
    # A rule that only says how the values of a published key are read has the published source.
    special = [
        replace(rule, source=source) if published.get(rule.key) == rule.term else rule
        for rule in form.rules
    ]
    return (*plain, *special)


def terms(form: ManifestFormat) -> frozenset[str]:
    """Return every term that a format may yield."""
    special = {term for each in form.specials for term in each.terms}
    return frozenset(special | {rule.term for rule in rules(form)})


def unread(tree: Tree, form: ManifestFormat) -> Iterator[str]:
    """Yield the place of each key of the root that no rule reads."""
    known = {rule.key.partition("/")[0] for rule in rules(form)}
    known.update(key for each in form.specials for key in each.keys)
    if isinstance(tree, dict) and "*" not in known:
        yield from (below("", key) for key in tree if key not in known)


def _tree(content: bytes, form: ManifestFormat) -> Tree:
    if len(content) > MAX_BYTES:
        raise UnreadableManifest(f"{len(content):,} bytes: above the limit of {MAX_BYTES:,}")
    return form.read(content) if content.strip() else {}


def _apply(tree: dict[str, Tree], form: ManifestFormat, result: Translation) -> None:
    properties, diagnostics = result.properties, result.diagnostics
    for steps, place, term, read, name in _steps(form):
        # Most keys are one name, and most files lack most of them: a walk would take longer.
        if not place:
            places = find(tree, steps)
        elif (key := steps[0]) in tree:
            places = iter([(tree[key], place)])
        else:
            continue
        for value, where in places:
            for found, at in read(value, where, diagnostics):
                properties.append(Property(term, found, at, name))
    for special in form.specials:
        properties += special.read(tree, diagnostics)


@cache
def _steps(form: ManifestFormat) -> tuple[_Step, ...]:
    return tuple(_step(rule) for rule in rules(form))


def _step(rule: KeyRule) -> _Step:
    steps = tuple(rule.key.split("/"))
    place = below("", rule.key) if len(steps) == 1 and rule.key != "*" else ""
    return _Step(steps, place, rule.term, rule.read or reader_of(rule.term), rule.name)
