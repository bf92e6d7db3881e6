"""White space: that of the markup leaves, and lines are where a reader sees them."""

import re

import pytest
from lxml import html

from indexer.stories.extraction import article as module
from indexer.stories.extraction.blocks.layout import collapse, plain_tables, tidy, with_lines
from tests.each_row import each_row
from tests.stories.pages import article


def collapsed(markup: str) -> str:
    tree = html.fragment_fromstring(markup, create_parent="body")
    collapse(tree)
    inner: str = html.tostring(tree, encoding="unicode")
    return inner.removeprefix("<body>").removesuffix("</body>")


@each_row(
    ("markup", "expected"),
    [
        ("<p>\n    One\n\ttwo  <b> three\n</b>\r\n </p>\n\n", "<p> One two <b> three </b> </p>\n"),
        ("<p>湖畔\n    晚报 。\n日 本\nabc\n한국\n어</p>", "<p>湖畔晚报 。日 本 abc 한국 어</p>"),
        (
            "<ul><li>two<p>deep</p>x<p>y</p></li></ul>",
            "<ul><li>two\n<p>deep</p>\nx\n<p>y</p></li></ul>",
        ),
        ("<p>a\xa0\xa0b</p>", "<p>a&#160;&#160;b</p>"),
        ("<pre>a\n  b</pre>\n\n<p>c</p>", "<pre>a\n  b</pre>\n<p>c</p>"),
        ("<pre><code>a\n  <b>b\n\n</b>\n\nc</code></pre>",) * 2,
        ("<pre>a\n\n<pre>b\n\n</pre>\n\nc</pre>\n\nd", "<pre>a\n\n<pre>b\n\n</pre>\n\nc</pre>\nd"),
        ("<script>a\n\nb</script>",) * 2,
        ("<code>a\n  b</code>",) * 2,
    ],
)
def test_white_space_collapses_as_in_a_browser(markup: str, expected: str) -> None:
    assert collapsed(markup).replace("\xa0", "&#160;") == expected


@each_row(
    ("text", "expected"),
    [
        ("  a \n\n\n\n  b  c\t\td ", "a\n\nb c d"),
        ("a\r\n b\x0bc\u2028d", "a\nb\nc\nd"),
        ("a\n \n \n\xa0\nb", "a\n\nb"),
        ("10\xa0000 «\u202fmot\u202f»",) * 2,
        ("山田\u3000太郎\n\u3000\u3000次の行", "山田\u3000太郎\n次の行"),
        ("", ""),
        (" \n\n \n", ""),
    ],
)
def test_a_tidy_text_has_no_runs_of_blanks_and_one_blank_line_at_most(
    text: str, expected: str
) -> None:
    assert tidy(text) == expected
    assert tidy(expected) == expected


def test_tables_of_markdown_become_plain_rows() -> None:
    text = "Before\n| Team | Points | |\n|---|---|---|\n| Reds | 12 | |\n| | 7 |\n| | |\nA | b"
    assert plain_tables(text) == "Before\nTeam | Points\nReds | 12\n| 7\nA | b"


@each_row(
    ("markup", "expected"),
    [
        ("<p>One<br>two</p><p>three</p>", ["One", "two", "three"]),
        ("<ul><li>One</li><li>two</li></ul>three", ["One", "two", "three"]),
        ("<table><tr><td>One</td><td>two</td></tr><tr><th><b>3</b></th><td>4</td></tr></table>",
         ["One | two", "3 | 4"]),
        ("<table><tr><td><p>One</p></td><td>two</td></tr></table>", ["One", "two"]),
        ("<pre>One\n  two</pre>", ["One", "two"]),
        ("<p>One <b>two</b></p>", ["One two"]),
    ],
)  # fmt: skip
def test_extractors_that_remove_tags_see_lines_and_cells(markup: str, expected: list[str]) -> None:
    tree = html.fragment_fromstring(markup, create_parent="body")
    before = html.tostring(tree)
    lines = tidy("".join(map(str, html.fromstring(with_lines(tree)).itertext())))
    assert [line for line in lines.split("\n") if line] == expected
    assert html.tostring(tree) == before


A, B, C = article().split(". ")[:3]
BODY = f"""
  <p>
     {A}
     {B}
  </p>


  <table>
     <tr>
        <th> Team </th>
        <th> Points </th>
     </tr>
     <tr><td>
         Reds</td><td>

         12
     </td></tr>
  </table>
  <pre>def spam():
    return eggs</pre>
  <p>{C}<br>
     {A}&nbsp;&nbsp;&nbsp;{B}<br/><br/><br/><br/>{C}</p>
  <div>{article()}</div>
"""
LINES = ["Team | Points", "Reds | 12", "def spam():", "return eggs", C, f"{A} {B}"]


def texts() -> dict[str, str]:
    tree = html.document_fromstring(f"<html><body><article>{BODY}</article></body></html>")
    collapse(tree)
    found = module._texts(tree, "https://www.example.com/a.html", 200)
    return {each.method: each.text for each in found}


def test_no_extractor_brings_white_space_of_the_markup() -> None:
    for method, text in texts().items():
        assert len(text) > 200, method
        assert not re.search(r"[^\S\n]{2}|\n\n\n|^\s|\s$|[^\S\n]\n|\n[^\S\n]", text), method


@pytest.mark.parametrize("method", ["trafilatura", "beautifulsoup4"])
def test_paragraphs_rows_code_and_breaks_are_lines(method: str) -> None:
    assert set(LINES) <= set(texts()[method].split("\n"))
