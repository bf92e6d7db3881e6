"""The parser with its real sandbox, for one page and for limits that it refuses."""

import pytest

from indexer.errors import ConfigurationError
from tests.stories.pages import STORIES, story_page
from tests.workers.stories.test_parser import parsed, story
from workers.stories.parser import Parser, ParserOptions


def test_a_page_is_extracted_in_a_process_of_its_own() -> None:
    said = STORIES["naberezhnaya-ru.html"]
    parser = Parser(ParserOptions())
    given = story(story_page("naberezhnaya-ru.html"), said["url"], said["http_charset"])
    found, status = parsed(parser, given)
    parser.close()
    assert status == "OK-blocks"
    assert found.content_metadata.article_title == said["title"]


@pytest.mark.parametrize(
    "options", [ParserOptions(page_megabytes=10), ParserOptions(page_seconds=0)]
)
def test_limits_that_no_page_could_keep_are_refused(options: ParserOptions) -> None:
    with pytest.raises(ConfigurationError):
        Parser(options)
