"""A CodeMeta document with all that a citation has, for tests."""

from typing import Any

DOCUMENT: dict[str, Any] = {
    "@context": "https://w3id.org/codemeta/3.0",
    "type": "SoftwareSourceCode",
    "name": "Tides & {currents}",
    "version": "1.0",
    "datePublished": "2024-02-03",
    "identifier": "https://doi.org/10.5281/zenodo.1",
    "url": "https://tides.example/100%25_a",
    "codeRepository": "https://h.example/a/tides",
    "license": "https://spdx.org/licenses/MIT",
    "description": "Predicts tides: 50% of $x_1$",
    "keywords": ["sea", "tide"],
    "author": [
        {
            "type": "Person",
            "id": "https://orcid.org/0000-0002-1825-0097",
            "givenName": "Jane",
            "familyName": "van Doe",
            "email": "jane@x.example",
            "affiliation": {"type": "Organization", "name": "Sea University"},
        },
        {"type": "Person", "name": "Ann Other"},
        {"type": "Organization", "name": "Tides and Waves Team"},
    ],
    "referencePublication": {
        "type": "ScholarlyArticle",
        "id": "https://doi.org/10.5281/zenodo.2",
        "name": "On tides",
        "author": [{"type": "Person", "givenName": "Jane", "familyName": "van Doe"}],
        "datePublished": "2023",
        "isPartOf": {"type": "Periodical", "name": "Sea"},
    },
}
