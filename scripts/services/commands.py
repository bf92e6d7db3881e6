"""Commands that download, build and install programs."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from .service import Unavailable, reason

LONGEST = 900.0
"""Seconds after which a command is taken for hung."""


def run(
    command: Sequence[str], failure: str, folder: Path, environment: Mapping[str, str] | None = None
) -> None:
    """Run a command in a folder, with additional variables.

    Raises Unavailable, with the text `failure` and the reason.
    """
    try:
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
            timeout=LONGEST,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"{failure}: {reason(error)}") from error
