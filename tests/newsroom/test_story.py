"""newsroom/story.py"""

from pathlib import Path

import pytest

from newsroom.story import absolute, read_story

HEAD = """\
title: Herons on the roof
author: The desk
language: en
path: /2026/03/herons
date: 2026-03-14
dated: meta time
encoding: utf-8
declared: header
"""
BODY = "\nThe first paragraph.\n\nThe second: it has a colon.\n"


def source(tmp_path: Path, extra: str = "", head: str = HEAD) -> Path:
    path = tmp_path / "herons.txt"
    path.write_text(head + extra + BODY, "utf-8")
    return path


def test_a_story_is_its_keys_and_its_paragraphs(tmp_path: Path) -> None:
    story = read_story("paper.example", source(tmp_path))
    assert story.title == "Herons on the roof"
    assert story.url == story.link == "http://paper.example/2026/03/herons"
    assert story.publication_date == "2026-03-14"
    assert story.date_on_page
    assert story.paragraphs == ("The first paragraph.", "The second: it has a colon.")


def test_the_feed_lists_the_first_of_the_redirects(tmp_path: Path) -> None:
    path = source(tmp_path, "redirects: 301 /old 302 http://else.example/x\n")
    story = read_story("paper.example", path)
    assert story.link == "http://paper.example/old"
    assert story.redirects[1] == (302, "http://else.example/x")


@pytest.mark.parametrize(
    ("dated", "date", "on_page"),
    [("feed", "2026-03-14", False), ("none", None, False), ("url", "2026-03-14", True)],
)
def test_where_the_date_is_told(
    tmp_path: Path, dated: str, date: str | None, on_page: bool
) -> None:
    head = HEAD.replace("dated: meta time", f"dated: {dated}")
    story = read_story("paper.example", source(tmp_path, head=head))
    assert (story.publication_date, story.date_on_page) == (date, on_page)


@pytest.mark.parametrize(
    ("head", "error"),
    [
        (HEAD.replace("title: Herons on the roof\n", ""), KeyError),
        (HEAD.replace("declared: header", "declared: loudly"), ValueError),
        (HEAD + "colour: blue\n", TypeError),
    ],
)
def test_a_source_with_a_mistake_is_refused(
    tmp_path: Path, head: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        read_story("paper.example", source(tmp_path, head=head))


def test_links_are_made_absolute() -> None:
    assert absolute("paper.example", "/a") == "http://paper.example/a"
    assert absolute("paper.example", "http://else.example/a") == "http://else.example/a"
    assert absolute("paper.example", "") == ""
