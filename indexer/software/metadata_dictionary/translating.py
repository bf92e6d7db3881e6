"""Translation of one file by the name of a mapping: of the seed's contract, or of `compat`."""

from pathlib import Path

from indexer.errors import ConfigurationError
from indexer.software.compat.jsonld.node import Document
from indexer.software.compat.table import MAPPINGS as TABLES
from indexer.software.compat.table import mapping_of, translate
from indexer.software.metadata_dictionary import mappings
from indexer.software.metadata_dictionary.base import MetadataMapping


def translate_file(name: str, path: Path) -> Document | None:
    """Return the document of a file, or None if it can't be translated.

    `name`: the class name or the mapping name. Raises ConfigurationError if there is no such
    mapping, OSError if the file can't be read.
    """
    content = path.read_bytes()
    if found := mapping_class(name):
        return found(log_suffix=str(path)).translate(content)
    if (table := mapping_of(name)) is None:
        known = [*mappings(), *(each.class_name for each in TABLES)]
        raise ConfigurationError(f"no mapping {name}; there are: {', '.join(sorted(known))}")
    return translate(content, table)


def mapping_class(name: str) -> type[MetadataMapping] | None:
    """Return the class of a mapping of the seed's contract, or None."""
    known = mappings()
    return known.get(name) or next((each for each in known.values() if each.name == name), None)
