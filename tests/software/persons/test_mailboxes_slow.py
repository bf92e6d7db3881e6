"""Texts that are made to take long, where a person belongs."""

from indexer.software.persons.mailboxes import people_of
from tests.each_row import each_row

MANY = 100_000
HOSTILE = [mark * MANY for mark in ("<", "(", '"', ",", "<>", "()", "> ", " and ", "@", "a@", "a")]


@each_row("text", [*HOSTILE, "<a" * MANY, "(a" * MANY, "a <a@a>" * 10_000, "> " + " " * MANY + "<"])
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    assert len(people_of(text)) <= MANY
