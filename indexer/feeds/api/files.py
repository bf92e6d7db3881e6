"""Serves the daily files by their names; there is no listing."""

import os
import re
from pathlib import Path

from fastapi.staticfiles import StaticFiles

# No dot at the beginning, no two dots in a row, no slash: no hidden files, no other directories.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*", re.ASCII)
UNFINISHED = ".tmp"


class DailyFiles(StaticFiles):
    """Serves the files of one directory, which may be made later."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)

    async def check_config(self) -> None:
        """Accept a directory that does not exist yet: its files are 404."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file by a name that a daily file may have; no other name leads to a file."""
        if not NAME.fullmatch(path) or path.endswith(UNFINISHED):
            return "", None
        return super().lookup_path(path)
