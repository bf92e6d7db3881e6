"""XML: local names, lists for repeated elements, and no entities."""

import pytest

from indexer.errors import UnreadableManifest
from indexer.software.syntax.xml_file import read_qualified_xml, read_xml
from tests.each_row import each_row


@each_row(
    ("text", "value"),
    [
        ("<a/>", {"a": ""}),
        ("<a>x</a>", {"a": "x"}),
        ("<a><b>1</b><b>2</b><c/></a>", {"a": {"b": ["1", "2"], "c": ""}}),
        ('<m:a xmlns:m="urn:x" m:k="v">t</m:a>', {"a": {"@k": "v", "#text": "t"}}),
        ("<!-- x --><a><?pi?><!-- x -->y<b/></a>", {"a": {"b": "", "#text": "y"}}),
        ("<a><b>1</b><b>2</b><b>3</b></a>", {"a": {"b": ["1", "2", "3"]}}),
        ('<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a>x</a>', {"a": "x"}),
        ("\n <?xml version='1.0'?><a/>", {"a": ""}),
    ],
)
def test_an_element_is_a_text_or_a_dictionary(text: str, value: object) -> None:
    assert read_xml(text.encode()) == value


@each_row("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_an_encoding_is_recognised_with_and_without_a_declaration(encoding: str) -> None:
    assert read_xml("<a>é</a>".encode(encoding)) == {"a": "é"}
    declared = f"<?xml version='1.0' encoding='{encoding.removesuffix('-sig')}'?><a>é</a>"
    assert read_xml(declared.encode(encoding)) == {"a": "é"}


def test_a_wrong_declaration_of_utf_8_costs_no_file() -> None:
    assert read_xml(b"<?xml version='1.0' encoding='UTF-8'?><a>\xe9</a>") == {"a": "é"}


def test_named_characters_of_html_are_read_as_maven_does() -> None:
    assert read_xml(b"<a>J&oslash;rgen &amp; Zo\xc3\xab</a>") == {"a": "Jørgen & Zoë"}
    assert read_xml(b"<a>J&oslash;rgen Zo\xeb</a>") == {"a": "Jørgen Zoë"}
    with pytest.raises(UnreadableManifest, match="not XML"):
        read_xml(b"<a>&nowhere;</a>")


def test_names_keep_their_namespaces_where_a_format_needs_them() -> None:
    assert read_qualified_xml(b'<m:a xmlns:m="urn:x"/>') == {"{urn:x}a": ""}


@each_row(
    "text",
    [
        *("", "x", "<a>", "<a>\0</a>", "<?xml version='1.0' encoding='none-such'?><a/>"),
        *("<a>" * 5000, "<a>" * 70 + "</a>" * 70, "<a>&unknown;</a>"),
        '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    ],
)
def test_entities_depth_and_broken_files_are_refused(text: str) -> None:
    with pytest.raises(UnreadableManifest):
        read_xml(text.encode())
