"""The pages of `tests/data/pages`, and what they say."""

import json
from typing import Any

from tests.paths import DATA

PAGES = DATA / "pages"
STORIES: dict[str, dict[str, Any]] = json.loads(
    (PAGES / "stories" / "expected.json").read_text(encoding="utf-8")
)


def story_page(name: str) -> bytes:
    """The bytes of a page that is a story."""
    return (PAGES / "stories" / name).read_bytes()


def article(sentences: int = 6) -> str:
    """Sentences of a story, no two alike."""
    return " ".join(
        f"The council spoke about item {number} of its agenda for longer than anyone had expected."
        for number in range(sentences)
    )
