"""Tables for other programs, and empty ones."""

import pytest
from rich.table import Table

from indexer.commands.console.terminal import print_table


def table(*rows: tuple[str, ...]) -> Table:
    made = Table("name", box=None)
    made.add_column("messages", justify="right")
    made.add_column("about")
    for row in rows:
        made.add_row(*row)
    return made


def test_an_empty_table_says_so_and_prints_no_results(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(table(), "no queues")
    assert capsys.readouterr() == ("", "no queues\n")


def test_a_table_for_another_program_has_a_line_for_each_row(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table(table(("x", "1", "words " * 100)))
    assert len(capsys.readouterr().out.splitlines()) == 2
