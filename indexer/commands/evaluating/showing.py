"""The results of `eval extraction`, as a table and as JSON."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from indexer.commands.console.terminal import print_table
from indexer.stories.evaluation.evaluating import Evaluated, Evaluation
from indexer.stories.evaluation.scores import EXACT, Score
from indexer.system.escaping import escaped


def show(result: Evaluation) -> None:
    """Print a row for each class and one for all pages, and which extractor read how many."""
    shown = Table(box=None, padding=(0, 2, 0, 0))
    shown.add_column("class")
    names = [name for name in EXACT if name in result.all.right]
    for heading in ("pages", "precision", "recall", "F1", *(n.replace("_", " ") for n in names)):
        shown.add_column(heading, justify="right")
    for name, score in [*result.classes.items(), ("all", result.all)]:
        exact = [f"{score.right[each]:.3f}" if each in score.right else "" for each in names]
        values = (f"{value:.3f}" for value in (score.precision, score.recall, score.f1))
        shown.add_row(escaped(name), str(score.pages), *values, *exact)
    print_table(shown)
    methods = ", ".join(f"{name} {number}" for name, number in result.methods.items())
    print(f"\nextractors and statuses: {methods}")


def as_json(result: Evaluation, pages: Sequence[Evaluated]) -> dict[str, Any]:
    """All scores, those of single pages last."""
    return {
        "all": _score(result.all),
        "classes": {name: _score(score) for name, score in result.classes.items()},
        "methods": result.methods,
        "pages": [
            {
                "file": each.page.file,
                "class": each.page.class_,
                "method": each.method,
                "precision": each.score.precision,
                "recall": each.score.recall,
                "right": each.score.right,
            }
            for each in pages
        ],
    }


def _score(score: Score) -> dict[str, Any]:
    return {
        "pages": score.pages,
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "right": score.right,
    }
