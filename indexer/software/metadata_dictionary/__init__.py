"""Mappings by the seed's contract: a class with a name, a file name, and a translation (spec 9.3).

A new mapping is a file here and a line in `MAPPINGS`, or an entry point of another package. The
profile `full` has tables instead: `indexer/software/formats`. What is never here: the mappings of
the profile `compat`, which are tables, too.
"""

from collections.abc import Mapping
from importlib.metadata import entry_points

from indexer.software.metadata_dictionary.base import MetadataMapping

MAPPINGS: tuple[type[MetadataMapping], ...] = ()
"""The mappings of this package: one line for each."""

GROUP = "swh.indexer.metadata_mappings"
"""The group of entry points by which other packages declare mappings."""

BASE_PACKAGE = "swh.indexer"
"""The package whose mappings give way to those of any other package of the same name."""


def mappings() -> Mapping[str, type[MetadataMapping]]:
    """Return the class of each mapping by its class name: those of this package and of others.

    A mapping of another package replaces ours of the same name. Raises OSError if two other packages
    declare one name: there is no rule that prefers one of them.
    """
    from indexer.software.metadata_dictionary.declared import chosen
    return {**{each.__name__: each for each in MAPPINGS}, **chosen()}
