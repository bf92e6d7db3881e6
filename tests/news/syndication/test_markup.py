"""Tags and text, from pieces of any size."""

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.news.syndication import markup
from indexer.news.syndication.markup import (
    TokenKind,
    attributes,
    cdata,
    parts,
    simple_elements,
    tokens,
    unescape,
)
from tests.each_row import each_row

START, END, TEXT, CDATA = TokenKind.START, TokenKind.END, "text", "cdata"
Found = list[tuple[TokenKind | str, str]]


def pieces(text: str, size: int) -> Iterator[str]:
    """A text in pieces."""
    return (text[at : at + size] for at in range(0, len(text), size))


def lexed(text: str, size: int = 1 << 16) -> Found:
    """The tags and texts of a text."""
    return joined(parts(pieces(text, size)))


def joined(parts: Iterable[markup.Part]) -> Found:
    """The tags and texts of parts, with adjacent pieces of text joined."""
    found: Found = []
    for part in parts:
        for kind, value in _split(part):
            if found and kind in (TEXT, CDATA) and found[-1][0] is kind:
                found[-1] = (kind, found[-1][1] + value)
            elif value:
                found.append((kind, value))
    return found


def unfolded(elements: Iterator[markup.SimpleElement]) -> Iterator[markup.Part]:
    """The parts of which simple elements consist; an empty text has none."""
    for text, slash, name, raw, before, section, after, end, other in elements:
        yield text, slash, name, raw, other
        if end:
            if section:
                yield before, "", "", "", section
            yield after if section else before, "/", name, "", ""


def _split(part: markup.Part) -> Found:
    """The text of a part, and its section or the tags in it."""
    text, slash, name, raw, other = part
    section = (CDATA, cdata(other)) if other.startswith(markup.CDATA) else (TEXT, other)
    shown = [section] if other == "<" or section[0] is CDATA else []
    tag = f"<{slash}{name}{raw}>" if name else ""
    return [(TEXT, text), *shown, *((each.kind, each.value) for each in tokens([tag]))]


SAMPLES = {
    "": [],
    "text": [(TEXT, "text")],
    "<a>b</a>": [(START, "a"), (TEXT, "b"), (END, "a")],
    "<A:B c='>'>": [(START, "a:b")],
    "<a/><b />": [(START, "a"), (END, "a"), (START, "b"), (END, "b")],
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>": [(TEXT, "]>"), (START, "a")],
    "<?xml version='1.0'?><!-- <a> --><b>": [(START, "b")],
    "<![CDATA[<a>&amp;]]]><b>": [(CDATA, "<a>&amp;]"), (START, "b")],
    "a < b <c> 1<2": [(TEXT, "a < b "), (START, "c"), (TEXT, " 1<2")],
    "<a b='x>y</a>": [(TEXT, "<a b='x>y"), (END, "a")],
    "<a": [(TEXT, "<a")],
    "<![CDATA[never": [(CDATA, "never")],
    "a<!-- never": [(TEXT, "a")],
    "<1><é></é>": [(TEXT, "<1>"), (START, "é"), (END, "é")],
    "&lt;a&gt;": [(TEXT, "&lt;a&gt;")],
}


@each_row("text", SAMPLES)
@each_row("size", [1, 2, 3, 7, 1000])
def test_the_same_tokens_in_pieces_of_any_size(text: str, size: int) -> None:
    assert lexed(text, size) == SAMPLES[text]


def test_a_tag_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "MAX_TAG", 100)
    assert lexed("<a " + "x" * 200 + "><b>", 50)[-1] == (START, "b")


@each_row(
    ("text", "found"),
    [
        ("", {}),
        (" a='1' B=\"2\" c=3 d", {"a": "1", "b": "2", "c": "3"}),
        (" a = '1'/", {"a": "1"}),
        (" a='x &amp; y' b='é'", {"a": "x & y", "b": "é"}),
        (" a='' b", {"a": ""}),
        (" xml:base='http://a.example/?b=c&d=e'", {"xml:base": "http://a.example/?b=c&d=e"}),
    ],
)
def test_attributes(text: str, found: dict[str, str]) -> None:
    assert attributes(markup.Token(START, "a", text)) == found


@each_row(
    ("text", "meant"),
    [
        ("a &amp; b", "a & b"),
        ("&lt;&gt;&quot;&apos;&#65;&#x42;&#X43;", "<>\"'ABC"),
        ("&eacute;&nbsp;&ouml;", "é\xa0ö"),
        ("?a=1&copy=2&lt=3", "?a=1&copy=2&lt=3"),
        ("&nosuch; &notit; &;", "&nosuch; &notit; &;"),
        ("&amp;lt;", "&lt;"),
        ("&#0;&#xD800;&#9999999;", "\ufffd\ufffd\ufffd"),
        ("&#99999999999;", "&#99999999999;"),
    ],
)
def test_references_to_characters_end_in_a_semicolon(text: str, meant: str) -> None:
    assert unescape(text) == meant


HOSTILE = st.lists(
    st.sampled_from(["<a>", "</a>", "<b/>", "</a >", "<", ">", "x", "&lt;", '<a b="c">', "<A>"])
    | st.sampled_from(
        ["<![CDATA[", "]]>", "]", "<!--", "-->", "<?x", "<a:b>", "</a:b>", " ", "\n"]
    ),
    max_size=30,
).map("".join)


@given(HOSTILE, st.sampled_from([1, 7, 1 << 16]))
def test_simple_elements_are_the_same_parts_joined(text: str, size: int) -> None:
    assert list(unfolded(simple_elements([text]))) == list(parts([text]))
    found = unfolded(simple_elements(pieces(text, size)))
    assert joined(found) == joined(parts(pieces(text, size)))


def test_an_element_with_only_text_is_one_part() -> None:
    found, *_ = simple_elements(["<a b='c'>d <![CDATA[<e>]]> f</a><g>"])
    assert found == ("", "", "a", " b='c'", "d ", "<![CDATA[<e>]]>", " f", "</a>", "")
