"""`story-indexer eval extraction`: the quality of extraction on labelled pages."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import with_options
from indexer.commands.console.terminal import lines_of_json
from indexer.commands.console.working import Working
from indexer.system.options import Options, option

HELP = """Measure how good extraction is, on pages with a ground truth.

Example:

    story-indexer eval extraction pages/
"""

app = new_app(HELP)


@app.callback(help=HELP)
def start() -> None:
    """Without a callback, typer would give the name of the group to its only command."""


class EvaluationOptions(Options):
    """Options of `eval extraction`."""

    json_: bool = option(False, "Print one JSON object, with the scores of each page.")


@app.command()
@with_options
def extraction(
    directory: Annotated[
        Path, typer.Argument(help="A folder of pages, with truth.jsonl.", metavar="DIR")
    ],
    options: EvaluationOptions,
) -> None:
    """Extract labelled pages as the parser does, and compare the values with the right ones.

    Texts are compared by runs of four words: precision is the share of the extracted runs that are
    right, recall the share of the right ones that were extracted, F1 their harmonic mean. Titles,
    dates, languages and canonical URLs are right if they are equal.

    The folder has truth.jsonl, a line of JSON for each page: file and text; and, as far as known,
    url, class, title, date, language, canonical_url. Pages that are refused count as empty.

    Examples:

        story-indexer eval extraction pages/

        story-indexer eval extraction pages/ --json | jq .all.f1
    """
    # The help needs none of it.
    from indexer.commands.evaluating.showing import as_json, show  # noqa: PLC0415
    from indexer.stories.evaluation.evaluating import evaluated, evaluation  # noqa: PLC0415
    from indexer.stories.evaluation.truth import read_truth  # noqa: PLC0415

    pages = read_truth(directory)
    extractor, extract = _extractor()
    found: list[Any] = []
    try:
        with Working() as working:
            for each in evaluated(directory, pages, extract):
                found.append(each)
                working.at(f"{len(found)} of {len(pages)} pages: {each.page.file}")
    finally:
        extractor.close()
    result = evaluation(found)
    if options.json_:
        print(lines_of_json(as_json(result, found)))
    else:
        show(result)


def _extractor() -> tuple[Any, Any]:
    """The extractor with the settings of the parser, and the function that evaluation calls."""
    from indexer.commands.extracting import limits_of  # noqa: PLC0415 - see above
    from indexer.stories.extraction.extractor import Extractor  # noqa: PLC0415
    from indexer.stories.extraction.pages import FetchedPage  # noqa: PLC0415
    from indexer.system.options import environment  # noqa: PLC0415
    from workers.stories.parser import ParserOptions  # noqa: PLC0415

    options = ParserOptions.of(environment())
    extractor, now = Extractor(limits_of(options)), time.time()

    def extract(html: bytes, url: str) -> Any:
        page = FetchedPage(url=url, html=html, min_text=options.min_text, now=now)
        page.homepage_rule = options.homepage_rule
        return extractor.extract(page)

    return extractor, extract
