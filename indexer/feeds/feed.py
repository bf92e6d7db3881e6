"""One feed: a typed row of the table `feeds`."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

import msgspec

from indexer.feeds import models


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `feeds`; the columns' meanings are in `models`. Times are UTC, without a zone."""

    id: int
    sources_id: int | None = None
    name: str | None = None
    url: str | None = None
    active: bool = True
    created_at: datetime | None = None
    last_fetch_attempt: datetime | None = None
    last_fetch_success: datetime | None = None
    last_fetch_hash: str | None = None
    last_fetch_failures: float = 0.0
    http_etag: str | None = None
    http_last_modified: str | None = None
    next_fetch_attempt: datetime | None = None
    queued: bool = False
    system_enabled: bool = True
    update_minutes: int | None = None
    http_304: bool | None = None
    system_status: str | None = None
    last_new_stories: datetime | None = None
    rss_title: str | None = None
    poll_minutes: int | None = None
    lease_owner: str | None = None
    lease_expires: datetime | None = None
    deferred_until: datetime | None = None
    ready_at: datetime | None = None
    last_parse_success: datetime | None = None
    poll_minutes_override: int | None = None
    host: str | None = None
    domain: str | None = None
    final_url: str | None = None
    final_host: str | None = None
    validators_url: str | None = None
    validators_trusted: bool = True
    validators_doubts: int = 0
    not_modified_count: int = 0
    full_fetch_at: datetime | None = None
    redirect_url: str | None = None
    redirect_count: int = 0
    redirect_since: datetime | None = None
    adopted_url: str | None = None
    gone_at: datetime | None = None
    removed_at: datetime | None = None
    rate: str | None = None
    missed_alarms: int = 0

    @property
    def fetch_url(self) -> str:
        """The URL to fetch: the adopted one, or else the directory's."""
        return self.adopted_url or self.url or ""

    @classmethod
    def of(cls, row: Mapping[Any, Any]) -> Self:
        """Make a feed from a row with all columns."""
        return cls(**row)


SEED = tuple(column.name for column in models.feeds.columns)[:21]
"""The columns that API clients know (seed 003), in their order."""
