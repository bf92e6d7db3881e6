"""The fields of software in the search index, and the tiers in which hits are ordered."""

from typing import Final

from indexer.search.language.schema import Field, FieldType, Schema, Sort

T = FieldType

FACETS: Final = ("license", "language", "mapping", "author")
"""Fields whose values are filters, and are counted."""

LABELS: Final = "labels"
"""The field with a word for each value of a facet: see `folding.label`."""

SOFTWARE_FIELDS = Schema(
    (
        Field("origin", T.KEYWORD, ("url",), required=True),
        Field("license", T.KEYWORDS, counted=True),
        Field("language", T.KEYWORDS, counted=True),
        Field("mapping", T.KEYWORDS, counted=True),
        Field("author", T.KEYWORDS, counted=True),
        Field("head", T.KEYWORD),
        Field("exact", T.KEYWORD, lower=True, selective=True, exported=False),
        Field("shown", T.STORED),
        Field("name", T.TEXT, default=True, exported=False),
        Field("keywords", T.TEXT, ("keyword",), default=True, exported=False),
        Field("description", T.TEXT, default=True, exported=False),
        Field("other", T.TEXT, default=True, exported=False),
        Field(LABELS, T.TEXT, exported=False),
    ),
    order=(Sort("origin"),),
)
"""`exact`: the words of the name, for searches of the whole name. `shown`: name, version and
description as they are written; the texts are folded. `other`: all other texts of the document."""

TIERS: Final = (("name",), ("name", "keywords"), SOFTWARE_FIELDS.default)
"""The fields in which the words of a query are searched, tier by tier, after the exact name."""

TIER_NAMES: Final = ("exact name", "name", "keywords", "description")
"""The tiers of a hit, best first; the last one includes all other texts."""
