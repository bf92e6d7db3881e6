"""What names of classes and ids say."""

from indexer.stories.extraction.blocks.vocabulary import (
    NOISE_LINE,
    hint,
    is_noise,
    is_standfirst,
)
from tests.each_row import each_row


@each_row(
    ("name", "expected"),
    [
        ("comments-area", True),
        ("ctl00_pnlNewsletter", True),
        ("c-RelatedLinks", True),
        ("ot-sdk onetrust-banner", True),
        ("more-stories", True),
        ("stories more", False),
        ("ADVERT", True),
        # Other words that contain one of noise.
        ("headline shadow read gradient", False),
        ("elementor-widget elementor-widget-theme-post-content", False),
        # It has another part, or has none.
        ("content with-sidebar", False),
        ("no-comments has-ads", False),
        ("with-sidebar comments", True),
        ("", False),
    ],
)
def test_an_element_is_noise_by_the_words_of_its_name(name: str, expected: bool) -> None:
    assert is_noise(name, "") is is_noise("", name) is expected


@each_row(
    ("name", "expected"),
    [
        ("entry-content clear", 3),
        ("ArticleBody", 3),
        ("articlebody", 3),
        ("field--name-body", 0),
        ("content", 1),
        ("css-1x2", 0),
    ],
)
def test_an_element_is_hinted_by_the_words_of_its_name(name: str, expected: int) -> None:
    assert hint(name, "") == hint("", name) == expected


def test_a_paragraph_between_title_and_text_is_known_by_its_class() -> None:
    assert is_standfirst("article__standfirst")
    assert not is_standfirst("leader")


@each_row(
    ("line", "expected"),
    [
        ("Advertisement", True),
        ("10:05", True),
        ("* * *", True),
        ("Lesen Sie auch: Ein Brief", True),
        ("https://site.example/a", True),
        ("© 2026 The Post", True),
        ("Advertisement rules are changed", False),
        ("At 10:05", False),
    ],
)
def test_lines_of_noise(line: str, expected: bool) -> None:
    assert bool(NOISE_LINE.fullmatch(line)) is expected
