"""Where the project and the tests' files are, whichever room a test is in."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
