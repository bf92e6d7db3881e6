"""The description of a format: a table of rules, and where needed a function."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from indexer.software.rules.key_rule import KeyRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.tree import Tree

SyntaxReader: TypeAlias = Callable[[bytes], Tree]
"""Reads the bytes of a file. Raises UnreadableManifest, and nothing else."""

WholeReader: TypeAlias = Callable[[Tree, Diagnostics], Iterator[Property]]
"""Reads what no rule of a single key can say: `(tree, diagnostics)` → properties."""


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """A function that reads several keys together, and the terms that it may yield.

    `keys`: the keys of the root that it reads, so that `explain` doesn't call them unread.
    """

    read: WholeReader
    terms: tuple[str, ...]
    keys: tuple[str, ...] = ()


# Formats are compared by identity: the hash of a table would take 4 µs for each file.
@dataclass(frozen=True, slots=True, eq=False)
class ManifestFormat:
    """A format of metadata files.

    `files`: names, or `*` and an ending; the case of letters doesn't count. `column`: of the
    crosswalk, whose keys are read by the readers of their terms, unless `rules` name the key;
    `without`: keys of that column that are not read. `prepare` changes the tree before the rules
    are applied. `lower_case`: the syntax has no case of letters, so keys of the column are lowered.
    `rank`: the place in the order of trust when files disagree, 1 is trusted most.
    `version`: of our translation; stored translations of older versions are made again.
    """

    name: str
    class_name: str
    files: tuple[str, ...]
    read: SyntaxReader
    column: str = ""
    rules: tuple[KeyRule, ...] = ()
    specials: tuple[SpecialRule, ...] = ()
    without: frozenset[str] = frozenset()
    prepare: Callable[[Tree, Diagnostics], Tree] | None = None
    lower_case: bool = False
    rank: int = 3
    version: int = 1
