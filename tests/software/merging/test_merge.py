"""The merge of manifests: strategies, order of trust, conflicts, and every source of a value."""

from itertools import permutations

from indexer.software.merging.manifest import TranslatedManifest
from indexer.software.merging.merge import merge
from indexer.software.merging.merged import MergedMetadata
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.merging.stating import CFF, CODEMETA, ECOSYSTEM, manifest, person


def values(merged: MergedMetadata, term: str) -> list[Tree]:
    return [each.value for each in merged.values if each.term == term]


def rejected(merged: MergedMetadata) -> list[tuple[str, list[Tree], list[Tree]]]:
    return [
        (each.term, [one.value for one in each.kept], [one.value for one in each.others])
        for each in merged.conflicts
    ]


TWO: list[tuple[str, Tree, Tree, list[Tree], bool]] = [
    ("name", "Tides", "tides", ["Tides"], True),
    ("version", "1", 1, ["1"], False),
    ("version", "1.0", "2.0", ["1.0"], True),
    (
        "license",
        "https://spdx.org/licenses/MIT",
        {"@value": "free"},
        ["https://spdx.org/licenses/MIT"],
        True,
    ),
    ("keywords", "sea", "tide", ["sea", "tide"], False),
    ("keywords", "sea", "Sea", ["sea"], False),
    ("url", "http://x.example", "http://x.example/", ["http://x.example"], False),
    (
        "codeRepository",
        "https://h.example/a/b",
        "git+https://h.example/a/b.git",
        ["https://h.example/a/b"],
        False,
    ),
    ("dateModified", "2024-01-01", "2024-06-01", ["2024-06-01"], True),
    ("dateModified", "2024-06-01", "2024-01-01", ["2024-06-01"], True),
    ("dateModified", "2024-06-01", "soon", ["2024-06-01"], True),
    ("datePublished", "2024-01-01", "2024-06-01", ["2024-01-01"], True),
    ("programmingLanguage", "C", "Python", ["C", "Python"], False),
    (
        "identifier",
        "https://doi.org/10.1/a",
        "pkg:npm/a",
        ["https://doi.org/10.1/a", "pkg:npm/a"],
        False,
    ),
    ("a:term-of-others", "x", "y", ["x", "y"], False),
    (
        "softwareRequirements",
        {"type": "SoftwareApplication", "name": "a"},
        {"type": "SoftwareApplication", "name": "a", "url": "https://a.example"},
        [{"type": "SoftwareApplication", "name": "a", "url": "https://a.example"}],
        False,
    ),
]


@each_row(("term", "trusted", "other", "kept", "conflict"), TWO)
def test_each_term_has_a_strategy(
    term: str, trusted: Tree, other: Tree, kept: list[Tree], conflict: bool
) -> None:
    merged = merge(
        [
            manifest("package.json", ECOSYSTEM, (term, other)),
            manifest("codemeta.json", CODEMETA, (term, trusted)),
        ]
    )
    assert values(merged, term) == kept
    if conflict:
        (found,) = merged.conflicts
        stated = [one.value for each in (*found.kept, *found.others) for one in each.stated]
        assert (found.term, len(stated)) == (term, 2)
    else:
        assert merged.conflicts == ()


def test_a_list_of_the_most_trusted_manifest_stays_whole() -> None:
    merged = merge(
        [
            manifest("a.json", 1, ("description", "short"), ("description", "long")),
            manifest("b.json", 3, ("description", "LONG"), ("description", "short")),
        ]
    )
    assert values(merged, "description") == ["short", "long"]
    assert rejected(merged) == [("description", ["short", "long"], ["LONG"])]


def test_a_value_has_all_its_sources_the_most_trusted_first() -> None:
    merged = merge(
        [
            manifest("package.json", ECOSYSTEM, ("url", "http://x.example/")),
            manifest("CITATION.cff", CFF, ("url", "http://x.example")),
        ]
    )
    (value,) = merged.values
    assert value.value == "http://x.example"
    assert [(each.path, each.place, each.value) for each in value.stated] == [
        ("CITATION.cff", "/url", "http://x.example"),
        ("package.json", "/url", "http://x.example/"),
    ]


def test_the_result_is_the_same_for_any_order_of_the_manifests() -> None:
    manifests = [
        manifest("z/package.json", 3, ("name", "deep"), ("keywords", "c")),
        manifest("package.json", 3, ("name", "a"), ("keywords", "a")),
        manifest("setup.cfg", 3, ("name", "b"), ("keywords", "b")),
        manifest("CITATION.cff", 2, ("version", "1"), ("author", person("Jane Doe"))),
    ]
    first, *others = [merge(each) for each in permutations(manifests)]
    assert values(first, "name") == ["a"]
    assert values(first, "keywords") == ["a", "b", "c"]
    assert all(other == first for other in others)


def test_later_ids_are_links_to_the_same_project() -> None:
    merged = merge(
        [
            manifest("a.json", 1, ("id", "https://a.example/")),
            manifest("b.json", 2, ("id", "http://a.example")),
            manifest("c.json", 3, ("id", "https://c.example"), ("sameAs", "https://d.example")),
        ]
    )
    assert values(merged, "id") == ["https://a.example/"]
    assert values(merged, "sameAs") == ["https://c.example", "https://d.example"]
    assert merged.conflicts == ()


def test_a_preferred_citation_stays_apart_from_the_software() -> None:
    article: Tree = {
        "type": "ScholarlyArticle",
        "name": "On tides",
        "author": [person("Ann Other")],
    }
    merged = merge(
        [
            manifest("CITATION.cff", CFF, ("name", "Tides"), ("referencePublication", article)),
            manifest("package.json", ECOSYSTEM, ("name", "Tides"), ("author", person("Jane Doe"))),
        ]
    )
    found = merged.document()
    assert (found["name"], found["author"]) == ("Tides", [person("Jane Doe")])
    assert found["referencePublication"] == article


def test_the_documents_of_single_manifests_are_kept() -> None:
    merged = merge([manifest("a.json", 1, ("name", "a")), manifest("b.json", 3, ("name", "b"))])
    assert {path: each["name"] for path, each in merged.documents().items()} == {
        "a.json": "a",
        "b.json": "b",
    }


EMPTY: list[list[TranslatedManifest]] = [[], [manifest("a.json", 1)]]


@each_row("manifests", EMPTY)
def test_without_values_the_document_is_empty(manifests: list[TranslatedManifest]) -> None:
    assert merge(manifests).document() == {}


def test_authors_of_two_files_are_one_list() -> None:
    merged = merge(
        [
            manifest(
                "CITATION.cff", CFF, ("author", person("Jane Doe")), ("author", person("Ann Other"))
            ),
            manifest("package.json", ECOSYSTEM, ("author", person("Bob Roe"))),
        ]
    )
    assert merged.document()["author"] == [
        person("Jane Doe"),
        person("Ann Other"),
        person("Bob Roe"),
    ]
