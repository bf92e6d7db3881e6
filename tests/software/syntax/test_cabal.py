"""Cabal: fields by indentation, sections as lists."""

from indexer.software.syntax.cabal import read_cabal
from tests.each_row import each_row


@each_row(
    ("text", "value"),
    [
        ("Name: x\n-- remark\nversion:  1.0", {"name": "x", "version": "1.0"}),
        ("description:\n  one\n  .\n  two", {"description": "one\n\ntwo"}),
        ("description: one: two\n  three: four", {"description": "one: two\nthree: four"}),
        (
            "library\n  build-depends: base,\n                 text\nname: x",
            {"library": [{"#name": "", "build-depends": "base,\ntext"}], "name": "x"},
        ),
        (
            "source-repository head {\n  type: git\n}\nsource-repository this\n\ttype: hg",
            {
                "source-repository": [
                    {"#name": "head", "type": "git"},
                    {"#name": "this", "type": "hg"},
                ]
            },
        ),
        (
            "library\n  build-depends: a\n  if os(windows)\n    build-depends: b\n  else\n    x: y",
            {"library": [{"#name": "", "build-depends": "a,\nb", "x": "y"}]},
        ),
        ("", {}),
    ],
)
def test_fields_and_sections(text: str, value: object) -> None:
    assert read_cabal(text.encode()) == value
