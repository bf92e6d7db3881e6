"""Hidden characters, all of Unicode's."""

import sys
import unicodedata

from indexer.system.escaping import escaped

ESCAPED = {"Cc", "Cf", "Zl", "Zp", "Cs"}
KEPT = "\t\n\u200c\u200d"


def test_every_character_of_these_categories_is_escaped() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    left = [
        char
        for char in every
        if unicodedata.category(char) in ESCAPED and escaped(char) == char and char not in KEPT
    ]
    assert left == []
