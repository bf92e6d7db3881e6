"""Differences: the values of two projects that mean different things."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from indexer.commands.software.showing import short
from indexer.software.merging.canonical_forms import canonical_form
from indexer.software.merging.merged import MergedMetadata
from indexer.software.syntax.tree import Tree

Difference: TypeAlias = dict[str, dict[str, list[list[Tree]]]]
"""Under `added`, `removed` and `changed`: of each term the values of one side, or of both."""


def difference(one: MergedMetadata, other: MergedMetadata) -> Difference:
    """Return the terms that only one of them has, and those whose values differ.

    Of a term that both have, the values of both that the other one lacks are listed.
    """
    before, after = _values(one), _values(other)
    found: Difference = {"added": {}, "removed": {}, "changed": {}}
    for term in {**before, **after}:
        old, new = before.get(term, {}), after.get(term, {})
        removed = [value for form, value in old.items() if form not in new]
        added = [value for form, value in new.items() if form not in old]
        if removed or added:
            kind = "changed" if old and new else "removed" if old else "added"
            found[kind][term] = [removed, added]
    return found


def told(found: Difference) -> Iterator[str]:
    """Yield a line for each value."""
    terms = {term: values for kind in found.values() for term, values in kind.items()}
    for term, (removed, added) in terms.items():
        yield from (f"- {term}: {short(value)}" for value in removed)
        yield from (f"+ {term}: {short(value)}" for value in added)


def _values(found: MergedMetadata) -> Mapping[str, dict[str, Tree]]:
    values: dict[str, dict[str, Tree]] = {}
    for each in found.values:
        forms = values.setdefault(each.term, {})
        forms.setdefault(str(_form(each.term, each.value)), each.value)
    return values


def _form(term: str, value: Tree) -> object:
    """Return a form that differs for objects with different fields, too."""
    if isinstance(value, dict) and "@value" not in value:
        return sorted((key, str(canonical_form(key, each))) for key, each in value.items())
    return canonical_form(term, value)
