"""package.json: each row and each trap of spec 6.2, with examples of our own."""

import json
from typing import Any

from indexer.software.formats.javascript import NPM
from indexer.software.licences.identifiers import IRI
from indexer.software.rules.property import Translation
from indexer.software.translation.document import document
from indexer.software.translation.translator import terms, translate, unread
from tests.each_row import each_row

JANE = {"type": "Person", "name": "Jane Roe"}
MAIL = {**JANE, "email": "jane@a.example"}
SITE = "https://a.example/"
CODE = "git+https://github.com/roe/a.git"


def translated(manifest: object) -> Translation:
    return translate(json.dumps(manifest).encode(), NPM)


def read(manifest: object) -> dict[str, Any]:
    """The document of a manifest, without context and type."""
    found = document(translated(manifest).properties)
    return {key: value for key, value in found.items() if key not in ("@context", "type")}


def requirement(name: str, version: str) -> dict[str, str]:
    identifier = f"pkg:npm/{name}"
    found = {"name": name, "version": version, "identifier": identifier}
    return {"type": "SoftwareApplication", **found}


ROWS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"name": "a"}, {"name": "a"}),
    ({"name": ["a", "b"]}, {"name": ["a", "b"]}),
    ({"version": "1.0.0"}, {"version": "1.0.0"}),
    ({"version": 1}, {}),
    ({"name": True, "version": None}, {}),
    ({"description": "A parser"}, {"description": "A parser"}),
    ({"homepage": SITE}, {"url": SITE}),
    ({"homepage": "a.example"}, {"schema:url": "a.example"}),
    ({"homepage": [SITE, "https://b.example/"]}, {"url": [SITE, "https://b.example/"]}),
    ({"bugs": SITE}, {"issueTracker": SITE}),
    ({"bugs": {"url": SITE, "email": "jane@a.example"}}, {"issueTracker": SITE}),
    ({"bugs": {"email": "jane@a.example"}}, {}),
    ({"keywords": ["b", "a", "c"]}, {"keywords": ["b", "a", "c"]}),
    ({"engines": {"node": ">=18"}}, {"runtimePlatform": "node >=18"}),
    ({"engines": ["node >=18"]}, {"runtimePlatform": "node >=18"}),
    ({"os": ["linux", "!win32"]}, {"operatingSystem": ["linux", "!win32"]}),
    ({"cpu": "x64"}, {"processorRequirements": "x64"}),
]

REPOSITORIES: list[tuple[Any, Any]] = [
    ({"type": "git", "url": "https://github.com/roe/a.git"}, CODE),
    ("https://github.com/roe/a", "https://github.com/roe/a"),
    ("github:roe/a", CODE),
    ("roe/a", CODE),
    ("gitlab:roe/a", "git+https://gitlab.com/roe/a.git"),
    ("gist:0123abcd", "git+https://gist.github.com/0123abcd.git"),
    # traps
    ({"type": "git", "url": CODE}, CODE),
    ({"url": CODE}, CODE),
    ("roe/a#main", CODE),
    ("bitbucket:roe/a", "git+https://bitbucket.org/roe/a.git"),
    ("git@github.com:roe/a.git", "git+ssh://git@github.com/roe/a.git"),
    ("", None),
]

AUTHORS: list[tuple[Any, list[Any]]] = [
    ({"name": "Jane Roe", "email": "jane@a.example"}, [MAIL]),
    (f"Jane Roe <jane@a.example> ({SITE})", [{**MAIL, "url": SITE}]),
    # traps
    ("Jane Roe<jane@a.example>", [MAIL]),
    ("<jane@a.example>", [{"type": "Person", "email": "jane@a.example"}]),
    ({}, []),
    ("", []),
    ([{"name": "Jane Roe"}, "John Doe"], [JANE, {"type": "Person", "name": "John Doe"}]),
]

LICENCES: list[tuple[Any, list[str], str | None]] = [
    ("MIT", ["MIT"], None),
    ("(MIT OR Apache-2.0)", ["MIT", "Apache-2.0"], None),
    ("MIT AND ISC", [], "MIT AND ISC"),
    ("GPL-2.0 WITH Classpath-exception-2.0", [], "GPL-2.0-only WITH Classpath-exception-2.0"),
    ("SEE LICENSE IN LICENSE.md", [], "SEE LICENSE IN LICENSE.md"),
    ("UNLICENSED", [], "UNLICENSED"),
    ("", [], None),
    # traps
    ({"type": "MIT", "url": SITE}, ["MIT"], None),
    ([{"type": "MIT"}, {"type": "ISC"}], ["MIT", "ISC"], None),
]

OTHERS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"keywords": "parser, fast code"}, {"keywords": ["parser", "fast code"]}),
    ({"keywords": "parser fast"}, {"keywords": ["parser", "fast"]}),
    ({"keywords": ["parser", 3, None, {}]}, {"keywords": "parser"}),
    ({"licenses": [{"type": "MIT"}, {"type": "ISC"}]}, {"license": [f"{IRI}MIT", f"{IRI}ISC"]}),
    ({"maintainers": [MAIL]}, {"maintainer": MAIL}),
    ({"contributors": ["Jane Roe", "Jane Roe"]}, {"contributor": JANE}),
    ({"funding": SITE}, {"funding": SITE}),
    (
        {"funding": [{"type": "x", "url": SITE}, "https://b.example/"]},
        {"funding": [SITE, "https://b.example/"]},
    ),
    (
        {"bin": {"a": "a.js", "b": "b.js"}},
        {
            "targetProduct": [
                {"type": "SoftwareApplication", "name": "a"},
                {"type": "SoftwareApplication", "name": "b"},
            ]
        },
    ),
    (
        {"name": "@roe/a", "bin": "a.js"},
        {
            "name": "@roe/a",
            "targetProduct": {"type": "SoftwareApplication", "name": "a"},
        },
    ),
    (
        {"directories": {"doc": "docs", "man": "man", "lib": "lib"}},
        {"softwareHelp": ["docs", "man"]},
    ),
    (
        {"dependencies": {"a": "^1"}, "peerDependencies": {"b": "2"}},
        {"softwareRequirements": [requirement("a", "^1"), requirement("b", "2")]},
    ),
    (
        {"dependencies": {"a": "^1"}, "bundledDependencies": ["a"]},
        {"softwareRequirements": requirement("a", "^1")},
    ),
    (
        {"devDependencies": {"a": "^1"}, "optionalDependencies": {"b": "2"}},
        {"softwareSuggestions": [requirement("a", "^1"), requirement("b", "2")]},
    ),
]


@each_row(("manifest", "expected"), [*ROWS, *OTHERS])
def test_each_key_is_read(manifest: dict[str, Any], expected: dict[str, Any]) -> None:
    assert read(manifest) == expected


@each_row(("repository", "expected"), REPOSITORIES)
def test_the_repository_is_a_url_with_one_prefix(repository: Any, expected: Any) -> None:
    assert read({"repository": repository}) == ({"codeRepository": expected} if expected else {})


@each_row(("author", "expected"), AUTHORS)
def test_authors_are_persons_in_each_shape(author: Any, expected: list[Any]) -> None:
    assert read({"author": author}) == ({"author": expected} if expected else {})


@each_row(("licence", "identifiers", "text"), LICENCES)
def test_only_identifiers_of_licences_are_iris(
    licence: Any, identifiers: list[str], text: str | None
) -> None:
    found = read({"license": licence})
    iris = found.get("license", [])
    assert (iris if isinstance(iris, list) else [iris]) == [IRI + each for each in identifiers]
    assert found.get("schema:license") == text


@each_row("encoding", ["utf-16-le", "utf-16-be"])
def test_a_description_in_utf_16_that_npm_copied_from_a_readme_is_mended(encoding: str) -> None:
    broken = "\ufffd\ufffd" + "# A parser \n".encode(encoding).decode("ascii")
    assert read({"description": broken}) == {"description": "A parser"}


def test_a_description_that_cannot_be_mended_is_diagnosed() -> None:
    found = translated({"description": "\ufffd\ufffd\0\ufffd"})
    assert found.properties == []
    assert len(found.diagnostics.kept) == 1


@each_row(
    "manifest",
    [
        *({"private": True}, {"bin": 3}, {"bin": ["a.js"]}, {"name": {}}, {"author": 1}),
        *({"bugs": {"mail": "jane@a.example"}}, {"repository": True}, {"dependencies": 3}),
    ],
)
def test_each_value_that_is_not_used_is_diagnosed(manifest: dict[str, Any]) -> None:
    assert len(translated(manifest).diagnostics.kept) == 1


@each_row("content", [b"", b" ", b"{}", b"[]", b"null", b"{", b"\xff\xfe", b'{"name": ""}'])
def test_a_file_without_metadata_gives_no_document(content: bytes) -> None:
    assert document(translate(content, NPM).properties) == {}


def test_the_list_of_terms_has_those_of_special_rules() -> None:
    assert terms(NPM) >= {"author", "license", "codeRepository", "targetProduct", "funding"}


def test_keys_that_are_not_read_are_listed() -> None:
    manifest: Any = {"name": "a", "bin": "b", "private": True, "scripts": {}, "main": "a.js"}
    assert [*unread(manifest, NPM)] == ["/scripts", "/main"]


def test_a_rule_of_a_published_key_tells_the_crosswalk_as_its_source() -> None:
    found = translated({"name": "a", "licenses": "MIT"})
    assert [each.rule for each in found.properties] == [
        "name → name (crosswalk 3, NodeJS)",
        "licenses → license (own table)",
    ]
