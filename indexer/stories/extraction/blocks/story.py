"""The text of a story by its blocks, and the reasons to doubt it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from indexer.stories.extraction.blocks.choosing import BlockSums, ChosenContainers, choose, sums
from indexer.stories.extraction.blocks.layout import collapsed
from indexer.stories.extraction.blocks.lines import kept, text
from indexer.stories.extraction.blocks.walk import Block, Page, walk

LEAST_KEPT = 300
LEAST_SHARE = 0.5
MOST_RAW = 2.5

_BEFORE_SITE = (" | ", " - ", " – ", " — ", " · ", " :: ")


@dataclass(frozen=True, slots=True)
class ReadText:
    """What was found on a page, and each step on the way. `doubts` is empty if there are none."""

    text: str
    doubts: Sequence[str]
    page: Page
    sums: BlockSums
    choice: ChosenContainers
    kept: Sequence[Block]

    def reasons(self) -> dict[int, str]:
        """The reasons why blocks are left out, by their numbers."""
        return {
            at: each.reason
            for each in self.page.left_out
            for at in range(each.first, each.end)
            if self.sums.is_out[at]
        }


def read(tree: Any) -> ReadText:
    """The text of the story on a page. Does not change `tree`."""
    page = walk(tree)
    found = sums(page)
    choice = choose(page, found)
    inside = _inside(found, choice)
    first = next((at for at in inside if page.blocks[at].is_good), 0)
    own = kept([page.blocks[at] for at in inside], _titles(tree, page.blocks[:first]))
    return ReadText(text(own), _doubts(found, choice, own), page, found, choice, own)


def _inside(sums: BlockSums, choice: ChosenContainers) -> list[int]:
    """The numbers of the chosen blocks, in their order."""
    numbers = {at for each in choice.chosen for at in range(each.first, each.end)}
    return [at for at in sorted(numbers) if not sums.is_out[at]]


def _titles(tree: Any, before: Sequence[Block]) -> set[str]:
    """The main headings before the text, and the <title> with and without the name of the site."""
    titles = {block.text for block in before if block.tag == "h1"}
    title = tree.find(".//title")
    if title is not None and title.text:
        whole = collapsed(title.text).strip()
        titles |= {whole, *(whole.rpartition(mark)[0] for mark in _BEFORE_SITE)}
    return titles - {""}


def _doubts(sums: BlockSums, choice: ChosenContainers, own: Sequence[Block]) -> list[str]:
    """The reasons why the text may not be that of the story, or not all of it."""
    good = sum(block.weight for block in own if block.is_good)
    outer = [choice.hinted] if choice.hinted else choice.chosen
    pruned = sum(sums.raw_in(each) - sums.good_in(each) for each in outer)
    cases = (
        (good < LEAST_KEPT, f"{good} bytes of good text are few"),
        (good < LEAST_SHARE * sums.good[-1], f"{good} of {sums.good[-1]} bytes were kept"),
        (pruned > good, f"{pruned} bytes were left out inside, {good} kept"),
        (sums.raw[-1] > MOST_RAW * good, f"the page has {sums.raw[-1]} bytes, {good} kept"),
    )
    return [reason for holds, reason in cases if holds]
