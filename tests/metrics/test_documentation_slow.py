"""The table of docs/operations/metrics.md equals the declarations of all modules."""

import subprocess
import sys

from tests.metrics.documentation import written
from tests.paths import ROOT
from tests.patience import PATIENCE


def test_the_table_has_the_declared_metrics() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.metrics.documentation", "--print"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    # Of a page that is behind: python -m tests.metrics.documentation
    assert written() == done.stdout
