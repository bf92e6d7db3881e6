"""Requirements in the shapes of package managers, and platforms."""

from typing import Any

from indexer.software.readings.requirements import platforms, requirements
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.readings.reading import reading

ROWS: list[tuple[str, Tree, list[tuple[str, ...]]]] = [
    # type, value, [(name, version, identifier)]
    ("npm", {"a": "^1.2"}, [("a", "^1.2", "pkg:npm/a")]),
    ("npm", {"@s/a": " * ", "b": ""}, [("@s/a", "*", "pkg:npm/%40s/a"), ("b", "", "pkg:npm/b")]),
    ("npm", {"a": "github:roe/a"}, [("a", "github:roe/a", "")]),
    ("npm", {"a": "roe/a"}, [("a", "roe/a", "")]),
    ("npm", {"a": "file:../a"}, [("a", "file:../a", "")]),
    ("npm", ["a", "@s/b"], [("a", "", "pkg:npm/a"), ("@s/b", "", "pkg:npm/%40s/b")]),
    ("npm", {"a": None, "b": 1}, [("a", "", "pkg:npm/a"), ("b", "1", "pkg:npm/b")]),
    ("composer", {"php": ">=8"}, [("php", ">=8", "")]),
    ("composer", {"Roe/A": "^1"}, [("Roe/A", "^1", "pkg:composer/roe/a")]),
    ("cargo", {"a": {"version": "1", "features": ["x"]}}, [("a", "1", "pkg:cargo/a")]),
    ("cargo", {"a": {"path": "../a"}}, [("a", "", "")]),
    ("cargo", {"a": {"package": "b", "version": "1"}}, [("b", "1", "pkg:cargo/b")]),
    ("pub", {"a": None}, [("a", "", "pkg:pub/a")]),
    ("pub", {"flutter": {"sdk": "flutter"}}, [("flutter", "", "")]),
    ("pypi", {"python": "^3.8"}, [("python", "^3.8", "")]),
    ("pypi", {"A_b": "*"}, [("A_b", "*", "pkg:pypi/a-b")]),
    ("pypi", ["A[x,y]>=1,<2 ; python_version<'3'"], [("A", ">=1,<2", "pkg:pypi/a")]),
    ("pypi", ["a (>=1.0)"], [("a", ">=1.0", "pkg:pypi/a")]),
    ("pypi", ["a @ https://a.example/a.whl"], [("a", "", "")]),
    ("pypi", "a>=1,<2\n\nb\n", [("a", ">=1,<2", "pkg:pypi/a"), ("b", "", "pkg:pypi/b")]),
    ("cran", "R (>= 4.0),\n a", [("R", ">= 4.0", ""), ("a", "", "pkg:cran/a")]),
    ("cran", "Rcpp (>= 1)", [("Rcpp", ">= 1", "pkg:cran/Rcpp")]),
    ("", "GNU make, C++11", [("GNU make", "", ""), ("C++11", "", "")]),
    ("deb", "debhelper (>= 9)", [("debhelper", ">= 9", "pkg:deb/debian/debhelper")]),
    ("deb", "python3:any", [("python3", "", "pkg:deb/debian/python3")]),
    ("deb", "g++ [amd64] <!nocheck>", [("g++", "", "pkg:deb/debian/g%2B%2B")]),
    ("hackage", "base >=4.7 && <5", [("base", ">=4.7 && <5", "pkg:hackage/base")]),
    ("hackage", "a, b", [("a", "", "pkg:hackage/a"), ("b", "", "pkg:hackage/b")]),
    ("conda", ["numpy >=1.1,<2"], [("numpy", ">=1.1,<2", "pkg:conda/numpy")]),
    ("conda", ["a 1.2 py35"], [("a", "1.2 py35", "pkg:conda/a")]),
    ("cpan", {"perl": "5.8", "A::B": 0}, [("perl", "5.8", ""), ("A::B", "0", "pkg:cpan/A::B")]),
    ("maven", {"groupId": "g.h", "artifactId": "a"}, [("g.h/a", "", "pkg:maven/g.h/a")]),
    ("nuget", [{"id": "A.B", "version": "[1,2)"}], [("A.B", "[1,2)", "pkg:nuget/A.B")]),
    ("npm", {"a b": "1"}, [("a b", "1", "")]),
    ("npm", {}, []),
    ("npm", "", []),
    ("npm", None, []),
]


def value(name: str, version: str, identifier: str) -> dict[str, Any]:
    told = {"name": name, "version": version, "identifier": identifier}
    return {"type": "SoftwareApplication", **{key: each for key, each in told.items() if each}}


@each_row(("package_type", "given", "expected"), ROWS)
def test_requirements_have_a_name_the_constraint_as_written_and_a_package_url(
    package_type: str, given: Tree, expected: list[tuple[str, str, str]]
) -> None:
    found = reading(requirements(package_type), given)
    assert found.values == [value(*row) for row in expected]
    assert found.diagnostics == []


def test_texts_of_extras_are_read_apart() -> None:
    given: Tree = ["a", "b; extra == 'test'", 'c; python_version<"3" and extra=="dev"']
    assert reading(requirements("pypi"), given).values == [value("a", "", "pkg:pypi/a")]
    found = reading(requirements("pypi", is_optional=True), given)
    assert found.values == [value("b", "", "pkg:pypi/b"), value("c", "", "pkg:pypi/c")]


@each_row("given", [3, True, [3], [{}], {" ": "1"}, ["${misc:Depends}"], [{"version": "1"}]])
def test_what_is_no_requirement_is_diagnosed(given: Tree) -> None:
    found = reading(requirements("deb"), given)
    assert found.values == []
    assert len(found.diagnostics) == 1


def test_the_first_of_some_alternatives_is_kept_and_the_others_are_diagnosed() -> None:
    found = reading(requirements("deb"), "a (>= 1) | b | c")
    assert found.values == [value("a", ">= 1", "pkg:deb/debian/a")]
    assert [each.raw for each in found.diagnostics] == ["b", "c"]


@each_row(
    ("given", "expected"),
    [
        ({"node": ">=18", "npm": ""}, ["node >=18", "npm"]),
        (["node >= 0.6", {"npm": "1"}], ["node >= 0.6", "npm 1"]),
        (" linux ", ["linux"]),
        (None, []),
        (3, []),
    ],
)
def test_platforms_are_texts(given: Tree, expected: list[Tree]) -> None:
    assert reading(platforms, given).values == expected
