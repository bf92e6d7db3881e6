"""The answers of mediacloud-metadata with url-normalize 1.4.3: files made once, never changed."""

import json
from typing import Any

from tests.paths import DATA


def _urls(name: str) -> Any:
    return json.loads((DATA / "ids" / name).read_text(encoding="utf-8"))["urls"]


GOLDEN: list[dict[str, Any]] = _urls("golden.json")
"""All answers for 86 URLs."""

NORMALIZED: list[tuple[str, str | None]] = _urls("normalized.json")
"""The normalised form of 6,000 URLs; None where the library raises an error."""
