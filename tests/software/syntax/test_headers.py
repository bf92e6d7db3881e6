"""Headers: the continuation rules of Python, R and Debian."""

from indexer.software.syntax.headers import read_dcf, read_debian_control, read_python_headers
from tests.each_row import each_row


@each_row(
    ("text", "value"),
    [
        ("Name: x\nNAME: y\n", {"name": ["x", "y"]}),
        ("Description: a\n        b\n        \n          c", {"description": "a\nb\n\n  c"}),
        ("Description: a\n       |b\n       |  c", {"description": "a\nb\n  c"}),
        ("Name: x\n\n# Title\n\nName: y", {"name": "x", "#body": "# Title\n\nName: y"}),
        ("Summary: =?utf-8?q?caf=C3=A9?=", {"summary": "café"}),
        ("Summary: =?no-such?q?caf=C3=A9?=", {"summary": "=?no-such?q?caf=C3=A9?="}),
        ("Name:x\r\nVersion: 1\r\n", {"name": "x", "version": "1"}),
        ("no header at all", {}),
        ("", {}),
    ],
)
def test_python_headers(text: str, value: object) -> None:
    assert read_python_headers(text.encode()) == value


def test_a_byte_that_is_no_utf_8_is_latin_1() -> None:
    assert read_python_headers(b"Author: Andr\xe9\n") == {"author": "André"}


def test_the_lines_of_a_field_of_r_are_one_text() -> None:
    text = b"Package: x\nDescription: one\n  two\n\tthree\nAuthors@R: c(\n  person('A'))\n"
    assert read_dcf(text) == {
        "package": "x",
        "description": "one two three",
        "authors@r": "c( person('A'))",
    }


def test_a_control_file_is_a_list_of_paragraphs() -> None:
    source = b"# remark\nSource: x\nBuild-Depends: a,\n# remark\n b\n"
    package = b"\n\nPackage: y\nDescription: s\n l\n .\n m"
    assert read_debian_control(source + package) == [
        {"source": "x", "build-depends": "a,\nb"},
        {"package": "y", "description": "s\nl\n\nm"},
    ]
