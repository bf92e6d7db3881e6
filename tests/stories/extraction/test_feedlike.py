"""Telling a feed from a page by its first tag (stories.md 7.1)."""

from indexer.stories.extraction.feedlike import is_feed
from tests.each_row import each_row


@each_row(
    ("text", "answer"),
    [
        ("<rss version='2.0'>", True),
        ("<RSS>", True),
        ('<?xml version="1.0"?>\n<!-- made by hand --><feed xmlns="x">', True),
        ('<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><rdf:RDF>', True),
        ("<urlset>", True),
        ("\n\n<sitemapindex\n>", True),
        ("<channel/>", True),
        ("<atom:feed>", True),
        ("<!DOCTYPE rss PUBLIC '-//Netscape//DTD RSS 0.91//EN'><rss>", True),
        ("<!-- <html> --><rss>", True),
        ("<html><body><rss></rss>", False),
        ("<!doctype html><rss>", False),
        ('<?xml version="1.0"?><!DOCTYPE html><feed>', False),
        ("<!-- <rss> --><html>", False),
        ("<!-- <rss>", False),
        ("no tags, 1 < 2", False),
        ("<", False),
        ("", False),
    ],
)
def test_a_feed_is_known_by_its_first_tag(text: str, answer: bool) -> None:
    assert is_feed(text) is answer
