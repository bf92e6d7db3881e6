"""Scores of extracted values: precision, recall and F1 of a text, exact matches of the others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from indexer.stories.extraction.shingles import f1

EXACT = ("title", "date", "language", "canonical_url")
"""The values that are right or wrong."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """The score of one page. `right` has the values that the ground truth has, by name."""

    precision: float
    recall: float
    right: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Score:
    """Means of page scores. `right` has the share of right values, by name."""

    pages: int
    precision: float
    recall: float
    right: Mapping[str, float]

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return f1(self.precision, self.recall)


def mean(scores: Iterable[PageScore]) -> Score:
    """The means of the scores of at least one page."""
    found: Sequence[PageScore] = list(scores)
    names = [name for name in EXACT if any(name in score.right for score in found)]
    return Score(
        len(found),
        fmean(score.precision for score in found),
        fmean(score.recall for score in found),
        {name: fmean(s.right[name] for s in found if name in s.right) for name in names},
    )
