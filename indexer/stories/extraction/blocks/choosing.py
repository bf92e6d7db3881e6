"""Chooses the containers of a story by sums of weights over ranges of blocks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from indexer.stories.extraction.blocks.vocabulary import is_standfirst
from indexer.stories.extraction.blocks.walk import HEADING, Block, Container, LeftOut, Page

JUNK_COSTS = 1.5
"""The weight of good text that one of junk in the same container cancels."""

LEAST_HINTED = 250
SHARE_HINTED = 0.3
"""A hint is believed if its container has this much good text, also of that of the best one."""

SHARE_INSIDE = 0.8
"""A smaller container within a hinted one must keep this much of its good text."""

_TOGETHER = frozenset(("figure", "article in an article"))
"""Reasons whose ranges count together: a gallery is its captions, a live blog its articles."""


@dataclass(frozen=True, slots=True)
class BlockSums:
    """Prefix sums of weights: all good text, and good text and junk without what is left out."""

    raw: Sequence[int]
    good: Sequence[int]
    junk: Sequence[int]
    is_out: Sequence[bool]

    def score(self, each: Container | LeftOut) -> float:
        """Good text less what its junk costs."""
        return self.good_in(each) - JUNK_COSTS * (self.junk[each.end] - self.junk[each.first])

    def good_in(self, each: Container | LeftOut) -> int:
        """The weight of good text that is not left out."""
        return self.good[each.end] - self.good[each.first]

    def raw_in(self, each: Container | LeftOut) -> int:
        """The weight of good text, also of that which is left out."""
        return self.raw[each.end] - self.raw[each.first]


@dataclass(frozen=True, slots=True)
class ChosenContainers:
    """The containers whose blocks are the story, in order, and the candidates before them."""

    chosen: Sequence[Container]
    best: Container | None
    hinted: Container | None


def sums(page: Page) -> BlockSums:
    """The prefix sums of a page."""
    weights = [block.weight if block.is_good else 0 for block in page.blocks]
    raw = [0, *accumulate(weights)]
    is_out = _out(page, raw)
    kept = [0 if out else weight for weight, out in zip(weights, is_out, strict=True)]
    junk = [0 if out else _junk(block) for block, out in zip(page.blocks, is_out, strict=True)]
    return BlockSums(raw, [0, *accumulate(kept)], [0, *accumulate(junk)], is_out)


def _junk(block: Block) -> int:
    return 0 if block.is_good or (block.kind == HEADING and not block.links) else block.weight


def _out(page: Page, raw: Sequence[int]) -> list[bool]:
    """Which blocks are left out. A range with more than half of all good text is the story."""
    half = raw[-1] / 2
    together: dict[str, int] = {}
    for each in page.left_out:
        together[each.reason] = together.get(each.reason, 0) + raw[each.end] - raw[each.first]
    steps = [0] * (len(page.blocks) + 1)
    titled = _titled(page, raw)
    for each in page.left_out:
        own = raw[each.end] - raw[each.first]
        weight = together[each.reason] if each.reason in _TOGETHER else own
        if weight <= half or any(it.end <= each.first or each.end <= it.first for it in titled):
            steps[each.first] += 1
            steps[each.end] -= 1
    return [level > 0 for level in accumulate(steps[:-1])]


def _titled(page: Page, raw: Sequence[int]) -> list[Container]:
    """The hinted container with the title and enough text: the story is not elsewhere."""
    at = next((at for at, block in enumerate(page.blocks) if block.tag == "h1"), None)
    found = (
        each
        for each in page.containers
        if at is not None
        and each.hint > 1
        and each.first <= at < each.end
        and raw[each.end] - raw[each.first] >= LEAST_HINTED
    )
    return list(found)[:1]


def choose(page: Page, sums: BlockSums) -> ChosenContainers:
    """The containers of the story; none if the page has no blocks."""
    if not page.containers:
        return ChosenContainers((), None, None)
    # Of containers with the same blocks, the innermost comes first.
    best = max(page.containers, key=sums.score)
    least = max(LEAST_HINTED, SHARE_HINTED * sums.good_in(best))
    hints = [each for each in page.containers if each.hint and sums.good_in(each) >= least]
    hinted = max(hints, key=lambda each: (each.hint, sums.score(each)), default=None)
    chosen = _inside(page, sums, hinted) if hinted else best
    parts = _with_siblings(page, sums, chosen)
    return ChosenContainers([*_standfirst(page, sums, parts[0]), *parts], best, hinted)


def _standfirst(page: Page, sums: BlockSums, first: Container) -> list[Container]:
    """The paragraph between the title and the text that stands with the title."""
    titles = [at for at, block in enumerate(page.blocks[: first.first]) if block.tag == "h1"]
    if not titles:
        return []
    found = (
        each
        for each in page.containers
        if titles[-1] < each.first and each.end <= first.first and sums.good_in(each)
    )
    return [each for each in found if is_standfirst(each.name)][:1]


def _inside(page: Page, sums: BlockSums, outer: Container) -> Container:
    least = SHARE_INSIDE * sums.good_in(outer)
    inner = (
        each
        for each in page.containers
        if each.first >= outer.first and each.end <= outer.end and sums.good_in(each) >= least
    )
    return max(inner, key=sums.score, default=outer)


def _with_siblings(page: Page, sums: BlockSums, chosen: Container) -> list[Container]:
    """The container, and those like it: the parts of a story between which other things stand."""
    if not chosen.name or chosen.tag == "article":
        return [chosen]
    kind = chosen.likeness
    alike = (each for each in page.containers if each.likeness == kind)
    return [each for each in alike if each is chosen or sums.score(each) > 0]
