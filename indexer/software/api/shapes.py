"""The answers of the API, as OpenAPI describes them."""

from typing import Any

from pydantic import BaseModel


class FacetShape(BaseModel):
    """A value of a facet, and the number of hits that have it."""

    value: str
    hits: int


class SearchShape(BaseModel):
    """A page of hits. Send `next` as `after` to get the next page; null: this is the last one."""

    total: int
    hits: list[dict[str, Any]]
    next: str | None
    facets: dict[str, list[FacetShape]]


class ProducerShape(BaseModel):
    """Origins in the order of their URLs: URLs only, or rows. Send `next` as `page_token`."""

    results: list[str | dict[str, Any]]
    next: str | None


class CountsShape(BaseModel):
    """Numbers of origins: all, those with metadata, and those with each of all mappings."""

    total: int
    non_empty: int
    per_mapping: dict[str, int]
