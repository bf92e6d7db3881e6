"""White space of pages and texts: lines where a reader sees lines, and none of the markup's own.

page → collapse → an extractor → tidy → text_content
"""

import copy
import re
from typing import Any

from lxml import etree
from lxml import html as lxml_html

VERBATIM = frozenset(("pre", "code", "textarea", "script", "style"))

BLOCKS = frozenset(
    (
        "address", "article", "aside", "blockquote", "caption", "center", "dd", "details", "dialog",
        "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
        "h4", "h5", "h6", "header", "hr", "legend", "li", "main", "menu", "nav", "ol", "option",
        "p", "pre", "section", "summary", "table", "tr", "ul",
    )
)  # fmt: skip
"""Elements that begin and end a line (HTML, 15.3: display: block, list-item and table-row)."""

CELLS = ("td", "th")
_BETWEENCELLS = " | "

_MARKUP_SPACE = "\t\n\r\f"
_CJK = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_CJK_LINE_BREAK = re.compile(rf"(?<=[{_CJK}])[ \t]*[\n\r][ \t\n\r]*(?=[{_CJK}])")
"""A line break within Chinese or Japanese, whose words have no spaces (CSS Text 3, 4.1.3)."""
_RUN = re.compile(r"\s{2,}|\t")
_BLANK_LINES = re.compile(r"\n{3,}")

_TABLE_RULE = re.compile(r"^(?:\|[-| ]*)$\n?", re.MULTILINE)
_TABLE_EDGE = re.compile(r"^\| ?|(?: \|)+ ?$", re.MULTILINE)


def collapse(tree: Any) -> None:
    """Replace each run of white space in a page by one space, as browsers do; not in code.

    A text ends in a line break before a block, and white space after a block becomes one, for
    extractors that know fewer blocks.
    """
    verbatim = 0
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        if event == "start":
            verbatim += element.tag in VERBATIM
            if element.tag in BLOCKS:
                _end_line(element.getprevious(), element.getparent())
            if element.text and not verbatim:
                element.text = collapsed(element.text)
        else:
            verbatim -= element.tag in VERBATIM
            if element.tail and not verbatim:
                tail = collapsed(element.tail)
                element.tail = "\n" + tail.lstrip() if element.tag in BLOCKS else tail


def _end_line(previous: Any, parent: Any) -> None:
    """End the text before a block: that after the element before it, or that of its parent."""
    if previous is not None:
        if previous.tail and not previous.tail[-1].isspace():
            previous.tail += "\n"
    elif parent is not None and parent.text and not parent.text[-1].isspace():
        parent.text += "\n"


def collapsed(text: str) -> str:
    """A text of a page with each run of white space replaced by one space, as browsers do."""
    if not text.isascii() and ("\n" in text or "\r" in text):
        text = _CJK_LINE_BREAK.sub("", text)
    # Replacements take a tenth of the time of a regular expression. Each one halves all runs.
    for space in _MARKUP_SPACE:
        text = text.replace(space, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def with_lines(tree: Any) -> str:
    """The markup of a page with a line break at each block, and a mark between the cells of a row.

    For extractors that remove tags, and with them the only sign that a word or a cell ends.
    """
    marked = copy.deepcopy(tree)
    for element in marked.iter("br", *BLOCKS, *CELLS):
        if element.tag in CELLS:
            _end_cell(element)
        else:
            element.tail = "\n" + (element.tail or "")
            if element.tag != "br":
                element.text = "\n" + (element.text or "")
    markup: str = lxml_html.tostring(marked, encoding="unicode")
    return markup


def _end_cell(cell: Any) -> None:
    """Mark the end of a cell, unless it is the last one, or part of a layout made of a table."""
    if cell.getnext() is None or any(child.tag in BLOCKS for child in cell):
        cell.tail = "\n" + (cell.tail or "")
    elif len(cell):
        cell[-1].tail = (cell[-1].tail or "") + _BETWEENCELLS
    else:
        cell.text = (cell.text or "") + _BETWEENCELLS


def plain_tables(text: str) -> str:
    """A tidy text of trafilatura, whose tables are those of Markdown, with plain rows: `a | b`."""
    return _TABLE_EDGE.sub("", _TABLE_RULE.sub("", text)).strip()


def tidy(text: str) -> str:
    """A text without runs of blanks, blanks around lines, and more than one blank line in a row."""
    lines = "\n".join(map(_tidy_line, text.splitlines()))
    return _BLANK_LINES.sub("\n\n", lines).strip()


def _tidy_line(line: str) -> str:
    # Most lines are tidy, and words are found in a tenth of the time of runs of blanks.
    return line if " ".join(line.split()) == line else _RUN.sub(" ", line).strip()
