"""Labels of any number of values."""

from indexer.metrics.bounded import OTHERS, BoundedLabel


def test_the_first_values_have_names_of_their_own_and_keep_them() -> None:
    label = BoundedLabel(2)
    values = ("a", "b", "c", "a", "d", "b", "c")
    assert [label.of(value) for value in values] == ["a", "b", OTHERS, "a", OTHERS, "b", OTHERS]
