"""Markup: what is bounded before it is parsed."""

import pytest
from lxml import html

from indexer.errors import Quarantine
from indexer.stories.extraction.markup import LARGE, MAX_ATTRIBUTES, most_attributes, parse
from tests.each_row import each_row


def attributes(number: int, form: str = "a{}=x") -> str:
    return " ".join(form.format(i) for i in range(number))


HEAVY = f"<div {attributes(50)}>"


@each_row(
    ("page", "most"),
    [
        (f"<p>{HEAVY}", 50),
        (f"<p {attributes(50, 'a{}')}>", 50),
        (f"<p {attributes(50, 'a{}/')}>", 50),
        ("<p " + attributes(50, "a{}='>'") + ">", 50),
        (f"<html {attributes(50)}><body {attributes(3)}>", 50),
        # Neither comments, nor scripts, nor quotes, nor other texts have tags.
        (f"<p><!-- {HEAVY} -->", 0),
        (f"<p><!--> {HEAVY} -->", 50),
        (f"<p><!-- ' --> {HEAVY}", 50),
        (f"<p><![CDATA[ {HEAVY} ]]>", 0),
        (f"<script>'{HEAVY}'</script>", 0),
        (f"<script>'</script>{HEAVY}'", 50),
        (f"<script><!--<script></script>{HEAVY}</script>", 0),
        (f"<style>{HEAVY}</style>", 0),
        (f"<title>{HEAVY}</title>", 0),
        (f"<textarea>{HEAVY}</textarea>", 0),
        (f"<p title='{HEAVY}'>", 1),
        (f'<p title="\'">{HEAVY}', 50),
        (f"<p title=' {HEAVY}", 0),
    ],
)
def test_the_attributes_are_those_of_tags_as_the_parser_sees_them(page: str, most: int) -> None:
    assert most_attributes(page.encode()) == most
    tree = parse(page + " and a text")
    assert max(len(element.attrib) for element in tree.iter("*")) == most


def test_a_tag_with_too_many_attributes_is_not_parsed() -> None:
    parse(f"<p {attributes(MAX_ATTRIBUTES)}>text")
    with pytest.raises(Quarantine, match="extract-attributes: a tag with 1001 attributes"):
        parse(f"<p {attributes(MAX_ATTRIBUTES + 1)}>text")


@each_row(
    ("page", "text"),
    [
        ("<!DOCTYPE html /><p>One<p>two", "Onetwo"),
        ("<html lang='en'/>\n<p>One", "One"),
        ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN">\n<p>One', "One"),
        (f"<p>{'<b>x</b>' * 400}", "x" * 400),
        (f"<p>{'x' * 3000}", "x" * 3000),
    ],
)
def test_the_beginning_of_a_page_is_repaired_and_the_rest_is_as_it_was(
    page: str, text: str
) -> None:
    assert "".join(parse(page).text_content().split()) == text


def test_a_large_page_is_not_parsed_before_its_tags_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = f"<p {attributes(MAX_ATTRIBUTES + 1)}>{'text ' * LARGE}"
    monkeypatch.setattr(html, "document_fromstring", None)
    with pytest.raises(Quarantine, match="extract-attributes: a tag with 1001 attributes"):
        parse(page)
