"""Documents in the terms of each version of CodeMeta."""

import json
from typing import Any

import pytest

from indexer.software.api.representation import restated

AUTHOR = {"type": "Person", "name": "Ada"}


@pytest.mark.parametrize(
    ("terms", "version", "expected"),
    [
        ({"author": [AUTHOR]}, "2.0", {"author": [AUTHOR]}),
        ({"author": [AUTHOR]}, "3.0", {"author": [AUTHOR]}),
        ({"embargoEndDate": "2026-01-01"}, "2.0", {"embargoDate": "2026-01-01"}),
        ({"schema:license": "MINE"}, "2.0", {"schema:license": "MINE"}),
        ({"schema:license": "MINE"}, "3.0", {"schema:license": "MINE"}),
        ({"license": ["a:b", "a:c"]}, "3.0", {"license": ["a:b", "a:c"]}),
        ({"id": "x:a", "name": "a"}, "3.0", {"id": "x:a", "name": "a"}),
        ({"own:term": 7}, "3.0", {"own:term": 7}),
    ],
)
def test_a_document_keeps_its_values(
    terms: dict[str, Any], version: str, expected: dict[str, Any]
) -> None:
    found = json.loads(restated({"type": "SoftwareSourceCode", **terms}, version))
    assert found.pop("@context")
    assert found == {"type": "SoftwareSourceCode", **expected}
