"""The lines of text of chosen blocks: without titles, lists of links, repeats and noise."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from indexer.stories.extraction.blocks.vocabulary import NOISE_LINE
from indexer.stories.extraction.blocks.walk import Block

MOST_LINKS = 0.8
"""Blocks with more links, as a share of their weight, are lists of links."""

LONGEST_NOISE = 120
"""The most characters of a line of noise."""

_BETWEEN_CELLS = " | "


def kept(blocks: Sequence[Block], titles: set[str]) -> list[Block]:
    """The blocks of the story, from its first to its last good one. `titles`: its names."""
    own = [block for block in blocks if not _is_noise(block, titles)]
    good = [at for at, block in enumerate(own) if block.is_good]
    if not good:
        return []
    first, last = good[0], good[-1]
    # The other cells of the first and of the last row may be short.
    while first and own[first].row and own[first - 1].row == own[first].row:
        first -= 1
    while last + 1 < len(own) and own[last].row and own[last + 1].row == own[last].row:
        last += 1
    return own[first : last + 1]


def text(blocks: Sequence[Block]) -> str:
    """The lines of the blocks, a row of a table on one, without a line that repeats the last."""
    lines: list[str] = []
    for line in _lines(blocks):
        if not lines or line != lines[-1]:
            lines.append(line)
    return "\n".join(lines)


def _is_noise(block: Block, titles: set[str]) -> bool:
    if block.links > MOST_LINKS * block.weight or block.text in titles:
        return True
    is_short = not block.row and len(block.text) <= LONGEST_NOISE
    return is_short and bool(NOISE_LINE.fullmatch(block.text))


def _lines(blocks: Sequence[Block]) -> Iterator[str]:
    for row, group in groupby(blocks, key=lambda block: block.row):
        found = list(group)
        # A cell of several blocks is part of a layout made of a table.
        if row and len({block.cell for block in found}) == len(found):
            yield _BETWEEN_CELLS.join(block.text for block in found)
        else:
            yield from (block.text for block in found)
