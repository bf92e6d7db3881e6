"""Repositories in the spellings of npm, Maven and people."""

from indexer.software.readings.repositories import npm_repositories, repositories
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.readings.reading import reading

A = "git+https://github.com/roe/a.git"

URLS: list[tuple[Tree, Tree]] = [
    ("https://github.com/roe/a", "https://github.com/roe/a"),
    ("https://github.com/roe/a.git", "https://github.com/roe/a.git"),
    ("git+https://github.com/roe/a.git", A),
    ("git://github.com/roe/a.git", "git://github.com/roe/a.git"),
    ("https://github.com/roe/a.git#main", "https://github.com/roe/a.git"),
    ("ssh://git@git.example:22/a.git", "ssh://git@git.example:22/a.git"),
    # short forms
    ("github:roe/a", A),
    ("github:roe/a#main", A),
    ("github:roe/a.git", A),
    ("gitlab:roe/group/a", "git+https://gitlab.com/roe/group/a.git"),
    ("bitbucket:roe/a", "git+https://bitbucket.org/roe/a.git"),
    ("gist:0123456789abcdef", "git+https://gist.github.com/0123456789abcdef.git"),
    ("git@github.com:roe/a.git", "git+ssh://git@github.com/roe/a.git"),
    ("git@github.com:/roe/a.git", "git+ssh://git@github.com/roe/a.git"),
    ("git.example.org:roe/a.git", "git+ssh://git.example.org/roe/a.git"),
    # Maven
    ("scm:git:https://git.example/a.git", "https://git.example/a.git"),
    ("scm:git:git@git.example:roe/a.git", "git+ssh://git@git.example/roe/a.git"),
    ("scm:svn:http://svn.example/a/trunk", "http://svn.example/a/trunk"),
    ("scm:hg|https://hg.example/a", "https://hg.example/a"),
    # npm
    ({"type": "git", "url": "https://github.com/roe/a.git"}, A),
    ({"type": "git", "url": "git+https://github.com/roe/a.git"}, A),
    ({"type": "git", "url": "git://git.example/a.git"}, "git://git.example/a.git"),
    ({"type": "git", "url": "github:roe/a"}, A),
    ({"type": "svn", "url": "http://svn.example/a"}, "svn+http://svn.example/a"),
    ({"type": "website", "url": "https://a.example/code"}, "https://a.example/code"),
    ({"url": "https://github.com/roe/a.git"}, "https://github.com/roe/a.git"),
    ([{"type": "git", "url": "roe"}], {"@value": "roe"}),
    # credentials
    ("https://roe:secret@git.example/a.git", "https://git.example/a.git"),
    ("https://token@git.example/a.git", "https://git.example/a.git"),
    ("https://roe:s@cret@git.example/a.git", "https://git.example/a.git"),
    ("git+ssh://git:secret@git.example/a.git", "git+ssh://git@git.example/a.git"),
    # no URLs: no host and no scheme is invented
    ("github.com/roe/a", {"@value": "github.com/roe/a"}),
    ("roe/a", {"@value": "roe/a"}),
    ("x:roe/a", {"@value": "x:roe/a"}),
    ("http:///a", {"@value": "http:///a"}),
    ("https://a.example/with blank", {"@value": "https://a.example/with blank"}),
]


@each_row(("value", "expected"), URLS)
def test_a_repository_is_a_url_where_it_names_one(value: Tree, expected: Tree) -> None:
    assert reading(repositories, value).values == [expected]


@each_row("text", ["roe/a", "roe/a.git", "roe/a#main"])
def test_an_owner_and_a_name_are_a_repository_of_github_in_npm(text: str) -> None:
    assert reading(npm_repositories, text).values == [A]
    assert reading(npm_repositories, {"type": "git", "url": text}).values == [A]


@each_row("text", ["github.com/roe", "./a", "roe/a/b", "roe/"])
def test_other_paths_are_none(text: str) -> None:
    assert reading(npm_repositories, text).values == [{"@value": text}]


@each_row("value", ["", " ", None, []])
def test_a_blank_is_no_repository(value: Tree) -> None:
    assert reading(repositories, value) == ([], [], [])


@each_row("value", [3, True, {}, {"type": "git"}, {"type": "git", "url": ""}, {"url": {}}])
def test_what_is_no_repository_is_diagnosed(value: Tree) -> None:
    found = reading(repositories, value)
    assert found.values == []
    assert len(found.diagnostics) == 1


def test_the_folder_of_a_repository_is_diagnosed() -> None:
    found = reading(repositories, {"url": "https://a.example/a", "directory": "packages/a"})
    assert [each.place for each in found.diagnostics] == ["/k/directory"]


@each_row("text", ["https://roe:secret@a.example", "https://roe:secret@a.example/with blank"])
def test_a_password_is_in_no_value_and_in_no_diagnostic(text: str) -> None:
    assert "secret" not in repr(reading(repositories, text))
