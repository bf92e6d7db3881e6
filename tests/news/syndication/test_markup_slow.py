"""Hostile markup takes linear time."""

import time

from indexer.news.syndication.markup import TokenKind, attributes, tokens, unescape
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
    for token in tokens(pieces(text, 1 << 16)):
        if token.kind is TokenKind.START:
            attributes(token)
        unescape(token.value)
    assert time.process_time() - started < 10
