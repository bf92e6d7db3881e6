"""DESCRIPTION: packages of R, whose persons are expressions of R."""

import re
from collections.abc import Iterator

from indexer.software.readings.licences import licences
from indexer.software.readings.people import people
from indexer.software.readings.requirements import requirements
from indexer.software.readings.texts import texts
from indexer.software.rules.key_rule import KeyRule, Readings
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.headers import read_dcf
from indexer.software.syntax.tree import Tree
from indexer.software.translation.term_readers import reader_of

_PERSON = re.compile(r"\bperson\s*\(")
_TOKEN = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)'|([\w.]+)\s*=(?!=)|([(),])|\s+|.")
_ROLES = {"aut": "author", "cre": "maintainer", "ctb": "contributor", "cph": "copyrightHolder"} | {
    **{"fnd": "funder", "ths": "contributor", "trl": "contributor", "ctr": "contributor"},
    **{"rev": "contributor", "led": "author"},
}
"""Terms of the roles of R, which are relator codes of MARC."""

_POSITIONS = ("given", "family", "middle", "email", "role", "comment")
"""The arguments of `person()` without names, in their order."""

_BRACKETS = re.compile(r"\s*\[([^\]]*)\]|\s*\([^)]*\)")
_FILE = re.compile(r"\s*[+|]?\s*file\s+[\w.-]+", re.IGNORECASE)
_VERSIONED = re.compile(r"(A?L?GPL)\s*\(\s*>=\s*([\d.]+)\s*\)", re.IGNORECASE)


def persons(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the persons of `Authors@R`; without it those of `Author` and `Maintainer`."""
    if not isinstance(tree, dict):
        return
    code = tree.get("authors@r")
    if isinstance(code, str) and _PERSON.search(code):
        for found, roles in _expressions(code):
            for value, place in people(found, "/authors@r", diagnostics):
                for term in dict.fromkeys(_ROLES.get(each, "contributor") for each in roles):
                    yield Property(term, value, place, f"authors@r → {term}")
        return
    for key, term in (("author", "author"), ("maintainer", "maintainer")):
        text = tree.get(key)
        if isinstance(text, str):
            yield from _plain_persons(text, key, term, diagnostics)


def _plain_persons(text: str, key: str, term: str, diagnostics: Diagnostics) -> Iterator[Property]:
    """The persons of a text such as `Jane Roe [aut, cre], John Doe [ctb]`."""
    marked = _BRACKETS.sub(lambda match: f"\0{match[1] or ''}\0", text)
    parts = marked.split("\0")
    for name, roles in zip(parts[::2], [*parts[1::2], ""], strict=False):
        codes = [each.strip() for each in roles.split(",") if each.strip() in _ROLES]
        terms = [_ROLES[code] for code in codes] or [term]
        for value, place in people(name.strip(" ,;\n"), f"/{key}", diagnostics):
            for each in dict.fromkeys(terms):
                yield Property(each, value, place, f"{key} → {each}")


def _expressions(code: str) -> Iterator[tuple[Tree, list[str]]]:
    """The object and the roles of each call of `person()`."""
    # Each call ends where the next one starts, so that a text of open calls takes linear time.
    for call in _PERSON.split(code)[1:]:
        arguments = _arguments(call)
        person: dict[str, Tree] = {}
        given = [*arguments.get("given", []), *arguments.get("middle", [])]
        if given:
            person["given-names"] = " ".join(given)
        for key, name in (("family", "family-names"), ("email", "email"), ("ORCID", "orcid")):
            if values := arguments.get(key):
                person[name] = " ".join(values)
        if "family-names" not in person and given:
            person["name"] = person.pop("given-names")
        yield person, arguments.get("role", ["aut"])


def _arguments(code: str) -> dict[str, list[str]]:
    """The texts of each argument of a call; inner names, as in `c(ORCID = "…")`, are keys, too."""
    found: dict[str, list[str]] = {}
    depth, position, name = 1, 0, ""
    for token in _TOKEN.finditer(code):
        if token[3]:
            name = token[3]
        elif token[4]:
            depth += {"(": 1, ")": -1}.get(token[4], 0)
            if not depth:
                break
            if token[4] == "," and depth == 1:
                position, name = position + 1, ""
        elif (text := token[1] or token[2]) is not None:
            default = _POSITIONS[position] if position < len(_POSITIONS) else ""
            found.setdefault(name or default, []).append(re.sub(r"\\(.)", r"\1", text))
    return found


def licence(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield each licence of `MIT + file LICENSE` or `GPL (>= 2) | BSD_3_clause`."""
    for text, where in texts(value, place, diagnostics):
        for piece in str(text).split("|"):
            plain = _VERSIONED.sub(r"\1-\2-or-later", _FILE.sub("", piece)).replace("_", "-")
            if plain.strip():
                yield from licences(plain.strip(), where, diagnostics)


def addresses(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the URLs of a list; one at a forge is the repository."""
    text = tree.get("url") if isinstance(tree, dict) else None
    for url in re.split(r"[\s,]+", text) if isinstance(text, str) else ():
        forge = re.match(r"https?://(github|gitlab|codeberg|bitbucket|[\w.]*r-forge)\.", url)
        for term in ("url", "codeRepository") if forge else ("url",):
            if url:
                for value, place in reader_of(term)(url, "/url", diagnostics):
                    yield Property(term, value, place, f"url → {term}")


DESCRIPTION = ManifestFormat(
    "r-description",
    "RDescriptionMapping",
    ("DESCRIPTION",),
    read_dcf,
    column="R Package Description",
    rules=(
        KeyRule("package", "name"),
        KeyRule("title", "description"),
        KeyRule("license", "license", licence),
        KeyRule("depends", "softwareRequirements", requirements("cran")),
        KeyRule("imports", "softwareRequirements", requirements("cran")),
        KeyRule("linkingto", "softwareRequirements", requirements("cran")),
        KeyRule("suggests", "softwareSuggestions", requirements("cran")),
        KeyRule("enhances", "softwareSuggestions", requirements("cran")),
        KeyRule("systemrequirements", "softwareRequirements"),
        KeyRule("date/publication", "datePublished"),
    ),
    specials=(
        SpecialRule(
            persons, tuple(dict.fromkeys(_ROLES.values())), ("authors@r", "author", "maintainer")
        ),
        SpecialRule(addresses, ("url", "codeRepository"), ("url",)),
    ),
    without=frozenset({"url", "maintainer"}),
    lower_case=True,
)
