"""What an Elasticsearch needs to serve as the index: made, or changed, where it is not there.

    lifecycle policy → template → first index and alias → its policy → repository → snapshot policy

Nothing is changed that is as it should be, so this may run at every deploy. A part that can not
be made is told, and what does not need it is still made.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from elasticsearch import ApiError, Elasticsearch

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.admin.policies import (
    MAX_DOCS,
    is_lifecycle,
    lifecycle,
    lifecycle_name,
    max_shard_size,
    rollover_conditions,
    snapshots,
    snapshots_name,
)
from indexer.search.elasticsearch.admin.snapshots import Repository
from indexer.search.elasticsearch.errors import Unsupported, reason, there
from indexer.search.elasticsearch.indices import indices
from indexer.search.elasticsearch.setup import (
    NO_WILDCARD,
    Settings,
    create_first_index,
    has_wildcard,
    template,
)

BY_SCHEDULE = "this server has no module for it: run `elastic-conf {}` by schedule"

LIFECYCLE, ROLLOVER_ALIAS = "index.lifecycle.name", "index.lifecycle.rollover_alias"


class SetupChange(StrEnum):
    """What became of one part."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    UNSUPPORTED = "unsupported"
    SKIPPED = "skipped"
    FAILED = "failed"


class Part(NamedTuple):
    """One part of the configuration, the name that it has on the server, what became of it."""

    part: str
    name: str
    change: SetupChange
    why: str = ""


@dataclass(frozen=True, slots=True)
class WantedSetup:
    """What an operator decides. What is None stays as it is, or as the server has it by default.

    Without a size, now or before, only the number of documents makes an index roll over; without a
    repository no snapshots are taken.
    """

    shards: int | None = None
    replicas: int | None = None
    max_shard_size: str = ""
    repository: Repository | None = None


class Configuration:
    """Brings a server into the wanted state, part by part."""

    def __init__(self, client: Elasticsearch, given: Settings, wanted: WantedSetup) -> None:
        self._client = client
        self._given = given
        self._wanted = wanted
        self._lifecycles = False

    def parts(self) -> Iterator[Part]:
        """Make one part after the other. Raises TransportError: the server is gone."""
        policy = _done("lifecycle", lifecycle_name(self._given.alias), self._lifecycle)
        self._lifecycles = policy.change is not SetupChange.UNSUPPORTED
        yield policy
        made = _done("template", self._given.template, self._template)
        yield made
        if made.change is SetupChange.FAILED:
            # An index without the template would have the wrong fields for ever.
            yield Part("index", self._given.first_index, SetupChange.FAILED, "there is no template")
        else:
            yield _done("index", self._given.alias, self._first_index)
        if self._lifecycles:
            yield _done("managed", self._given.alias, self._managed)
        yield from self._snapshots()

    def _snapshots(self) -> Iterator[Part]:
        name = snapshots_name(self._given.alias)
        repository = self._wanted.repository
        if not repository:
            yield Part("repository", "-", SetupChange.SKIPPED, "none was named: no snapshots")
            return
        made = _done("repository", repository.name, lambda: self._repository(repository))
        yield made
        if made.change is SetupChange.FAILED:
            yield Part("snapshots", name, SetupChange.FAILED, "there is no repository")
        else:
            yield _done("snapshots", name, lambda: self._policy(repository.name))

    def _lifecycle(self) -> tuple[SetupChange, str]:
        ilm, name = self._client.ilm, lifecycle_name(self._given.alias)
        try:
            found = there(lambda: ilm.get_lifecycle(name=name))
        except Unsupported:
            return SetupChange.UNSUPPORTED, BY_SCHEDULE.format("rollover")
        now = found[name]["policy"] if found else {}
        size = self._wanted.max_shard_size or max_shard_size(now)
        policy = lifecycle(rollover_conditions(MAX_DOCS, size))
        is_right = is_lifecycle(now, policy)
        return _put(found, is_right, lambda: ilm.put_lifecycle(name=name, policy=policy))

    def _template(self) -> tuple[SetupChange, str]:
        made, name = self._client.indices, self._given.template
        found = there(lambda: made.get_index_template(name=name, flat_settings=True))
        now = found["index_templates"][0]["index_template"] if found else {}
        wildcard = has_wildcard(self._client)
        body = template(self._given.alias, wildcard=wildcard)
        before = now.get("template", {})
        # What isn't said now was said before.
        settings = {**before.get("settings", {}), **self._settings()}
        is_right = (
            now.get("index_patterns") == body["index_patterns"]
            and before.get("mappings") == body["template"]["mappings"]
            and before.get("settings", {}) == settings
        )
        body |= {name: now[name] for name in ("priority", "composed_of") if now.get(name)}
        body["template"] = before | body["template"]
        if settings:
            body["template"]["settings"] = settings
        change, _ = _put(found, is_right, lambda: made.put_index_template(name=name, **body))
        notes = ["for indices that are made from now on"] if change is SetupChange.CHANGED else []
        return change, "; ".join(notes if wildcard else [*notes, NO_WILDCARD])

    def _settings(self) -> dict[str, str]:
        """Of each new index. The server gives them back as text."""
        settings: dict[str, str] = {}
        if self._wanted.shards is not None:
            settings["index.number_of_shards"] = str(self._wanted.shards)
        if self._wanted.replicas is not None:
            settings["index.number_of_replicas"] = str(self._wanted.replicas)
        return settings | (self._managing() if self._lifecycles else {})

    def _managing(self) -> dict[str, str]:
        return {LIFECYCLE: lifecycle_name(self._given.alias), ROLLOVER_ALIAS: self._given.alias}

    def _first_index(self) -> tuple[SetupChange, str]:
        only_look = replace(self._given, create=False)
        alias = self._given.alias
        if self._client.indices.exists(index=alias):
            return SetupChange.UNCHANGED, f"writes go to {indices(self._client, only_look).write}"
        create_first_index(self._client, self._given)
        return SetupChange.CREATED, f"writes go to {indices(self._client, only_look).write}"

    def _managed(self) -> tuple[SetupChange, str]:
        """An index that was made before there was a policy does not roll over."""
        write = indices(self._client, replace(self._given, create=False)).write
        found = self._client.indices.get_settings(index=write, flat_settings=True)
        now = found[write]["settings"]
        settings = self._managing()
        is_right = all(now.get(name) == value for name, value in settings.items())
        return _put(
            found,
            is_right,
            lambda: self._client.indices.put_settings(index=write, settings=settings),
        )

    def _repository(self, wanted: Repository) -> tuple[SetupChange, str]:
        snapshot = self._client.snapshot
        found = there(lambda: snapshot.get_repository(name=wanted.name))
        now = found[wanted.name] if found else {}
        is_right = now.get("type") == wanted.type and _holds(now["settings"], wanted.settings)
        body = {"type": wanted.type, "settings": wanted.settings}
        return _put(
            found, is_right, lambda: snapshot.create_repository(name=wanted.name, repository=body)
        )

    def _policy(self, repository: str) -> tuple[SetupChange, str]:
        slm, name = self._client.slm, snapshots_name(self._given.alias)
        try:
            found = there(lambda: slm.get_lifecycle(policy_id=name))
        except Unsupported:
            return SetupChange.UNSUPPORTED, BY_SCHEDULE.format("snapshot")
        policy = snapshots(self._given.alias, repository)
        is_right = bool(found) and _holds(found[name]["policy"], policy)
        return _put(found, is_right, lambda: slm.put_lifecycle(policy_id=name, **policy))


def _done(part: str, name: str, make: Callable[[], tuple[SetupChange, str]]) -> Part:
    try:
        return Part(part, name, *make())
    except ApiError as error:
        return Part(part, name, SetupChange.FAILED, f"{error.status_code}: {reason(error.body)}")
    except ConfigurationError as error:
        return Part(part, name, SetupChange.FAILED, str(error))


def _put(found: object, is_right: bool, put: Callable[[], object]) -> tuple[SetupChange, str]:
    if found and is_right:
        return SetupChange.UNCHANGED, ""
    put()
    return SetupChange.CHANGED if found else SetupChange.CREATED, ""


def _holds(now: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether all that is wanted is there; a server may add what it has by default."""
    return all(
        _holds(now.get(name) or {}, value) if isinstance(value, Mapping) else now.get(name) == value
        for name, value in wanted.items()
    )
