"""Schemas of the tests: stories with more fields, and a family that has no texts."""

from dataclasses import replace

from indexer.search.language.schema import Field, FieldType, Schema, Sort
from indexer.stories.indexing.fields import STORY_FIELDS

T = FieldType

ADDED = (
    Field("description", T.TEXT, default=True),
    Field("section", T.KEYWORD, lower=True),
    Field("tags", T.KEYWORDS, ("tag",)),
    Field("final_url", T.URL),
    Field("corrected", T.DATE),
    Field("published_at", T.TIMESTAMP),
    Field("words", T.INTEGER, selective=True),
    Field("copied", T.FLOAT),
    Field("paywalled", T.BOOLEAN),
    Field("image", T.STORED, exported=False),
)
"""A field of each type. `words` is also the name of a table of SQLite."""

EXTENDED = replace(STORY_FIELDS, fields=(*STORY_FIELDS.fields, *ADDED))

DATASETS = Schema(
    (
        Field("doi", T.KEYWORD, lower=True, required=True, selective=True),
        Field("licenses", T.KEYWORDS, ("license",), lower=True),
        Field("page", T.URL),
        Field("files", T.INTEGER),
        Field("size", T.INTEGER, ("bytes",)),
        Field("share", T.FLOAT),
        Field("open", T.BOOLEAN),
        Field("released", T.DATE),
        Field("checked", T.TIMESTAMP),
        Field("sha1", T.KEYWORD),
        Field("manifest", T.STORED, exported=False),
    ),
    order=(Sort("size", descending=True),),
    identity=("checked",),
)
"""Words of SQL are its names, too."""
