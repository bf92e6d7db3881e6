"""Values that mean the same have one canonical form, and no others."""

import pytest

from indexer.software.merging.canonical_forms import canonical_form, name_form
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row

REPOSITORY = "https://h.example/a/b"

SAME: list[tuple[str, Tree, Tree]] = [
    ("url", "http://x.example", "http://x.example/"),
    ("url", "http://x.example/a", "HTTPS://X.example:443/a/"),
    ("url", {"@value": "a b"}, "a  b"),
    ("copyrightYear", "1", 1),
    ("isAccessibleForFree", True, "true"),
    ("version", "v1.2", "1.2"),
    ("keywords", "Tides", " tides "),
    ("programmingLanguage", "Python", {"type": "ComputerLanguage", "name": "python"}),
    ("description", "Two\n  lines", "Two lines"),
    ("datePublished", "2024-02-03", "2024-02-03T10:00:00Z"),
    ("license", "https://spdx.org/licenses/MIT", "http://spdx.org/licenses/MIT.html"),
    ("identifier", "doi:10.5281/Zenodo.1", "https://doi.org/10.5281/zenodo.1"),
    ("identifier", "http://dx.doi.org/10.1/a", "https://doi.org/10.1/A"),
    (
        "referencePublication",
        "https://doi.org/10.1/a",
        {"type": "ScholarlyArticle", "identifier": "https://doi.org/10.1/a", "name": "A"},
    ),
    *[
        ("codeRepository", REPOSITORY, form)
        for form in (
            "git+https://h.example/a/b.git",
            "git://h.example/a/b.git",
            "git@h.example:a/b.git",
            "ssh://git@h.example/a/b",
            "git+ssh://git@h.example/A/B.git",
            "scm:git:https://h.example/a/b.git",
            "scm:git:git@h.example:a/b.git",
            "https://www.h.example/a/b/",
            "https://h.example/a/b.git#main",
        )
    ],
]

DIFFERENT: list[tuple[str, Tree, Tree]] = [
    ("url", "http://x.example/a", "http://x.example/A"),
    ("url", "ftp://x.example/", "http://x.example/"),
    ("version", "1.0", "1.0.0"),
    ("version", "v", ""),
    ("programmingLanguage", "C++", "C#"),
    ("codeRepository", REPOSITORY, "https://other.example/a/b"),
    ("codeRepository", REPOSITORY, "https://h.example/a/bgit"),
    ("softwareRequirements", {"name": "a", "version": ">1"}, {"name": "a", "version": ">2"}),
    ("softwareRequirements", {"name": "@a/x"}, {"name": "a-x"}),
    ("hasPart", {"url": "http://a.example"}, {"url": "http://b.example"}),
]


@each_row(("term", "one", "other"), SAME)
def test_values_that_mean_the_same_have_one_form(term: str, one: Tree, other: Tree) -> None:
    assert canonical_form(term, one) == canonical_form(term, other)


@each_row(("term", "one", "other"), DIFFERENT)
def test_other_values_have_different_forms(term: str, one: Tree, other: Tree) -> None:
    assert canonical_form(term, one) != canonical_form(term, other)


@each_row(
    ("name", "form"),
    [
        ("Doe, Jane", "jane doe"),
        ("  JANE   Doe", "jane doe"),
        ("Zoë Ångström", "zoe angstrom"),
        ("J. Doe", "j doe"),
        ("Doe, Jane, and others", "doe jane and others"),
        ("王小明", "王小明"),
    ],
)
def test_a_name_has_one_form_in_whichever_order_it_is_written(name: str, form: str) -> None:
    assert name_form(name) == form


@pytest.mark.parametrize(
    "value", [None, [], {}, {"a": None}, [[1, "a"], {"b": []}], -0.0, "\ud800"]
)
def test_any_value_has_a_form_that_can_be_compared(value: Tree) -> None:
    for term in ("name", "url", "codeRepository", "license", "version", "dateModified"):
        assert hash(canonical_form(term, value)) == hash(canonical_form(term, value))
