"""The daily files, for who knows their names: there is no listing."""

import os
import re
from pathlib import Path

from fastapi.staticfiles import StaticFiles

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*", re.ASCII)
UNFINISHED = ".tmp"


class DailyFiles(StaticFiles):
    """The files of one directory, which may come to be later."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)

    async def check_config(self) -> None:
        """A directory that is not there yet has no files: 404."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where a file is: nowhere, unless its name is one that a daily file may have."""
        if not NAME.fullmatch(path) or path.endswith(UNFINISHED):
            return "", None
        return super().lookup_path(path)
