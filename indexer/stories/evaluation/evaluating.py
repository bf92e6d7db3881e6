"""Scores the extraction of the labelled pages of a folder."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import UNSET

from indexer.errors import Discard, Quarantine
from indexer.stories.evaluation.scores import EXACT, PageScore, Score, mean
from indexer.stories.evaluation.truth import LabelledPage, read_page
from indexer.stories.extraction.pages import Extraction
from indexer.stories.extraction.shingles import text_score
from indexer.stories.story import ContentMetadata

Extract = Callable[[bytes, str], Extraction]
"""Extracts the page of a URL. Raises Discard, Quarantine."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A labelled page and its score. `method` is the extractor, or the status of a refused page."""

    page: LabelledPage
    method: str
    score: PageScore


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of all pages, of each class of pages, and the number of pages of each method."""

    all: Score
    classes: dict[str, Score]
    methods: dict[str, int]


def evaluated(
    directory: Path, pages: Sequence[LabelledPage], extract: Extract
) -> Iterator[Evaluated]:
    """Score each page; the values of a page that is refused are empty. Raises InputError."""
    for page in pages:
        html = read_page(directory, page)
        try:
            found = extract(html, page.url).metadata
            method = found.text_extraction_method or ""
        except (Discard, Quarantine) as refusal:
            found, method = ContentMetadata(), refusal.status
        yield Evaluated(page, method, _score(found, page))


def evaluation(pages: Sequence[Evaluated]) -> Evaluation:
    """The means of at least one page."""
    classes: dict[str, list[PageScore]] = {}
    for each in pages:
        classes.setdefault(each.page.class_, []).append(each.score)
    methods = Counter(each.method for each in pages)
    return Evaluation(
        mean(each.score for each in pages),
        {name: mean(scores) for name, scores in classes.items()},
        dict(methods.most_common()),
    )


def _score(found: ContentMetadata, page: LabelledPage) -> PageScore:
    values = {
        "title": found.article_title,
        "date": found.publication_date,
        "language": found.language,
        "canonical_url": found.canonical_url,
    }
    known = {name: getattr(page, name) for name in EXACT if getattr(page, name) is not UNSET}
    right = {name: values[name] == value for name, value in known.items()}
    return PageScore(*text_score(found.text_content or "", page.text), right)
