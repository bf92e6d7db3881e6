"""`story-indexer extract` with the extractor's own process."""

import typer
from typer.testing import CliRunner

from indexer.commands.extract import extract
from tests.commands.test_extract import FILE


def test_a_page_is_extracted_where_it_can_do_no_harm() -> None:
    app = typer.Typer()
    app.command()(extract)
    arguments = [FILE, "--url", "https://www.example.com/a-story.html"]
    assert "blocks" in CliRunner().invoke(app, arguments).stdout
