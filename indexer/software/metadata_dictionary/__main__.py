"""`python -m indexer.software.metadata_dictionary MyMapping FILE`: prints a file's document.

It knows the mappings of the seed's contract, and those of the profile `compat`, by class name or
mapping name. `null` is a file that can't be translated.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from indexer.errors import StoryIndexerError
from indexer.software.metadata_dictionary.translating import translate_file


def main(arguments: Sequence[str]) -> int:
    """Print the document of a file. Returns the exit status."""
    if len(arguments) != 2:
        print("usage: python -m indexer.software.metadata_dictionary MAPPING FILE", file=sys.stderr)
        return 2
    name, path = arguments
    try:
        print(json.dumps(translate_file(name, Path(path)), indent=4))
    except (StoryIndexerError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
