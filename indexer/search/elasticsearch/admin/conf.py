"""Configures an Elasticsearch as the search index: creates or changes each part that needs it.

    lifecycle policy → template → first index and alias → its policy → repository → snapshot policy

A part that is right already is not changed, so this may run at every deployment. A part that fails
is reported; the parts that do not depend on it are still made.
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
from indexer.search.elasticsearch.errors import Unsupported, existing, reason
from indexer.search.elasticsearch.indices import indices
from indexer.search.elasticsearch.mapping import absent, conflicts, mappings, slow_urls
from indexer.search.elasticsearch.setup import (
    Settings,
    create_first_index,
    has_wildcard,
    template,
    without_wildcard,
)
from indexer.search.language.schema import Schema

BY_SCHEDULE = {"lifecycle": "rollover", "snapshots": "snapshot"}
"""The commands of `elastic-conf` that replace the policies."""

LIFECYCLE, ROLLOVER_ALIAS = "index.lifecycle.name", "index.lifecycle.rollover_alias"


class SetupChange(StrEnum):
    """The result for one part."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    UNSUPPORTED = "unsupported"
    SKIPPED = "skipped"
    FAILED = "failed"


class Part(NamedTuple):
    """One part of the configuration, its name on the server, and the result."""

    part: str
    name: str
    change: SetupChange
    why: str = ""


@dataclass(frozen=True, slots=True)
class WantedSetup:
    """The operator's choices. None leaves a setting as it is, or at the server's default.

    Without a maximal size, here or in the present policy, an index rolls over only by its number of
    documents; without a repository no snapshots are taken.
    """

    shards: int | None = None
    replicas: int | None = None
    max_shard_size: str = ""
    repository: Repository | None = None


class Configuration:
    """Configures one server, part by part."""

    def __init__(
        self, client: Elasticsearch, given: Settings, schema: Schema, wanted: WantedSetup
    ) -> None:
        self._client = client
        self._given = given
        self._schema = schema
        self._wanted = wanted
        self._lifecycles = False

    def parts(self) -> Iterator[Part]:
        """Configure the parts in order. Raises TransportError if the server does not answer."""
        # The template names the policy, and the index is made by the template.
        policy = _done("lifecycle", lifecycle_name(self._given.alias), self._lifecycle)
        self._lifecycles = policy.change is not SetupChange.UNSUPPORTED
        yield policy
        made = _done("template", self._given.template, self._template)
        yield made
        if made.change is SetupChange.FAILED:
            # The fields of an index that was created without the template can't be changed later.
            yield Part("index", self._given.first_index, SetupChange.FAILED, "there is no template")
        else:
            found = _done("index", self._given.alias, self._first_index)
            yield found
            if found.change is SetupChange.UNCHANGED:
                yield _done("mapping", self._given.alias, self._mapping)
        if self._lifecycles:
            yield _done("managed", self._given.alias, self._managed)
        yield from self._snapshots()

    def _snapshots(self) -> Iterator[Part]:
        name = snapshots_name(self._given.alias)
        repository = self._wanted.repository
        if not repository:
            yield Part("repository", "-", SetupChange.SKIPPED, "none was given: no snapshots")
            return
        made = _done("repository", repository.name, lambda: self._repository(repository))
        yield made
        if made.change is SetupChange.FAILED:
            yield Part("snapshots", name, SetupChange.FAILED, "there is no repository")
        else:
            yield _done("snapshots", name, lambda: self._policy(repository.name))

    def _lifecycle(self) -> tuple[SetupChange, str]:
        ilm, name = self._client.ilm, lifecycle_name(self._given.alias)
        found = existing(lambda: ilm.get_lifecycle(name=name))
        now = found[name]["policy"] if found else {}
        size = self._wanted.max_shard_size or max_shard_size(now)
        policy = lifecycle(rollover_conditions(MAX_DOCS, size))
        is_right = is_lifecycle(now, policy)
        return _put(found, is_right, lambda: ilm.put_lifecycle(name=name, policy=policy))

    def _template(self) -> tuple[SetupChange, str]:
        made, name = self._client.indices, self._given.template
        found = existing(lambda: made.get_index_template(name=name, flat_settings=True))
        now = found["index_templates"][0]["index_template"] if found else {}
        wildcard = has_wildcard(self._client)
        body = template(self._given.alias, self._schema, wildcard=wildcard)
        before = now.get("template", {})
        # Settings that are not given stay as an earlier run has made them.
        settings = {**before.get("settings", {}), **self._settings()}
        is_right = (
            now.get("index_patterns") == body["index_patterns"]
            and before.get("mappings") == body["template"]["mappings"]
            and before.get("settings", {}) == settings
        )
        # Keep what operators have added; PUT replaces the whole template.
        body |= {name: now[name] for name in ("priority", "composed_of") if now.get(name)}
        body["template"] = before | body["template"]
        if settings:
            body["template"]["settings"] = settings
        change, _ = _put(found, is_right, lambda: made.put_index_template(name=name, **body))
        notes = ["applies to indices created from now on"] if change is SetupChange.CHANGED else []
        lacks = "" if wildcard else without_wildcard(self._schema)
        return change, "; ".join([*notes, lacks] if lacks else notes)

    def _settings(self) -> dict[str, str]:
        """Return the settings of new indices, as text: the server returns them so."""
        shards, replicas = self._wanted.shards, self._wanted.replicas
        wanted = {"index.number_of_shards": shards, "index.number_of_replicas": replicas}
        given = {name: str(value) for name, value in wanted.items() if value is not None}
        return given | (self._managing() if self._lifecycles else {})

    def _managing(self) -> dict[str, str]:
        return {LIFECYCLE: lifecycle_name(self._given.alias), ROLLOVER_ALIAS: self._given.alias}

    def _first_index(self) -> tuple[SetupChange, str]:
        existed = self._client.indices.exists(index=self._given.alias)
        if not existed:
            create_first_index(self._client, self._given)
        change = SetupChange.UNCHANGED if existed else SetupChange.CREATED
        return change, f"writes go to {self._write_index()}"

    def _mapping(self) -> tuple[SetupChange, str]:
        """Add the fields that indices of an earlier version lack. Changes no field that is there.

        Raises ConfigurationError if an index has a field of another type.
        """
        made = self._client.indices
        added: set[str] = set()
        limits: list[str] = []
        indices = properties(self._client, self._given.alias)
        for why in misfits(indices, self._schema):
            raise ConfigurationError(why)
        for index, there in indices.items():
            limits += slow_urls(self._schema, index, there)
            if lacking := absent(self._schema, there):
                wanted = mappings(self._schema, wildcard=has_wildcard(self._client))["properties"]
                made.put_mapping(index=index, properties={name: wanted[name] for name in lacking})
                added |= set(lacking)
        if not added:
            return SetupChange.UNCHANGED, "; ".join(limits)
        names = ", ".join(sorted(added))
        news = f"new fields: {names}; older documents lack them"
        return SetupChange.CHANGED, "; ".join([news, *limits])

    def _managed(self) -> tuple[SetupChange, str]:
        """Apply the policy to the write index, which may be older than the policy."""
        made, write, settings = self._client.indices, self._write_index(), self._managing()
        found = made.get_settings(index=write, flat_settings=True)
        is_right = _holds(found[write]["settings"], settings)
        return _put(found, is_right, lambda: made.put_settings(index=write, settings=settings))

    def _write_index(self) -> str:
        return indices(self._client, replace(self._given, create=False), self._schema).write

    def _repository(self, wanted: Repository) -> tuple[SetupChange, str]:
        snapshot = self._client.snapshot
        found = existing(lambda: snapshot.get_repository(name=wanted.name))
        now = found[wanted.name] if found else {}
        is_right = now.get("type") == wanted.type and _holds(now["settings"], wanted.settings)
        body = {"type": wanted.type, "settings": wanted.settings}
        return _put(
            found, is_right, lambda: snapshot.create_repository(name=wanted.name, repository=body)
        )

    def _policy(self, repository: str) -> tuple[SetupChange, str]:
        slm, name = self._client.slm, snapshots_name(self._given.alias)
        found = existing(lambda: slm.get_lifecycle(policy_id=name))
        policy = snapshots(self._given.alias, repository)
        is_right = bool(found) and _holds(found[name]["policy"], policy)
        return _put(found, is_right, lambda: slm.put_lifecycle(policy_id=name, **policy))


def properties(client: Elasticsearch, alias: str) -> dict[str, Mapping[str, Any]]:
    """Return the properties of the mapping of each index behind an alias."""
    found = client.indices.get_mapping(index=alias).items()
    return {index: each["mappings"].get("properties", {}) for index, each in found}


def misfits(indices: Mapping[str, Mapping[str, Any]], schema: Schema) -> Iterator[str]:
    """Yield a line for each index whose properties have a field of another type."""
    for index, there in indices.items():
        if lines := conflicts(schema, there):
            yield (
                f"{index}: {'; '.join(lines)}. A type can't be changed: copy the documents to "
                "a new index with `story-indexer elastic-reindex`"
            )


def _done(part: str, name: str, make: Callable[[], tuple[SetupChange, str]]) -> Part:
    try:
        return Part(part, name, *make())
    except Unsupported:
        why = f"this server has no module for it: schedule `elastic-conf {BY_SCHEDULE[part]}`"
        return Part(part, name, SetupChange.UNSUPPORTED, why)
    except ApiError as error:
        why = f"{error.status_code}: {reason(error.body)}"
    except ConfigurationError as error:
        why = str(error)
    return Part(part, name, SetupChange.FAILED, why)


def _put(found: object, is_right: bool, put: Callable[[], object]) -> tuple[SetupChange, str]:
    if found and is_right:
        return SetupChange.UNCHANGED, ""
    put()
    return SetupChange.CHANGED if found else SetupChange.CREATED, ""


def _holds(now: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether the present values include all wanted ones."""
    # A server adds its defaults, so equality would report a change at every run.
    return all(
        _holds(now.get(name) or {}, value) if isinstance(value, Mapping) else now.get(name) == value
        for name, value in wanted.items()
    )
