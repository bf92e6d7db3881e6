"""PKG-INFO: headers of Python packages."""

from collections.abc import Iterator

from indexer.software.codemeta import CROSSWALK_TABLE
from indexer.software.compat.jsonld.node import Value, add
from indexer.software.compat.keys.key_table import KeyTable
from indexer.software.compat.keys.values import Values, licences, links, ordered, texts
from indexer.software.compat.syntaxes.texts import read_headers
from indexer.software.syntax.tree import Tree
from indexer.software.vocabulary.contexts import iri_of


def _keywords(value: Tree) -> Values:
    lines = value if isinstance(value, list) else []
    return texts([word for line in lines if isinstance(line, str) for word in line.split(" ")])


def _author(headers: dict[str, Tree]) -> Iterator[tuple[str, Value]]:
    """One person, who has all names and all e-mail addresses."""
    names, emails = (list(texts(headers.get(name))) for name in ("author", "author-email"))
    if names or emails:
        person: Value = {"@type": [iri_of("schema:Person")]}
        for term, values in (("schema:name", names), ("schema:email", emails)):
            for value in values:
                add(person, iri_of(term), value)
        for each in ordered([person]):
            yield "schema:author", each


PKG_INFO = KeyTable(
    read_headers,
    terms={key.lower(): iri for key, iri in CROSSWALK_TABLE["Python PKG-INFO"].items()},
    readers={
        **dict.fromkeys(("name", "version", "summary", "description"), texts),
        "home-page": links,
        "keywords": _keywords,
        "license": licences,
    },
    whole=_author,
    whole_terms=("schema:author",),
)
