"""Persons and organisations of a project: texts, objects, lists of them, and objects by name."""

from collections.abc import Iterator

from indexer.software.persons.mailboxes import people_of
from indexer.software.persons.objects import NAMING, field_of, organization_of, person_of_object
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree, below, kind


def people(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each person; an object may tell that it is an organisation.

    A text may name several persons. An object describes one, or has a text or an object for each
    name. Nobody without a name or an address is a person.
    """
    if isinstance(value, str):
        unused: list[str] = []
        yield from ((found, place) for found in people_of(value, unused))
        for address in unused:
            diagnostics.add(place, "not kept: a URL without scheme", address)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from people(item, below(place, number), diagnostics)
    elif isinstance(value, dict):
        yield from _objects(value, place, diagnostics)
    elif value is not None:
        diagnostics.add(place, f"{kind(value)}, where a person belongs", value)


def people_and_entities(
    value: Tree, place: str, diagnostics: Diagnostics
) -> Iterator[tuple[Tree, str]]:
    """Yield each person or organisation of CITATION.cff, where only organisations have a `name`."""
    for number, item in enumerate(value if isinstance(value, list) else [value]):
        where = below(place, number) if isinstance(value, list) else place
        if not isinstance(item, dict):
            if item is not None:
                diagnostics.add(where, f"{kind(item)}, where an object belongs", item)
            continue
        of = "Organization" if "name" in item else "Person"
        if found := person_of_object(item, where, diagnostics, of):
            yield found, where


def people_last_first(
    value: Tree, place: str, diagnostics: Diagnostics
) -> Iterator[tuple[Tree, str]]:
    """Yield each person of a format that writes names as `Roe, Jane`, such as that of Zenodo."""
    for found, where in people(value, place, diagnostics):
        yield (_divided(found) if isinstance(found, dict) else found), where


def organizations(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each organisation, where the format says that a text or an object names one."""
    for number, item in enumerate(value if isinstance(value, list) else [value]):
        where = below(place, number) if isinstance(value, list) else place
        if found := organization_of(item, where, diagnostics):
            yield found, where
        elif item is not None and item != "" and not isinstance(item, dict):
            diagnostics.add(where, f"{kind(item)}, where an organisation belongs", item)


def _objects(
    value: dict[str, Tree], place: str, diagnostics: Diagnostics
) -> Iterator[tuple[Tree, str]]:
    if not value or any(field_of(key) in (*NAMING, "alias") for key in value):
        if found := person_of_object(value, place, diagnostics):
            yield found, place
        return
    for name, details in value.items():
        named: dict[str, Tree] = {"name": name}
        match details:
            case dict():
                named |= details
            case str() if details.strip():
                named["email" if "@" in details else "url"] = details
        if found := person_of_object(named, below(place, name), diagnostics):
            yield found, below(place, name)


def _divided(person: dict[str, Tree]) -> Tree:
    name = str(person.get("name", ""))
    family, comma, given = (part.strip() for part in name.partition(","))
    if not comma or "," in given or not family or not given:
        return person
    names: dict[str, Tree] = {"givenName": given, "familyName": family}
    rest = {key: each for key, each in person.items() if key not in ("type", "name")}
    return {"type": person["type"], **names, **rest}
