"""Objects that describe persons and organisations, with the keys that any format uses."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from indexer.software.persons.addresses import email_address, web_address
from indexer.software.persons.mailboxes import person_of
from indexer.software.persons.orcid import orcid_iri
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree, below

SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("name", "fullname", "displayname", "realname"), "name"),
        **dict.fromkeys(("alias", "username", "login", "nick", "handle"), "alias"),
        **dict.fromkeys(("given", "givenname", "givennames", "firstname"), "givenName"),
        **dict.fromkeys(("family", "familyname", "familynames", "lastname"), "familyName"),
        **dict.fromkeys(("surname", "surnames"), "familyName"),
        **{"nameparticle": "particle", "namesuffix": "suffix"},
        **dict.fromkeys(("email", "mail", "emailaddress", "emails"), "email"),
        **dict.fromkeys(("url", "homepage", "website", "web", "uri", "www"), "url"),
        **dict.fromkeys(("orcid", "orcidid", "id", "@id", "identifier"), "id"),
        **dict.fromkeys(("affiliation", "affiliations", "company", "institution"), "affiliation"),
        **dict.fromkeys(("organization", "organisation", "employer"), "affiliation"),
        **{"organizationurl": "affiliationUrl", "organisationurl": "affiliationUrl"},
        **dict.fromkeys(("role", "roles", "rolename"), "roleName"),
        **dict.fromkeys(("type", "@type"), "type"),
    }
)
"""The field for each key, without the case of its letters, hyphens, underscores and blanks."""

ORDER = ("id", "givenName", "familyName", "name", "email", "affiliation", "roleName", "url")
"""The fields of a person, in the order of the output."""

NAMING = ("id", "givenName", "familyName", "name", "email", "url")
"""The fields that tell who a person is: one without any of them is no person."""


def field_of(key: str) -> str | None:
    """Return the field that a key of an object stands for, or None."""
    return SYNONYMS.get(key) or SYNONYMS.get(
        key.lower().replace("-", "").replace("_", "").replace(" ", "")
    )


def person_of_object(
    value: Mapping[str, Tree], place: str, diagnostics: Diagnostics, of: str = "Person"
) -> dict[str, Tree] | None:
    """Return the person or organisation that an object describes, or None if it names none.

    `of`: its type, unless the object tells another one.
    """
    fields: dict[str, list[Tree]] = {}
    for key, given in value.items():
        field = field_of(key)
        for item in given if isinstance(given, list) else [given]:
            if item is None or item in ("", {}):
                continue
            read = _value(field, item, below(place, key), diagnostics) if field else None
            if read is None:
                diagnostics.add(below(place, key), "not kept: no such property of a person", item)
            else:
                fields.setdefault(read[0], []).append(read[1])
    _complete(fields)
    if fields.keys().isdisjoint(NAMING):
        diagnostics.add(place, "a person without name and address")
        return None
    if unused := fields.get("alias"):
        diagnostics.add(place, "not kept: a short name beside the name", str(unused[0]))
    kept = {name: _one_or_all(fields[name]) for name in ORDER if name in fields}
    return {"type": fields.get("type", [of])[0], **kept}


def organization_of(value: Tree, place: str, diagnostics: Diagnostics) -> dict[str, Tree] | None:
    """Return the organisation that a text or an object names, or None."""
    if isinstance(value, str) and value.strip():
        return {"type": "Organization", "name": value.strip()}
    if isinstance(value, dict):
        found = person_of_object(value, place, diagnostics, of="Organization")
        return {**found, "type": "Organization"} if found else None
    return None


_Read: TypeAlias = tuple[str, Tree] | None


def _value(field: str, value: Tree, place: str, diagnostics: Diagnostics) -> _Read:
    """The field that a value belongs to, and the value as it is kept; None for a useless one."""
    if field == "affiliation":
        organization = organization_of(value, place, diagnostics)
        return (field, organization) if organization else None
    return _READERS.get(field, _text)(field, value)


def _text(field: str, value: Tree) -> _Read:
    if isinstance(value, str):
        return (field, text) if (text := value.strip()) else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (field, str(value)) if is_number else None


def _email(field: str, value: Tree) -> _Read:
    email = email_address(value) if isinstance(value, str) else None
    return (field, email) if email else None


def _url(field: str, value: Tree) -> _Read:
    url = web_address(value) if isinstance(value, str) else None
    return (field, url) if url else None


def _id(field: str, value: Tree) -> _Read:
    if not isinstance(value, str):
        return None
    iri = orcid_iri(value) or web_address(value)
    return (field, iri) if iri else _text("alias", value)


def _type(field: str, value: Tree) -> _Read:
    text = str(value).strip().rpartition(":")[2].capitalize()
    if text in ("Person", "Organization"):
        return field, text
    return (field, "Organization") if text == "Organisation" else _text("roleName", value)


_READERS: Mapping[str, Callable[[str, Tree], _Read]] = MappingProxyType(
    {
        **{"email": _email, "url": _url, "affiliationUrl": _url},
        **{"id": _id, "type": _type},
    }
)


def _complete(fields: dict[str, list[Tree]]) -> None:
    """Put together what a person is in several fields."""
    names = fields.get("name", [])
    if len(names) == 1 and isinstance(names[0], str) and "<" in names[0]:
        for field, found in (person_of(names[0], []) or {}).items():
            if field == "name" or (field != "type" and field not in fields):
                fields[field] = [found]
    if fields.keys().isdisjoint(("name", "givenName", "familyName")) and "alias" in fields:
        fields["name"] = fields.pop("alias")
    family = [*fields.pop("particle", []), *fields.get("familyName", [])]
    if family := [*family, *fields.pop("suffix", [])]:
        fields["familyName"] = [" ".join(map(str, family))]
    urls = fields.pop("affiliationUrl", [])
    for organization in fields.get("affiliation", [])[: 1 if urls else 0]:
        if isinstance(organization, dict):
            organization.setdefault("url", urls[0])


def _one_or_all(values: list[Tree]) -> Tree:
    return values[0] if len(values) == 1 else values
