"""INI, as setuptools writes setup.cfg: sections of keys, and values of several lines."""

import configparser

from indexer.errors import UnreadableManifest
from indexer.software.syntax.encoding import text_of
from indexer.software.syntax.limits import bounded, bounded_size
from indexer.software.syntax.tree import Tree


def read_ini(content: bytes) -> Tree:
    """Return `{section: {key: text}}`, keys in lower case, a value's lines with `\\n` between them.

    Nothing is interpolated; of equal keys the last one wins. Raises UnreadableManifest.
    """
    # No section of a file has a line break in its name: no section gives values to all others.
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True, default_section="\n")
    try:
        parser.read_string(text_of(bounded_size(content)))
    except (configparser.Error, ValueError, AttributeError) as error:
        raise UnreadableManifest(f"not INI: {' '.join(str(error).split())}") from error
    return bounded(
        {
            name: {key: value.strip() if value else None for key, value in parser.items(name)}
            for name in parser.sections()
        }
    )
