"""Each term has a reader: its own, or that of its type in the context."""

from indexer.software.readings.licences import licences
from indexer.software.readings.links import links
from indexer.software.readings.texts import texts
from indexer.software.rules.key_rule import ValueReader
from indexer.software.translation.term_readers import reader_of
from tests.each_row import each_row


@each_row(("term", "reader"), [("license", licences), ("url", links), ("name", texts)])
def test_a_term_has_a_reader(term: str, reader: ValueReader) -> None:
    assert reader_of(term) is reader
