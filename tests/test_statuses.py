"""docs/statuses.md has every status there is."""

import ast
import re
from collections.abc import Iterator

from tests.each_row import each_row
from tests.paths import ROOT

ENDINGS = {"Discard", "Quarantine", "Retry", "Requeue", "Skipped"}
DOCUMENTED = set(re.findall(r"`([^`\s]+)`", (ROOT / "docs" / "statuses.md").read_text()))


def statuses() -> Iterator[tuple[str, str]]:
    """Each status that is written out in the code, and where."""
    for path in [*ROOT.glob("indexer/**/*.py"), *ROOT.glob("workers/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in ENDINGS and node.args and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value), f"{path.relative_to(ROOT)}:{node.lineno}"


@each_row(("status", "where"), sorted(set(statuses())))
def test_every_status_is_in_the_table(status: str, where: str) -> None:
    assert status in DOCUMENTED, where
