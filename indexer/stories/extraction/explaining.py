"""How the text of a page was found: its blocks, the candidates, their scores, the doubts."""

from typing import Any

import msgspec
from lxml import etree

from indexer.errors import Discard, Disposition, Quarantine, SandboxError
from indexer.stories.extraction.blocks.choosing import BlockSums
from indexer.stories.extraction.blocks.story import ReadText, read
from indexer.stories.extraction.blocks.walk import Container
from indexer.stories.extraction.markup import parse
from indexer.stories.extraction.pages import FetchedPage, RefusedPage
from indexer.system.sandbox import SandboxLimits
from indexer.system.sandbox_pool import SandboxPool
from indexer.text.decoding.ladder import decode

MOST_CANDIDATES = 10

_FUNCTION = "indexer.stories.extraction.explaining:answer"


class ExplainedBlock(msgspec.Struct, kw_only=True):
    """A block: its weights in bytes, and whether it is kept, dropped, outside, or left out."""

    number: int
    kind: str
    weight: int
    links: int
    is_good: bool
    fate: str
    text: str


class ExplainedContainer(msgspec.Struct, kw_only=True):
    """A container: its blocks, the weights of good text and junk in it, its score and its role."""

    role: str
    element: str
    first: int
    end: int
    hint: int
    good: int
    junk: int
    score: float


class Explanation(msgspec.Struct, kw_only=True, tag="explanation"):
    """All that decided about the text of a page. `candidates` are the chosen and the best ones."""

    doubts: list[str]
    candidates: list[ExplainedContainer]
    blocks: list[ExplainedBlock]


def explained(page: FetchedPage, limits: SandboxLimits) -> Explanation:
    """The explanation of a page, made in a sandbox. Raises Discard, Quarantine."""
    sandboxes = SandboxPool(_FUNCTION, limits)
    try:
        answered = sandboxes.run(msgspec.msgpack.encode(page))
    except SandboxError as error:
        raise Quarantine(f"extract-{error.reason}", error.why) from error
    finally:
        sandboxes.close()
    found = msgspec.msgpack.decode(answered, type=Explanation | RefusedPage)
    if isinstance(found, RefusedPage):
        raise (Quarantine if found.quarantine else Discard)(found.status, found.why)
    return found


def answer(request: bytes) -> bytes:
    """The encoded Explanation or RefusedPage for an encoded FetchedPage."""
    try:
        return msgspec.msgpack.encode(explain(msgspec.msgpack.decode(request, type=FetchedPage)))
    except Disposition as end:
        quarantine = isinstance(end, Quarantine)
        return msgspec.msgpack.encode(
            RefusedPage(status=end.status, why=end.why, quarantine=quarantine)
        )


def explain(page: FetchedPage) -> Explanation:
    """The explanation of a page. Raises Discard or Quarantine if it has no markup."""
    tree: Any = parse(decode(page.html, page.http_charset, page.known_charset)[0])
    etree.strip_tags(tree, etree.Comment)
    reading = read(tree)
    return Explanation(
        doubts=list(reading.doubts), candidates=_candidates(reading), blocks=_blocks(reading)
    )


def _candidates(reading: ReadText) -> list[ExplainedContainer]:
    sums, choice = reading.sums, reading.choice
    named = (*((each, "chosen") for each in choice.chosen), (choice.hinted, "best hint"),
             (choice.best, "best sum"))  # fmt: skip
    roles: dict[Container, list[str]] = {}
    for each, role in named:
        if each is not None:
            roles.setdefault(each, []).append(role)
    best = sorted((c for c in reading.page.containers if sums.good_in(c)), key=sums.score)
    others = {each: [""] for each in best[: -1 - MOST_CANDIDATES : -1] if each not in roles}
    return [_candidate(each, sums, ", ".join(names)) for each, names in (roles | others).items()]


def _candidate(each: Container, sums: BlockSums, role: str) -> ExplainedContainer:
    return ExplainedContainer(
        role=role,
        element=f"{each.tag}.{'.'.join(each.name.split())}".rstrip("."),
        first=each.first,
        end=each.end,
        hint=each.hint,
        good=sums.good_in(each),
        junk=sums.junk[each.end] - sums.junk[each.first],
        score=sums.score(each),
    )


def _blocks(reading: ReadText) -> list[ExplainedBlock]:
    fates = _fates(reading)
    return [
        ExplainedBlock(
            number=at,
            kind=block.kind,
            weight=block.weight,
            links=block.links,
            is_good=block.is_good,
            fate=fate,
            text=block.text,
        )
        for at, (block, fate) in enumerate(zip(reading.page.blocks, fates, strict=True))
    ]


def _fates(reading: ReadText) -> list[str]:
    fates = ["outside"] * len(reading.page.blocks)
    for each in reading.choice.chosen:
        fates[each.first : each.end] = ["dropped"] * (each.end - each.first)
    kept = set(map(id, reading.kept))
    fates = [
        "kept" if id(block) in kept else fate
        for block, fate in zip(reading.page.blocks, fates, strict=True)
    ]
    for at, reason in reading.reasons().items():
        fates[at] = f"left out: {reason}"
    return fates
