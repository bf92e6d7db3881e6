"""The traps of the specification's section 6: what the existing system loses is read."""

from typing import Any

from indexer.software.formats.extrinsic import EXTRINSIC
from indexer.software.formats.table import FORMATS
from indexer.software.translation.document import document
from indexer.software.translation.translator import translate
from tests.each_row import each_row

BY_NAME = {form.name: form for form in (*FORMATS, *EXTRINSIC.values())}


def read(form: str, text: str) -> dict[str, Any]:
    """The document of a manifest."""
    return document(translate(text.encode(), BY_NAME[form]).properties)


GEM = "Gem::Specification.new do |s|\n{}\nend"
CFF = "title: Software\nversion: 1.0\n{}"
POM = "<project>{}</project>"
NUSPEC = "<package><metadata><id>X</id>{}</metadata></package>"


@each_row(
    ("form", "text", "term", "value"),
    [
        ("codemeta", '{"name": "x"}', "name", "x"),
        ("codemeta", '{"@context": "https://w3id.org/codemeta/3.1", "name": "x"}', "name", "x"),
        ("codemeta", '{"@context": "https://a.example/c", "name": "x"}', "name", "x"),
        ("codemeta", '{"name": "x", "own": 1}', "own", 1),
        ("codemeta", '{"@type": "https://schema.org/SoftwareApplication", "name": "x"}', "type",
         "SoftwareApplication"),
        ("codemeta", '{"https://schema.org/name": "x"}', "name", "x"),
        ("codemeta", '{"license": "MIT"}', "license", "https://spdx.org/licenses/MIT"),
        ("codemeta", '{"identifier": "abc"}', "schema:identifier", "abc"),
        ("maven", POM.format("<scm><url>https://a.example/b</url></scm>"), "codeRepository",
         "https://a.example/b"),
        ("maven", POM.format("<licenses><license><name>MIT</name></license></licenses>"),
         "license", "https://spdx.org/licenses/MIT"),
        ("maven", POM.format("<name>${a}</name><properties><a>b</a></properties>"), "name", "b"),
        ("maven", '<m:project xmlns:m="urn:x"><m:name>b</m:name></m:project>', "name", "b"),
        ("maven", POM.format("<parent><version>2</version></parent>"), "version", "2"),
        ("maven", POM.format("<inceptionYear>2012</inceptionYear>"), "dateCreated", "2012"),
        ("pkg-info", "Name: x\nKeywords: a b, c\n", "keywords", ["a b", "c"]),
        ("pkg-info", "Name: x\n\nBody\n", "description", "Body"),
        ("pkg-info", "License-Expression: MIT\n", "license", "https://spdx.org/licenses/MIT"),
        ("pkg-info", "License: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License\n",
         "license", "https://spdx.org/licenses/MIT"),
        ("pkg-info", "Project-URL: Source, https://a.example/b\n", "codeRepository",
         "https://a.example/b"),
        ("gemspec", GEM.format("s.homepage = 'https://a.example/b'"), "url",
         "https://a.example/b"),
        ("gemspec", GEM.format("s.metadata['source_code_uri'] = 'https://a.example/b'"),
         "codeRepository", "https://a.example/b"),
        ("cff", CFF.format("preferred-citation: {type: article, title: Paper}"), "name",
         "Software"),
        ("cff", CFF.format("preferred-citation: 1"), "version", "1.0"),
        ("cff", CFF.format("doi: https://dx.doi.org/10.1234/x"), "identifier",
         "https://doi.org/10.1234/x"),
        ("cff", CFF.format("authors: [{name: Team}]"), "author",
         [{"type": "Organization", "name": "Team"}]),
        ("cff", CFF.format("authors: null"), "name", "Software"),
        ("composer", '{"license": ["MIT"]}', "license", "https://spdx.org/licenses/MIT"),
        ("composer", '{"authors": 1, "name": "x"}', "name", "x"),
        ("composer", '{"support": {"source": "https://a.example/b"}}', "codeRepository",
         "https://a.example/b"),
        ("pubspec", "version: 1.0", "version", "1.0"),
        ("pubspec", "repository: https://a.example/b", "codeRepository", "https://a.example/b"),
        ("pubspec", "topics: [a]", "keywords", "a"),
        ("nuget", NUSPEC.format("<title>T</title>"), "name", "T"),
        ("nuget", NUSPEC.format("<authors>A,, B</authors>"), "author",
         [{"type": "Person", "name": "A"}, {"type": "Person", "name": "B"}]),
        ("nuget", NUSPEC.format("<license>MIT</license>"), "license",
         "https://spdx.org/licenses/MIT"),
        ("github", '{"html_url": "https://a.example", "homepage": "https://b.example"}', "url",
         "https://b.example"),
    ],
)  # fmt: skip
def test_a_value_that_the_existing_system_loses_is_read(
    form: str, text: str, term: str, value: object
) -> None:
    assert read(form, text).get(term) == value


@each_row(
    ("form", "text"),
    [
        *(("codemeta", each) for each in ("[]", "{}", "1", "")),
        *(("maven", each) for each in ("<project/>", "<project>text</project>", "<other/>")),
        *(("pkg-info", each) for each in ("", "garbage", "\n\n")),
        *(("nuget", each) for each in ("<package/>", "<package><metadata/></package>", "<a/>")),
        *(("github", each) for each in ("{}", '{"name": "x"}', '{"html_url": 1}', "[]")),
        ("gitea", '{"html_url": "no address"}'),
        ("gemspec", "puts 'x'"),
        *(("cff", each) for each in ("[]", "text", "a: [")),
        *(("json-sword-codemeta", each) for each in ("[]", '{"@xmlns": ["a"]}')),
        ("coarnotify-mention-codemeta", '{"id": "x"}'),
    ],
)
def test_a_file_that_states_nothing_has_an_empty_document(form: str, text: str) -> None:
    assert read(form, text) == {}


def test_counts_that_are_no_counts_and_no_assertion_are_dropped() -> None:
    found = read(
        "github",
        '{"html_url": "https://a.example", "forks_count": true, "stargazers_count": -1,'
        ' "license": {"spdx_id": "NOASSERTION"}}',
    )
    assert found.keys() == {"@context", "id", "type"}
