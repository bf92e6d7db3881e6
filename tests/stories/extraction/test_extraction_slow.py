"""Hostile pages."""

import time
from typing import Any

import mcmetadata

from indexer.stories.extraction.extraction import extract
from indexer.stories.extraction.pages import FetchedPage
from indexer.stories.story import ContentMetadata
from tests.each_row import each_row
from tests.stories.extraction.test_extraction import NOW, status
from tests.stories.pages import STORIES, article, story_page


def test_a_million_nested_tags_take_no_time() -> None:
    """A parser that goes as deep as they are nested would take minutes, or fall."""
    started = time.process_time()
    assert status("<html><body>" + "<div>" * 1_000_000 + article()) in ("no-text", "too-short")
    assert time.process_time() - started < 20


@each_row(("name", "said"), STORIES.items())
def test_the_values_are_those_of_the_library(name: str, said: dict[str, Any]) -> None:
    body = story_page(name)
    ours = extract(
        FetchedPage(url=said["url"], html=body, http_charset=said["http_charset"], now=NOW)
    )
    text = body.decode(said["encoding"].replace("shift_jis", "cp932")).removeprefix("\ufeff")
    theirs = mcmetadata.extract(said["url"], text)
    if theirs["text_extraction_method"] != "trafilatura":
        # Its trafilatura fails on pages without a date.
        assert said["date"] is None
        return
    theirs["publication_date"] = theirs["publication_date"].strftime("%Y-%m-%d")
    # It has no domain under `.example`, and doesn't see canonical URLs that are relative.
    # Its texts are those of trafilatura; ours are compared with labelled pages.
    ours_alone = {"parsed_date", "canonical_domain", "text_content", "text_extraction_method"}
    for name_ in set(ContentMetadata.__struct_fields__) - ours_alone:
        if name_ != "canonical_url" or theirs[name_] != said["url"]:
            assert getattr(ours.metadata, name_) == theirs[name_], name_
