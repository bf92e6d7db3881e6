"""The mapping of a schema: the type of each field, and how a stored value is read."""

from collections.abc import Callable, Mapping
from typing import Any

from indexer.search import Document
from indexer.search.language.schema import Field, FieldType, Json, Schema

MAX_URL_CHARACTERS = 8191
"""A `keyword` is limited to 32,766 bytes, up to four a character. Longer URLs are not indexed;
without this limit their documents would be refused. The `wildcard` type has no limit."""

_KEYWORD_URL: dict[str, Json] = {"type": "keyword", "ignore_above": MAX_URL_CHARACTERS}

# A stored field has no mapping: it is in the document's source, and no query can find it.
_PROPERTIES: dict[FieldType, dict[str, Json]] = {
    FieldType.TEXT: {"type": "text"},
    FieldType.KEYWORD: {"type": "keyword"},
    FieldType.KEYWORDS: {"type": "keyword"},
    FieldType.URL: {"type": "wildcard"},
    FieldType.DATE: {"type": "date", "ignore_malformed": True},
    FieldType.TIMESTAMP: {"type": "date_nanos"},
    FieldType.INTEGER: {"type": "long"},
    FieldType.FLOAT: {"type": "double"},
    FieldType.BOOLEAN: {"type": "boolean"},
}

_ALSO_SERVING = {FieldType.URL: ("keyword",), FieldType.TIMESTAMP: ("date",)}
"""Types of existing indices that also serve: on servers without `wildcard`, in older indices."""


def mappings(schema: Schema, *, wildcard: bool = True) -> dict[str, Any]:
    """Return the mappings of an index; without `wildcard` its URLs are of type `keyword`."""
    fields = (field for field in schema.fields if field.searchable)
    properties = {
        field.name: _KEYWORD_URL
        if field.type is FieldType.URL and not wildcard
        else _PROPERTIES[field.type]
        for field in fields
    }
    # Fields of other programs are stored, and not indexed.
    return {"dynamic": "false", "properties": properties}


def type_of(field: Field) -> str:
    """Return the name of a field's type."""
    return str(_PROPERTIES[field.type]["type"])


def absent(schema: Schema, there: Mapping[str, Any]) -> list[str]:
    """Return the fields that an index can't find, as its properties lack them."""
    return [field.name for field in schema.fields if field.searchable and field.name not in there]


def conflicts(schema: Schema, there: Mapping[str, Any]) -> list[str]:
    """Return a line for each field that has another type in the properties of an index."""
    found = []
    for field in schema.fields:
        # A property with fields of its own has no type: it is an object.
        type = there[field.name].get("type", "object") if field.name in there else ""
        serving = (type_of(field), *_ALSO_SERVING.get(field.type, ())) if field.searchable else ()
        if type and serving and type not in serving:
            found.append(f"{field.name} is of type {type}, and has to be {type_of(field)}")
    return found


def slow_urls(schema: Schema, index: str, there: Mapping[str, Any]) -> list[str]:
    """Return what searches lack in an index whose URLs are keywords, by its properties.

    Servers without the `wildcard` type have such indices, and other programs make them.
    """
    lines = []
    for field in schema.of(FieldType.URL):
        property = there.get(field.name, {})
        if property.get("type") == "keyword":
            longest = property.get("ignore_above")
            lost = f", and documents with one of more than {longest} characters are not found by it"
            lines.append(
                f"{index}: `{field.name}` is a `keyword`: {field.name}:*word* is slow in a large "
                f"index{lost if longest else ''}"
            )
    return lines


def source(document: Document, schema: Schema) -> dict[str, Json]:
    """Return what is stored of a document (stories.md 7.2: without empty fields)."""
    return {name: document.values[name] for name in schema.names if name in document.values}


def document(hit: Mapping[str, Any], schema: Schema) -> Document:
    """Return the document of a hit; those of other programs may lack any field."""
    stored = hit.get("_source", {})
    values = {
        field.name: value
        for field in schema.fields
        if (value := _loaded(field, stored.get(field.name))) is not None
    }
    return Document(hit["_id"], values)


def _loaded(field: Field, value: Any) -> Json:
    """Return a value in the form of its field; None if it has none in it."""
    try:
        return None if value is None else _LOADERS.get(field.type, str)(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _keywords(value: Any) -> list[str]:
    return [str(each) for each in (value if isinstance(value, list) else [value])]


# Elasticsearch accepts one value for a list, and a text for a number or a truth value.
_LOADERS: dict[FieldType, Callable[[Any], Json]] = {
    FieldType.KEYWORDS: _keywords,
    FieldType.INTEGER: int,
    FieldType.FLOAT: float,
    FieldType.BOOLEAN: lambda value: str(value).lower() == "true",
    FieldType.STORED: lambda value: value,
}
