"""Valid URLs, ids and dates of feeds."""

from datetime import datetime

from indexer.feeds.registry.feed_spec import FeedProblem, FeedSpec, as_id, as_moment, checked
from tests.each_row import each_row


@each_row(
    ("url", "why"),
    [
        ("ftp://site.example/feed", "not http or https: ftp"),
        ("feed://site.example/feed", "write https:// or http://"),
        ("Feed:https://site.example/feed", "write https:// or http://"),
        ("site.example/feed", "no scheme"),
        ("https:///feed", "no host"),
        ("https://user:hunter2@site.example/", "user name or password"),
        ("https://site.example/a feed", "%20"),
        ("https://site.example/\0", "control characters"),
        ("https://site.example:99999/", "port"),
        ("", "no URL"),
    ],
)
def test_what_can_not_be_fetched_is_no_feed(url: str, why: str) -> None:
    problem = checked(FeedSpec(url))
    assert isinstance(problem, FeedProblem)
    assert why in problem.why
    assert "hunter2" not in str(problem)


def test_texts_of_a_feed_are_made_clean() -> None:
    found = checked(FeedSpec(" https://site.example/f\n", "a\0 \n b" + "c" * 999))
    assert found == FeedSpec("https://site.example/f", "a b" + "c" * 497)


@each_row("id", [0, -1, 1 << 63])
def test_an_id_fits_into_a_column(id: int) -> None:
    assert isinstance(checked(FeedSpec("https://site.example/", id=id)), FeedProblem)


@each_row(
    ("text", "id"),
    [("7", 7), (" 7 ", 7), ("0", None), ("-7", None), ("7.5", None), ("", None), ("٧", None)],
)
def test_ids_are_written_in_plain_digits(text: str, id: int | None) -> None:
    assert as_id(text) == id


MOMENT = datetime(2023, 4, 1, 10, 20, 30)


@each_row(
    ("text", "moment"),
    [
        ("2023-04-01T10:20:30Z", MOMENT),
        ("2023-04-01T10:20:30", MOMENT),
        ("2023-04-01 10:20:30", MOMENT),
        ("20230401T102030Z", MOMENT),
        ("2023-04-01T12:20:30+02:00", MOMENT),
        ("2023-04-01T10:20:30.5Z", MOMENT.replace(microsecond=500_000)),
        ("2023-04-01T10:20:30.123456789Z", MOMENT.replace(microsecond=123_456)),
        ("2023-04-01", datetime(2023, 4, 1)),
        ("0001-01-01T00:00:00+10:00", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_of_any_iso_form_are_read_as_utc(text: str, moment: datetime | None) -> None:
    assert as_moment(text) == moment


def test_a_problem_says_where_what_and_why() -> None:
    assert str(FeedProblem("x", "no URL", "line 3")) == "line 3: x: no URL"
    assert str(FeedProblem("", "no URL")) == "no URL"
