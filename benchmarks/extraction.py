"""Measures the extraction of texts: CPU time a page, and quality, ours and trafilatura's by turns.

    python -m benchmarks extraction [DIR] [--rounds 5] [--json]

DIR is a folder of pages with `truth.jsonl`; by default, the labelled pages of the newsroom are
written to a temporary one. Both start from a parsed tree. All rounds are in one process, which
alternates on each page; the time of a page is the median of its rounds.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import trafilatura
from lxml import etree
from rich.console import Console
from rich.table import Table

from indexer.errors import Discard
from indexer.stories.evaluation.scores import PageScore, Score, mean
from indexer.stories.evaluation.truth import LabelledPage, read_page, read_truth
from indexer.stories.extraction.article import article_text
from indexer.stories.extraction.blocks.layout import collapse, plain_tables, tidy
from indexer.stories.extraction.markup import parse
from indexer.stories.extraction.pages import MIN_TEXT
from indexer.stories.extraction.shingles import text_score
from indexer.text.cleaning import clean
from indexer.text.decoding.ladder import decode
from newsroom.labelled.pages import write_pages


class Measured(NamedTuple):
    """An extractor's CPU milliseconds and score for one page."""

    name: str
    class_: str
    milliseconds: float
    score: PageScore


def ours(tree: Any, url: str) -> str:
    """The text as the parser finds it; empty if the page is refused."""
    try:
        return article_text(tree, url, MIN_TEXT).text
    except Discard:
        return ""


def theirs(tree: Any, url: str) -> str:
    """The text of trafilatura with its second opinions, on a tree without spare white space."""
    collapse(tree)
    document = trafilatura.bare_extraction(tree, url=url)
    return plain_tables(tidy(clean(getattr(document, "text", None) or "")))


EXTRACTORS: dict[str, Callable[[Any, str], str]] = {"trafilatura": theirs, "blocks": ours}


def measure(directory: Path, rounds: int) -> list[Measured]:
    """Measure each extractor on each page of a folder."""
    found = []
    for page in read_truth(directory):
        text = decode(read_page(directory, page), None, None)[0]
        times: dict[str, list[float]] = {name: [] for name in EXTRACTORS}
        texts: dict[str, str] = {}
        for _ in range(rounds):
            for name, extract in EXTRACTORS.items():
                tree = parse(text)
                etree.strip_tags(tree, etree.Comment)
                started = time.process_time()
                texts[name] = extract(tree, page.url)
                times[name].append((time.process_time() - started) * 1000)
        found += [_measured(page, name, times[name], texts[name]) for name in EXTRACTORS]
    return found


def _measured(page: LabelledPage, name: str, times: list[float], text: str) -> Measured:
    score = PageScore(*text_score(text, page.text))
    return Measured(name, page.class_, statistics.median(times), score)


def figures(found: Sequence[Measured]) -> dict[str, dict[str, float]]:
    """For each extractor: CPU milliseconds a page, precision, recall, F1; then F1 by class."""
    rows: dict[str, dict[str, float]] = {}
    for name in EXTRACTORS:
        own = [each for each in found if each.name == name]
        score = mean(each.score for each in own)
        rows[name] = {
            "median_ms": round(statistics.median(each.milliseconds for each in own), 2),
            "mean_ms": round(statistics.fmean(each.milliseconds for each in own), 2),
            "precision": round(score.precision, 4),
            "recall": round(score.recall, 4),
            "f1": round(score.f1, 4),
        }
        for class_ in dict.fromkeys(each.class_ for each in own):
            rows[name][f"f1 {class_}"] = round(_of_class(own, class_).f1, 4)
    return rows


def _of_class(own: Sequence[Measured], class_: str) -> Score:
    return mean(each.score for each in own if each.class_ == class_)


def show(rows: dict[str, dict[str, float]]) -> None:
    """Print a table, a column for each extractor."""
    table = Table(box=None, title="CPU milliseconds a page, from a parsed tree to the text")
    table.add_column("")
    for name in rows:
        table.add_column(name, justify="right")
    for key in next(iter(rows.values())):
        table.add_row(key, *(str(row[key]) for row in rows.values()))
    Console().print(table)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        directory = given.directory or Path(temporary)
        if given.directory is None:
            write_pages(directory)
        rows = figures(measure(directory, given.rounds))
    if given.json:
        print(json.dumps(rows, indent=2))
    else:
        show(rows)


if __name__ == "__main__":
    main()
