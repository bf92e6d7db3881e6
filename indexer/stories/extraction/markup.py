"""Parses the markup of a page; large ones after a look at their tags, which makes parsing cheap.

libxml2 keeps the attributes of an element in a list, and walks it to add or to find one: the time
grows with the square of their number. The look uses the tokenizer of the same library, which takes
time in proportion, so both agree about quotes, comments, CDATA and scripts.
"""

import re
from collections.abc import Mapping
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from indexer.errors import Discard, Quarantine

MAX_ATTRIBUTES = 1000
"""The most attributes of a tag. Pages have dozens; a quote that is not closed makes hundreds."""

LARGE = 200_000
"""The bytes of a page from which its tags are looked at first. Smaller ones can't have a tag that
takes more than two seconds, so they are only parsed."""

HEAD = 2000
"""The characters in which a doctype and the tag <html> are repaired."""

_FAULTY = (
    (re.compile(r"\A\s*< ?! ?doctype[^>]*/[^<>]*>", re.IGNORECASE), ""),
    (re.compile(r"(<html[^>]*)/>", re.IGNORECASE), r"\1>"),
)
"""What libxml2 mistakes: a doctype with a slash, and the tag <html> ended at once (the repairs of
trafilatura.utils.repair_faulty_html)."""

_CROWDED = etree.XPath(f"//@*[{MAX_ATTRIBUTES + 1}]/..")

_PARSER = lxml_html.HTMLParser(encoding="utf-8", collect_ids=False, remove_pis=True)
# One class for all elements: lxml's own choice is a call of Python for each element.
_PARSER.set_element_class_lookup(
    etree.ElementDefaultClassLookup(element=lxml_html.HtmlElement, comment=lxml_html.HtmlComment)
)


def parse(text: str) -> Any:
    """The tree of a page.

    Raises Quarantine("extract-attributes") if a tag has too many, Discard("no-text") for no markup.
    """
    page = _repaired(text).encode()
    try:
        if len(page) > LARGE:
            _check(most_attributes(page))
        tree = lxml_html.document_fromstring(page, parser=_PARSER)
    except etree.LxmlError as error:
        raise Discard("no-text", f"the page has no markup: {error}") from error
    crowded: Any = _CROWDED(tree)
    for element in crowded:
        _check(len(element.attrib))
    return tree


def _check(attributes: int) -> None:
    if attributes > MAX_ATTRIBUTES:
        raise Quarantine("extract-attributes", f"a tag with {attributes} attributes")


def _repaired(text: str) -> str:
    head = text[:HEAD]
    for fault, right in _FAULTY:
        head = fault.sub(right, head, count=1)
    return head + text[HEAD:]


def most_attributes(page: bytes) -> int:
    """The number of attributes of the tag that has most, in a page in UTF-8."""
    tags: Any = _Tags()
    parser = etree.HTMLParser(encoding="utf-8", target=tags)
    parser.feed(page)
    parser.close()
    most: int = tags.most
    return most


class _Tags:
    """A target of lxml's parser: it gets tags, and lxml builds no tree."""

    def __init__(self) -> None:
        self.most = 0

    def start(self, _: str, attributes: Mapping[str, str]) -> None:
        self.most = max(self.most, len(attributes))

    def close(self) -> None:
        """Demanded by lxml."""
