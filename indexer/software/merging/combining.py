"""Objects that are one: their fields combined, and the fields that contradict each other."""

from collections.abc import Iterator, Sequence

from indexer.software.merging.agents import fields_of, full_name
from indexer.software.merging.canonical_forms import canonical_form, name_form, url_form
from indexer.software.merging.manifest import StatedValue
from indexer.software.merging.merged import Conflict, MergedValue
from indexer.software.syntax.tree import Tree

NAMES = ("name", "givenName", "familyName")

ORCID = "//orcid.org/"


def combined(term: str, stated: Sequence[StatedValue], conflicts: list[Conflict]) -> MergedValue:
    """Return one value of equal ones: the first text, or an object with the fields of all."""
    if not any(isinstance(each.value, dict) for each in stated):
        return MergedValue(term, stated[0].value, tuple(stated))
    fields = [(each, each.value if isinstance(each.value, dict) else {}) for each in stated]
    return MergedValue(term, _combined(term, fields, conflicts), tuple(stated))


def combined_agent(stated: Sequence[StatedValue], conflicts: list[Conflict]) -> MergedValue:
    """Return one person or organisation: with an ORCID if any is stated, and with one name."""
    term = stated[0].term
    if not any(isinstance(each.value, dict) for each in stated):
        return MergedValue(term, stated[0].value, tuple(stated))
    fields = list(_with_one_name(term, stated, conflicts))
    with_orcid = [each for each in fields if url_form(str(each[1].get("id"))).startswith(ORCID)]
    value = _combined(term, fields, conflicts)
    if with_orcid:
        value["id"] = with_orcid[0][1]["id"]
    return MergedValue(term, value, tuple(stated))


def _combined(
    term: str, fields: Sequence[tuple[StatedValue, dict[str, Tree]]], conflicts: list[Conflict]
) -> dict[str, Tree]:
    kept: dict[str, MergedValue] = {}
    for stated, each in fields:
        for key, value in each.items():
            found = MergedValue(f"{term}/{key}", value, (stated,))
            if key not in kept:
                kept[key] = found
            elif canonical_form(key, value) != canonical_form(key, kept[key].value):
                conflicts.append(Conflict(found.term, (kept[key],), (found,)))
    return {key: each.value for key, each in kept.items()}


def _with_one_name(
    term: str, stated: Sequence[StatedValue], conflicts: list[Conflict]
) -> Iterator[tuple[StatedValue, dict[str, Tree]]]:
    """Yield the fields of each value, without names that repeat or contradict the first one.

    Parts of different names, such as `J.` and `Jane Doe`, must not be mixed.
    """
    first: MergedValue | None = None
    parts: set[str] = set()
    for each in stated:
        fields = fields_of(each.value)
        name = MergedValue(f"{term}/name", full_name(fields), (each,))
        if name.value and first is None:
            first = name
            parts = fields.keys() & {*NAMES}
        elif first is not None:
            differs = name.value and name_form(str(name.value)) != name_form(str(first.value))
            if differs:
                conflicts.append(Conflict(name.term, (first,), (name,)))
            dropped = NAMES if differs or "familyName" in parts else ("name",)
            fields = {key: value for key, value in fields.items() if key not in dropped}
        yield each, fields
