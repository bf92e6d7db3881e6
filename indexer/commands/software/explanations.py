"""Explanations: the sources of each merged value, conflicts, remarks, and unread keys."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from indexer.commands.console.terminal import cell
from indexer.commands.software.lines import FileLines
from indexer.commands.software.reading import ReadManifest, merged, unread_places
from indexer.commands.software.showing import short
from indexer.software.merging.merged import MergedValue


def explanation(manifests: Sequence[ReadManifest]) -> dict[str, list[dict[str, Any]]]:
    """Return what there is to say of a translation, as JSON has it."""
    lines = {each.path: FileLines(each.path, each.content) for each in manifests}
    found = merged(manifests)
    return {
        "values": [_value(each, lines) for each in found.values],
        "conflicts": [
            {
                "term": each.term,
                "kept": [_value(one, lines) for one in each.kept],
                "others": [_value(one, lines) for one in each.others],
            }
            for each in found.conflicts
        ],
        "remarks": [
            {**_place(each.path, remark.place, lines), "why": remark.why, "raw": remark.raw}
            for each in found.manifests
            for remark in each.translation.diagnostics
        ],
        "unread": [
            _place(each.path, place, lines) for each in manifests for place in unread_places(each)
        ],
    }


def _value(value: MergedValue, lines: Mapping[str, FileLines]) -> dict[str, Any]:
    sources = [
        {**_place(each.path, each.place, lines), "rule": each.rule, "value": each.value}
        for each in value.stated
    ]
    return {"term": value.term, "value": value.value, "sources": sources}


def _place(path: str, place: str, lines: Mapping[str, FileLines]) -> dict[str, Any]:
    return {"file": path, "line": lines[path].of(place), "place": place}


def told(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """Yield the lines that tell a person of an explanation."""
    for value in found["values"]:
        yield f"{value['term']}: {short(value['value'])}"
        yield from (f"    {_where(each)}  {cell(each['rule'])}" for each in value["sources"])
    for conflict in found["conflicts"]:
        yield from ("", f"conflict of {conflict['term']}:")
        for word, key in (("kept", "kept"), ("not used", "others")):
            for value in conflict[key]:
                yield f"    {word}: {short(value['value'])}  {_where(value['sources'][0])}"
    if found["remarks"]:
        yield from ("", "remarks:")
    for each in found["remarks"]:
        yield f"    {_where(each)}  {cell(each['why'])}  {cell(each['raw'], 80)}".rstrip()
    if found["unread"]:
        yield from ("", "keys that no rule reads:")
    yield from (f"    {_where(each)}" for each in found["unread"])


def _where(place: Mapping[str, Any]) -> str:
    line = f":{place['line']}" if place["line"] else ""
    return cell(f"{place['file']}{line} {place['place']}".rstrip())
