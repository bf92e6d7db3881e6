"""Hostile markup takes linear time."""

import time

from indexer.news.syndication.markup import attributes_in, parts, unescape
from tests.each_row import each_row
from tests.news.syndication.test_markup import pieces

REPEATED = ["<", "<a ", '<a "', "<a b='", "<!--", "<![CDATA[", "]]>", "&", "x"]
IN_ONE_TAG = ["b", "b ", "=", "b="]


@each_row("unit", REPEATED + IN_ONE_TAG)
def test_the_time_is_linear(unit: str) -> None:
    text = unit * 200_000
    if unit in IN_ONE_TAG:
        text = f"<a {text}>"
    started = time.process_time()
    for before, _, name, attributes, other in parts(pieces(text, 1 << 16)):
        unescape(before + other)
        if name:
            attributes_in(attributes)
    assert time.process_time() - started < 10
