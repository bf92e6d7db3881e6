"""Python processes that are started from here: they import our modules, and those of libraries.

`python -m` and PYTHONPATH may make the current directory a source of modules. A `queue.py` or a
folder `workers/` of the user's there must not replace ours.
"""

import os
import sys
from pathlib import Path

_HOME = Path(__file__).parents[2].resolve()
"""The directory that contains the package `indexer`."""


def python(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module in a process; set PYTHONPATH to `import_path`."""
    # -P: the current directory is not put first (PYTHONSAFEPATH).
    return [sys.executable, "-P", "-m", module, *arguments]


def import_path() -> str:
    """Return our own import path for a process, without the current directory.

    A checkout from which we run without being installed stays on it.
    """
    try:
        left_out = {Path.cwd().resolve()} - {_HOME}
    except FileNotFoundError:
        # The current directory was deleted: nothing can be imported from it.
        left_out = set()
    return os.pathsep.join(
        each for each in sys.path if each and Path(each).resolve() not in left_out
    )
