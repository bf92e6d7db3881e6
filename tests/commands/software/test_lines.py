"""Lines of values: exact in JSON and YAML, in other syntaxes where a key is the only one."""

import pytest

from indexer.commands.software.lines import FileLines
from tests.each_row import each_row

JSON = b"""{
  "author": {"name": "a \\" }, {",
             "url": 1},
  "keywords": [
    "a", {"x": [1,
     2]}],
  "name":
     null, "a/b~c": {},
  "end": [[], {}, true]
}"""

YAML = b"""name: a
authors:
  - family-names: A
    given-names: B
  - &x
    family-names: C
"a/b": *x
"""

TOML = b"""[project]
name = "a"
version = "1"
[tool.x]
version = "2"
"""


COMMENTED = b"""// the name
{
  /* two
     lines */
  "name": "a//b", // , {
  "url": "x"
}"""

XML = b"""
<?xml version="1.0"?>
<m:project xmlns:m="urn:x">
  <!-- <name>no</name> -->
  <m:name>a</m:name>
  <licenses>
    <license url="u"><name>b</name></license>
    <license>
      <name>c</name>
    </license>
  </licenses>
  <metadata><title>t</title></metadata>
</m:project>"""

TEMPLATE = b"""{% set version = "1" %}
package:
  name: a
"""


@each_row(
    ("path", "content", "place", "line"),
    [
        ("a.json", JSON, "", 1),
        ("a.json", JSON, "/author", 2),
        ("a.json", JSON, "/author/name", 2),
        ("a.json", JSON, "/author/url", 3),
        ("a.json", JSON, "/keywords/0", 5),
        ("a.json", JSON, "/keywords/1/x/1", 6),
        ("a.json", JSON, "/name", 7),
        ("a.json", JSON, "/a~1b~0c", 8),
        ("a.json", JSON, "/end/2", 9),
        ("a.json", JSON, "/none", None),
        ("a.cff", YAML, "/name", 1),
        ("a.cff", YAML, "/authors/0/given-names", 4),
        ("a.cff", YAML, "/authors/1/family-names", 6),
        ("a.cff", YAML, "/a~1b", 7),
        ("a.cff", b"a: [", "/b", None),
        ("a.toml", TOML, "/project/name", 2),
        ("a.toml", TOML, "/project/version", None),
        ("a.jsonc", COMMENTED, "/name", 5),
        ("a.jsonc", COMMENTED, "/url", 6),
        ("pom.xml", XML, "/name", 5),
        ("pom.xml", XML, "/licenses/license/0/@url", 7),
        ("pom.xml", XML, "/licenses/license/1/name", 9),
        ("pom.xml", XML, "/licenses/license", 7),
        ("pom.xml", XML, "/metadata/title", 12),
        ("pom.xml", XML, "/title", 12),
        ("pom.xml", b"<a><b></a>", "/b", None),
        ("meta.yaml", TEMPLATE, "/package/name", 3),
        ("PKG-INFO", b"Name: x\nRequires-Dist: a\nRequires-Dist: b\n", "/requires-dist/1", 3),
        ("a.toml", b"a = 1\n[b]\na = 2\n", "/a/1", None),
        ("PKG-INFO", b"Metadata-Version: 2.1\nName: x\n", "/name", 2),
        ("PKG-INFO", b"Name: x\n", "", None),
    ],
)
def test_the_line_of_a_place(path: str, content: bytes, place: str, line: int | None) -> None:
    assert FileLines(path, content).of(place) == line


@pytest.mark.parametrize(
    "content",
    [
        b"{" * 5000,
        b'{"a":' * 5000,
        b"{]}}],:" * 50,
        b'{"a": "',
        b"a: &x [*x]",
        b"\xff\xfe{",
        b"[" * 900,
    ],
)
def test_no_text_is_an_error(content: bytes) -> None:
    for path in ("a.json", "a.yaml", "a.txt"):
        assert FileLines(path, content).of("/no/such/place") is None
