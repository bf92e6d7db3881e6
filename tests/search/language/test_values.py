"""Values in queries, by the type of their field."""

from indexer.search.language.schema import FieldType
from indexer.search.language.values import MAX_INTEGER, Span, span, truth
from tests.each_row import each_row

T = FieldType


@each_row(
    ("type", "text", "found"),
    [
        (T.DATE, "2024", Span("2024-01-01", "2025-01-01")),
        (T.DATE, "9999", Span("9999-01-01", None)),
        (T.DATE, "2024-01-01T10:00", None),
        (T.TIMESTAMP, "2024-01", Span("2024-01-01T00:00:00.000000", "2024-02-01T00:00:00.000000")),
        (
            T.TIMESTAMP,
            "2024-01-01T10:00:00.5",
            Span("2024-01-01T10:00:00.500000", "2024-01-01T10:00:00.500001"),
        ),
        (T.INTEGER, "0", Span(0, 1)),
        (T.INTEGER, "-7", Span(-7, -6)),
        (T.INTEGER, "+007", Span(7, 8)),
        (T.INTEGER, str(MAX_INTEGER), Span(MAX_INTEGER, None)),
        (T.INTEGER, str(MAX_INTEGER + 1), None),
        (T.INTEGER, "9" * 5000, None),
        (T.INTEGER, "1,024", None),
        (T.INTEGER, "1_024", None),
        (T.INTEGER, "٣", None),
        (T.INTEGER, "", None),
        (T.FLOAT, "1", Span(1.0, 1.0000000000000002)),
        (T.FLOAT, "-.5", Span(-0.5, -0.49999999999999994)),
        (T.FLOAT, "1.7976931348623157e308", Span(1.7976931348623157e308, None)),
        (T.FLOAT, "2e308", None),
        (T.FLOAT, "0,5", None),
        (T.FLOAT, "inf", None),
        (T.FLOAT, "NaN", None),
        (T.FLOAT, "1" * 5000, None),
    ],
)
def test_a_text_stands_for_the_values_from_the_start_to_before_the_end(
    type: FieldType, text: str, found: Span | None
) -> None:
    assert span(text, type) == found


def test_truth_is_written_in_one_way() -> None:
    assert [truth(text) for text in ("true", "False", "1", "yes", "")] == [
        True,
        False,
        None,
        None,
        None,
    ]
