"""Mappings by the seed's contract: a class with a name, a file name, and a translation (spec 9.3).

A new mapping is a file here and a line in `MAPPINGS`, or an entry point of another package. The
profile `full` has tables instead: `indexer/software/formats`. What is never here: the mappings of
the profile `compat`, which are tables, too.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points

from indexer.errors import ConfigurationError, MappingConflict
from indexer.software.metadata_dictionary.base import MetadataMapping

MAPPINGS: tuple[type[MetadataMapping], ...] = ()
"""The mappings of this package: one line for each."""

GROUP = "swh.indexer.metadata_mappings"
"""The group of entry points by which other packages declare mappings."""

EXISTING_SYSTEM = "swh.indexer."
"""Modules whose mappings are not loaded: the profile `compat` has them."""


def mappings(
    declared: Iterable[EntryPoint] | None = None,
) -> Mapping[str, type[MetadataMapping]]:
    """Return the class of each mapping by its class name: ours, and those of other packages.

    A mapping of another package wins over ours of the same name. Raises MappingConflict if two
    other packages declare one name, ConfigurationError if a declared class can't be loaded.
    """
    others: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP) if declared is None else declared:
        if point.value.startswith(EXISTING_SYSTEM):
            continue
        if point.name in others:
            modules = f"{others[point.name].value} and {point.value}"
            raise MappingConflict(f"two packages declare the mapping {point.name}: {modules}")
        others[point.name] = point
    ours = {each.__name__: each for each in MAPPINGS}
    return ours | {name: _loaded(point) for name, point in others.items()}


def _loaded(point: EntryPoint) -> type[MetadataMapping]:
    try:
        found = point.load()
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(f"can't load the mapping {point.name}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, MetadataMapping)):
        raise ConfigurationError(
            f"the mapping {point.name} is no class of a mapping: {point.value}"
        )
    return found
