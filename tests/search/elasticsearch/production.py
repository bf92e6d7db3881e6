"""What the index in production looks like (stories.md 8)."""

from typing import Any, Final

MAPPINGS: Final[dict[str, Any]] = {
    "dynamic": "false",
    "properties": {
        "article_title": {"type": "text"},
        "canonical_domain": {"type": "keyword"},
        "indexed_date": {"type": "date_nanos"},
        "language": {"type": "keyword"},
        "publication_date": {"type": "date", "ignore_malformed": True},
        "text_content": {"type": "text"},
        "url": {"type": "wildcard"},
    },
}
