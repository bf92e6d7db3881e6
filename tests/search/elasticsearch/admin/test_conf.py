"""`elastic-conf`: with recorded answers, and on the real server."""

import json
from typing import Any

import pytest
from elastic_transport import ConnectionError as NotConnected
from elasticsearch import Elasticsearch

from indexer.search.elasticsearch.admin.conf import Configuration, Part, SetupChange, WantedSetup
from indexer.search.elasticsearch.admin.snapshots import Repository
from indexer.search.elasticsearch.setup import Settings
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.elasticsearch.production import MAPPINGS
from tests.search.stub import Reply, Stub

PRODUCTION = WantedSetup(
    12, 1, "50gb", Repository("backups", "s3", {"bucket": "mc", "endpoint": "s3"})
)

DONE: Reply = (200, {"acknowledged": True})
MISSING: Reply = (404, {"error": {"type": "resource_not_found_exception", "reason": "missing"}})
REFUSED: Reply = (403, {"error": {"type": "security_exception", "reason": "not yours"}})
NO_MODULE: Reply = (
    400,
    {"error": "no handler found for uri [/_ilm/policy/x] and method [GET]"},
)
MODULES: Reply = (200, {"nodes": {"x": {"modules": [{"name": "wildcard"}]}}})
INDEX: Reply = (
    200,
    {
        "mc_search-000001": {
            "aliases": {"mc_search": {"is_write_index": True}},
            "settings": {"index": {"creation_date": "0"}},
        }
    },
)

# As Elasticsearch 8.17 gives back what was put.
LIFECYCLE: Reply = (
    200,
    {
        "mediacloud-lifecycle-policy": {
            "version": 1,
            "modified_date": "2025-06-01T00:00:00.000Z",
            "policy": {
                "phases": {
                    "hot": {
                        "min_age": "0ms",
                        "actions": {
                            "rollover": {
                                "max_docs": 200000000,
                                "min_docs": 1,
                                "max_primary_shard_size": "50gb",
                            }
                        },
                    }
                }
            },
            "in_use_by": {"indices": [], "data_streams": [], "composable_templates": []},
        }
    },
)
MANAGED = {
    "index.lifecycle.name": "mediacloud-lifecycle-policy",
    "index.lifecycle.rollover_alias": "mc_search",
}
TEMPLATE_SETTINGS = {
    "index.number_of_shards": "12",
    "index.number_of_replicas": "1",
    **MANAGED,
}
MAPPING: Reply = (200, {"mc_search-000001": {"mappings": MAPPINGS}})
INDEX_SETTINGS: Reply = (200, {"mc_search-000001": {"settings": TEMPLATE_SETTINGS}})
REPOSITORY: Reply = (
    200,
    {"backups": {"type": "s3", "uuid": "x", "settings": {"bucket": "mc", "endpoint": "s3"}}},
)
POLICY: Reply = (
    200,
    {
        "bi_weekly_slm": {
            "version": 1,
            "modified_date_millis": 1,
            "policy": {
                "name": "<snapshot-{now/d}>",
                "schedule": "0 30 1 1,15 * ?",
                "repository": "backups",
                "config": {
                    "indices": ["mc_search-*"],
                    "ignore_unavailable": True,
                    "include_global_state": True,
                },
                "retention": {"min_count": 5, "max_count": 10},
            },
            "next_execution_millis": 2,
            "stats": {},
        }
    },
)


def template(settings: dict[str, str] | None = None) -> Reply:
    """Return the present template."""
    there: dict[str, Any] = {"mappings": MAPPINGS}
    there |= {"settings": TEMPLATE_SETTINGS if settings is None else settings}
    body = {"index_patterns": ["mc_search-*"], "template": there, "composed_of": []}
    return 200, {"index_templates": [{"name": "x", "index_template": body}]}


def configure(stub: Stub, wanted: WantedSetup = PRODUCTION) -> list[str]:
    """Return the result of each part."""
    client = stub.client().options(max_retries=0)
    parts = Configuration(client, Settings(("http://stub:9200",)), STORY_FIELDS, wanted).parts()
    return [f"{part.part} {part.change}" for part in parts]


def puts(stub: Stub) -> dict[str, Any]:
    """Return the bodies of all PUT requests by path."""
    return {
        request.split(" ")[1].split("?")[0]: json.loads(body)
        for request, body in stub.requests
        if request.startswith("PUT")
    }


def test_on_an_empty_server_everything_is_made() -> None:
    new = (MISSING, DONE), (MISSING, MODULES, DONE), (MISSING, DONE, INDEX, INDEX, INDEX_SETTINGS)
    stub = Stub(*[reply for some in new for reply in some], MISSING, DONE, MISSING, DONE)
    assert configure(stub) == [
        "lifecycle created",
        "template created",
        "index created",
        "managed unchanged",
        "repository created",
        "snapshots created",
    ]
    made = puts(stub)
    assert list(made) == [
        "/_ilm/policy/mediacloud-lifecycle-policy",
        "/_index_template/mediacloud_search_template",
        "/mc_search-000001",
        "/_snapshot/backups",
        "/_slm/policy/bi_weekly_slm",
    ]
    rollover = {"max_docs": 200_000_000, "max_primary_shard_size": "50gb"}
    assert made["/_ilm/policy/mediacloud-lifecycle-policy"] == {
        "policy": {"phases": {"hot": {"actions": {"rollover": rollover}}}}
    }
    assert made["/_index_template/mediacloud_search_template"] == {
        "index_patterns": ["mc_search-*"],
        "template": {"mappings": MAPPINGS, "settings": TEMPLATE_SETTINGS},
    }
    assert made["/mc_search-000001"] == {"aliases": {"mc_search": {"is_write_index": True}}}
    assert made["/_snapshot/backups"] == {
        "type": "s3",
        "settings": {"bucket": "mc", "endpoint": "s3"},
    }
    policy = POLICY[1]["bi_weekly_slm"]["policy"]
    assert made["/_slm/policy/bi_weekly_slm"] == policy


ALL_THERE: tuple[Reply, ...] = (
    LIFECYCLE,
    template(),
    MODULES,
    (200, {}),
    INDEX,
    MAPPING,
    INDEX,
    INDEX_SETTINGS,
    REPOSITORY,
    POLICY,
)


def test_a_second_run_changes_nothing() -> None:
    stub = Stub(*ALL_THERE)
    assert {line.split()[1] for line in configure(stub)} == {"unchanged"}
    assert (puts(stub), stub.replies) == ({}, [])


def test_choices_that_are_not_given_are_not_changed() -> None:
    stub = Stub(*ALL_THERE[:8])
    wanted = WantedSetup(max_shard_size="50gb")
    assert {line.split()[1] for line in configure(stub, wanted)} == {"unchanged", "skipped"}


def test_a_size_that_is_not_given_again_is_kept() -> None:
    stub = Stub(*ALL_THERE[:8])
    assert configure(stub, WantedSetup())[0] == "lifecycle unchanged"


@pytest.mark.parametrize(
    ("place", "replies", "part"),
    [
        (
            0,
            [(200, {"mediacloud-lifecycle-policy": {"policy": {"phases": {}}}}), DONE],
            "lifecycle",
        ),
        (1, [template({"index.number_of_shards": "30"}), MODULES, DONE], "template"),
        (7, [(200, {"mc_search-000001": {"settings": {}}}), DONE], "managed"),
        (
            8,
            [(200, {"backups": {"type": "fs", "settings": {"location": "x"}}}), DONE],
            "repository",
        ),
        (9, [(200, {"bi_weekly_slm": {"policy": {"schedule": "never"}}}), DONE], "snapshots"),
    ],
    ids=["lifecycle", "template", "managed", "repository", "snapshots"],
)
def test_different_parts_are_changed(place: int, replies: list[Reply], part: str) -> None:
    skipped = 2 if part == "template" else 1
    stub = Stub(*ALL_THERE[:place], *replies, *ALL_THERE[place + skipped :])
    changed = [line for line in configure(stub) if not line.endswith("unchanged")]
    assert (changed, len(puts(stub))) == ([f"{part} changed"], 1)


def test_fields_of_a_new_version_are_added_to_every_index() -> None:
    older = {name: MAPPINGS["properties"][name] for name in ("url", "text_content")}
    mapping = {
        "mc_search-000001": {"mappings": {"properties": older}},
        "mc_search-000002": {"mappings": MAPPINGS},
        "mc_search-000003": {"mappings": {}},
    }
    stub = Stub(*ALL_THERE[:5], (200, mapping), MODULES, DONE, MODULES, DONE, *ALL_THERE[6:])
    assert "mapping changed" in configure(stub)
    lacking = {name: one for name, one in MAPPINGS["properties"].items() if name not in older}
    assert puts(stub) == {
        "/mc_search-000001/_mapping": {"properties": lacking},
        "/mc_search-000003/_mapping": {"properties": MAPPINGS["properties"]},
    }


def test_a_field_of_another_type_fails_the_mapping_alone() -> None:
    wrong = {"language": {"type": "text"}}
    mapping: Reply = (200, {"mc_search-000001": {"mappings": {"properties": wrong}}})
    stub = Stub(*ALL_THERE[:5], mapping, *ALL_THERE[6:])
    changed = [line for line in configure(stub) if not line.endswith("unchanged")]
    assert (changed, puts(stub)) == (["mapping failed"], {})


def test_other_settings_of_the_template_are_kept() -> None:
    theirs = {"index.number_of_shards": "30", "index.refresh_interval": "30s"}
    stub = Stub(LIFECYCLE, template(theirs), MODULES, DONE, *ALL_THERE[3:])
    configure(stub)
    (body,) = puts(stub).values()
    assert body["template"]["settings"] == {"index.refresh_interval": "30s", **TEMPLATE_SETTINGS}


def test_unknown_parts_of_the_template_are_kept() -> None:
    status, answer = template({})
    found = answer["index_templates"][0]["index_template"]
    found["priority"] = 500
    found["template"]["aliases"] = {"all_stories": {}}
    stub = Stub(LIFECYCLE, (status, answer), MODULES, DONE, *ALL_THERE[3:])
    configure(stub)
    (body,) = puts(stub).values()
    assert (body["priority"], body["template"]["aliases"]) == (500, {"all_stories": {}})
    assert body["template"]["mappings"] == MAPPINGS


def test_without_the_modules_the_rest_is_made_and_the_template_names_no_policy() -> None:
    stub = Stub(
        *[NO_MODULE, MISSING, MODULES, DONE],
        *[MISSING, DONE, INDEX],
        *[MISSING, DONE, NO_MODULE],
    )
    assert configure(stub) == [
        "lifecycle unsupported",
        "template created",
        "index created",
        "repository created",
        "snapshots unsupported",
    ]
    settings = puts(stub)["/_index_template/mediacloud_search_template"]["template"]["settings"]
    assert sorted(settings) == ["index.number_of_replicas", "index.number_of_shards"]


def test_a_failed_part_fails_only_the_parts_that_need_it() -> None:
    stub = Stub(REFUSED, MISSING, MODULES, REFUSED, INDEX, INDEX_SETTINGS, MISSING, REFUSED)
    assert configure(stub) == [
        "lifecycle failed",
        "template failed",
        "index failed",
        "managed unchanged",
        "repository failed",
        "snapshots failed",
    ]


def test_a_failure_has_a_reason() -> None:
    client = Stub(REFUSED, MISSING).client()
    first = next(
        Configuration(client, Settings(("http://stub:9200",)), STORY_FIELDS, PRODUCTION).parts()
    )
    assert (first.change, first.why) == (SetupChange.FAILED, "403: security_exception: not yours")


def test_an_alias_that_can_not_be_written_to_is_a_failure() -> None:
    index: Reply = (200, {"mc_search": {"settings": {"index": {"creation_date": "0"}}}})
    stub = Stub(NO_MODULE, template({}), MODULES, (200, {}), index)
    parts = Configuration(
        stub.client(), Settings(("http://stub:9200",)), STORY_FIELDS, WantedSetup()
    ).parts()
    found = next(part for part in parts if part.part == "index")
    assert found.change is SetupChange.FAILED
    assert "is an index, not an alias" in found.why


def test_a_lost_server_ends_the_configuration() -> None:
    stub = Stub(LIFECYCLE, NotConnected("gone"))
    with pytest.raises(NotConnected):
        configure(stub)


@pytest.mark.external
def test_a_real_server_has_it_all_and_keeps_it(
    server: Elasticsearch, alias: str, repository: str
) -> None:
    given = Settings(("http://unused:9200",), alias)
    wanted = WantedSetup(2, 0, "50gb", Repository(repository, "fs", {"location": repository}))

    def run() -> list[Part]:
        return list(Configuration(server, given, STORY_FIELDS, wanted).parts())

    first, second = run(), run()
    supported = {part.part for part in first if part.change is SetupChange.CREATED}
    assert supported >= {"template", "index", "repository"}
    assert {part.change for part in first} <= {
        SetupChange.CREATED,
        SetupChange.UNCHANGED,
        SetupChange.UNSUPPORTED,
    }
    assert {part.change for part in second} <= {SetupChange.UNCHANGED, SetupChange.UNSUPPORTED}
    (index,) = server.indices.get(index=alias).values()
    assert index["settings"]["index"]["number_of_shards"] == "2"
    assert server.snapshot.get_repository(name=repository)[repository]["type"] == "fs"


@pytest.mark.external
def test_changed_choices_change_a_real_server(server: Elasticsearch, alias: str) -> None:
    given = Settings(("http://unused:9200",), alias)
    list(Configuration(server, given, STORY_FIELDS, WantedSetup(2, 0)).parts())
    parts = list(Configuration(server, given, STORY_FIELDS, WantedSetup(replicas=1)).parts())
    assert [part.part for part in parts if part.change is SetupChange.CHANGED] == ["template"]
    server.indices.rollover(alias=alias)
    made = server.indices.get_settings(index=f"{alias}-000002")[f"{alias}-000002"]["settings"]
    assert (made["index"]["number_of_shards"], made["index"]["number_of_replicas"]) == ("2", "1")


@pytest.mark.external
def test_a_repository_that_the_server_can_not_use_is_a_failure(
    server: Elasticsearch, alias: str
) -> None:
    given = Settings(("http://unused:9200",), alias)
    elsewhere = Repository(f"{alias}-elsewhere", "fs", {"location": "/not/for/snapshots"})
    parts = list(
        Configuration(server, given, STORY_FIELDS, WantedSetup(repository=elsewhere)).parts()
    )
    assert [part.part for part in parts if part.change is SetupChange.FAILED] == [
        "repository",
        "snapshots",
    ]
    assert "path.repo" in next(part.why for part in parts if part.part == "repository")
