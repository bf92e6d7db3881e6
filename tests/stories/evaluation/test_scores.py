"""Scores of texts and of other values."""

from indexer.stories.evaluation.scores import PageScore, mean


def test_means_are_of_the_pages_that_have_the_value() -> None:
    score = mean([PageScore(1, 0.5, {"title": True}), PageScore(0.5, 0.5), PageScore(0, 0.5)])
    assert (score.pages, score.precision, score.recall, score.f1) == (3, 0.5, 0.5, 0.5)
    assert score.right == {"title": 1.0}


def test_nothing_found_anywhere_has_an_f1_of_zero() -> None:
    assert mean([PageScore(0, 0)]).f1 == 0
