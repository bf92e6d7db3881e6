"""COAR Notify: the citation of a notification, keyed by the inverse relation (spec 6.11)."""

import json
from typing import Any

from tests.each_row import each_row
from tests.software.compat.translating import document

DATACITE = "https://schema.datacite.org/linked-data/vocab/relationType/"
ARTICLE = {"id": "https://press.example/1", "type": ["Page", "sorg:AboutPage"], "sorg:name": None}


def notification(**changes: Any) -> bytes:
    """A notification; a part that is None is left out."""
    parts = {
        "@context": ["https://www.w3.org/ns/activitystreams", "https://coar-notify.net"],
        "id": "urn:uuid:1",
        "context": ARTICLE,
        "object": {
            "object": "https://forge.example/a/b",
            "relationship": "https://schema.org/citation",
        },
        **changes,
    }
    return json.dumps({key: part for key, part in parts.items() if part is not None}).encode()


def test_a_mention_is_a_citation() -> None:
    assert document("coarnotify-mention-codemeta", notification()) == {
        "@context": ["http://schema.org/", "https://w3id.org/codemeta/3.0"],
        f"{DATACITE}IsCitedBy": [
            {
                "id": "urn:uuid:1",
                "ScholarlyArticle": {
                    "id": "https://press.example/1",
                    "type": ["Page", "sorg:AboutPage"],
                },
            }
        ],
    }


@each_row(
    ("relation", "inverse"),
    [
        ("Cites", "IsCitedBy"),
        ("IsSupplementTo", "IsSupplementedBy"),
        ("IsSourceOf", "IsDerivedFrom"),
    ],
)
def test_the_key_is_the_inverse_relation(relation: str, inverse: str) -> None:
    said = {"object": "https://forge.example/a/b", "relationship": DATACITE + relation}
    found = document("coarnotify-mention-codemeta", notification(object=said))
    assert found
    assert DATACITE + inverse in found


@each_row(
    "changes",
    [
        {"id": None},
        {"id": 5},
        {"context": None},
        {"context": {"type": "x"}},
        {"context": "https://press.example/1"},
        {"object": None},
        {"object": {"object": "https://a.example", "relationship": "https://a.example/unknown"}},
        {"object": {"relationship": "https://schema.org/citation"}},
        {"object": {"object": 5, "relationship": "https://schema.org/citation"}},
        {"@context": None},
    ],
)
def test_an_invalid_notification_gives_none(changes: dict[str, Any]) -> None:
    assert document("coarnotify-mention-codemeta", notification(**changes)) is None
