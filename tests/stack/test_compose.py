"""A stack file has a service for each program, with the settings that the program reads."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from indexer.errors import ConfigurationError
from indexer.messages.pipelines import Step
from indexer.stack.compose import compose, render
from indexer.stack.configuration import StackConfiguration
from indexer.stack.plan import StackProgram
from tests.stack.plans import SECRET, TOYS, plan_of


def services(where: str = "prod", **changes: object) -> dict[str, Any]:
    found: Any = compose(plan_of(where, **changes))["services"]
    return dict(found)


def test_each_step_and_each_program_beside_it_is_a_service() -> None:
    names = [*services()]
    assert names[-3:] == ["queuer", "mender", "pruner"]
    assert services()["mender"]["command"] == ["program", "workers.toys.mender"]


def test_production_has_its_own_numbers_of_containers() -> None:
    assert services("prod")["mender"]["deploy"]["replicas"] == 9
    assert services("staging")["mender"]["deploy"]["replicas"] == 4


def test_a_program_gets_the_settings_that_it_reads_and_no_others() -> None:
    given = StackConfiguration({"MENDER_GLUE": "cold", "LIMIT": "9"}, SECRET.secrets)
    found = services(configuration=given, deployment="mc-configuration-1")
    assert found["mender"]["environment"] == {
        "BROKER_URL_FILE": "/run/secrets/broker_url",
        "DATAROOT": "/data",
        "DEPLOYMENT_ID": "mc-configuration-1",
        # What a step of the flavor is does not depend on the configuration.
        "MENDER_GLUE": "hot",
        "METRICS_ADDRESS": ":9100",
        "PROCESS_NAME": "mender",
    }
    assert found["queuer"]["environment"]["LIMIT"] == "9"
    assert services()["queuer"]["environment"]["LIMIT"] == "7"


def test_credentials_of_a_store_are_for_the_programs_that_use_it() -> None:
    given = StackConfiguration({}, {"TOY_KEY": Path("/etc/toys/key")})
    found = services(configuration=given)
    assert found["queuer"]["secrets"] == [{"source": "toy_key", "target": "/run/secrets/toy_key"}]
    assert "secrets" not in found["mender"]


def test_a_setting_that_nobody_reads_is_an_error() -> None:
    given = StackConfiguration({"MENDER_GLU": "hot"})
    with pytest.raises(ConfigurationError, match="no program reads MENDER_GLU:"):
        compose(plan_of(configuration=given))
    compose(plan_of(configuration=given, known=["MENDER_GLU"]))


def test_production_reads_inputs_again_and_a_rehearsal_a_sample_once() -> None:
    queuer = services("prod")["queuer"]
    assert queuer["command"][2:] == ["--watch", "300", "list.txt"]
    assert queuer["deploy"]["restart_policy"]["condition"] == "any"
    queuer = services("staging")["queuer"]
    assert queuer["command"][2:] == ["--force", "--sample-size", "50000", "list.txt"]
    assert queuer["deploy"]["restart_policy"]["condition"] == "on-failure"


def test_without_inputs_the_producer_with_a_server_runs() -> None:
    given = StackConfiguration({"TOY_SERVER": "http://toys.example"})
    found = services(configuration=given, inputs=[])
    assert "queuer" not in found
    assert found["puller"]["command"][2:] == ["--watch", "3600"]
    with pytest.raises(ConfigurationError, match="name inputs, or configure TOY_SERVER"):
        compose(plan_of(inputs=[]))


def test_a_program_that_ends_is_started_again_after_its_time() -> None:
    pruner = services()["pruner"]
    assert pruner["command"] == ["program", "workers.toys.pruner", "--delete"]
    assert pruner["deploy"]["restart_policy"] == {"condition": "any", "delay": "86400s"}


def test_a_command_that_prepares_runs_once() -> None:
    found = services(setup=[StackProgram("prepare", ["elastic-conf", "configure"], ends=True)])
    assert found["prepare"]["deploy"]["restart_policy"]["condition"] == "on-failure"


def test_a_program_of_operations_runs_if_what_it_watches_is_configured() -> None:
    watcher = Step("watcher", uses=["BROKER_URL"])
    assert "watcher" in services(operations=[watcher])
    assert "watcher" not in services(operations=[Step("watcher", uses=["INDEX_URL"])])


def test_what_keeps_files_stays_on_its_node_and_is_stopped_before_its_update() -> None:
    found = services()
    assert found["queuer"]["volumes"] == ["data:/data"]
    assert found["queuer"]["deploy"]["placement"] == {"constraints": ["node.role == manager"]}
    assert found["queuer"]["deploy"]["update_config"]["order"] == "stop-first"
    assert "volumes" not in found["mender"]
    assert found["mender"]["deploy"]["update_config"]["order"] == "start-first"


def test_the_end_of_a_program_that_ends_by_itself_does_not_take_its_update_back() -> None:
    found = services(setup=[StackProgram("prepare", ["elastic-conf", "configure"], ends=True)])
    for name, action in (("prepare", "continue"), ("pruner", "continue"), ("queuer", "rollback")):
        assert found[name]["deploy"]["update_config"]["failure_action"] == action


def test_a_stack_has_the_servers_that_its_programs_use() -> None:
    assert [*services("prod")][:2] == ["rabbitmq", "postgresql"]
    assert "elasticsearch" not in services("dev")
    assert "postgresql" not in services("dev", pipeline=_without_database())


def _without_database() -> Any:
    queuer = Step("queuer", to=["watcher"], reads=["list"])
    return type(TOYS)("toys", [queuer, Step("watcher")], family="toys")


def test_a_server_has_another_image_if_told_so() -> None:
    found = services(images={"rabbitmq": "local/rabbitmq"})
    assert found["rabbitmq"]["image"] == "local/rabbitmq"


def test_two_stacks_publish_different_ports() -> None:
    def published(where: str) -> list[int]:
        every = services(where).values()
        return [port["published"] for each in every for port in each.get("ports", ())]

    assert published("prod") == [15672 + 200, 9090 + 200, 3000 + 200]
    assert published("staging") == [15672 + 210, 9090 + 210, 3000 + 210]


def test_nothing_needs_virtual_addresses_in_the_kernel() -> None:
    for each in services("dev").values():
        assert each["deploy"]["endpoint_mode"] == "dnsrr"
        assert all(port["mode"] == "host" for port in each.get("ports", ()))


def test_a_secret_is_a_file_and_its_name_changes_with_its_content(tmp_path: Path) -> None:
    path = tmp_path / "broker_url"
    plan = plan_of(configuration=StackConfiguration({}, {"BROKER_URL": path}), folder=tmp_path)
    names = set()
    for content in ("amqp://one:sentinel@rabbitmq/", "amqp://two:sentinel@rabbitmq/"):
        path.write_text(content)
        text = render(plan, "")
        assert "sentinel" not in text
        secret = yaml.safe_load(text)["secrets"]["broker_url"]
        assert secret["file"] == "./broker_url"
        names.add(secret["name"])
    assert len(names) == 2


def test_files_of_servers_are_configs_in_a_swarm_and_mounted_on_one_machine() -> None:
    document: Any = compose(plan_of("prod"))
    assert document["configs"]["alerts-yml"] == {
        "file": "../../srv/toys/operations/alerts.yml",
        "name": "toys-prod-alerts-yml",
    }
    mounts = services("dev")["prometheus"]["volumes"]
    assert "../../srv/toys/operations/alerts.yml:/etc/prometheus/stack/alerts.yml:ro" in mounts


def test_a_sample_site_answers_to_the_names_of_its_hosts() -> None:
    found = services("dev", site=["newsroom"], hosts=["one.example", "two.example"])
    aliases = {"default": {"aliases": ["one.example", "two.example"]}}
    assert found["sample-site"]["networks"] == aliases
    # A sample of the sample would leave most of it out.
    assert found["queuer"]["command"][2:] == ["list.txt"]


def test_no_part_is_written_as_a_reference_to_another() -> None:
    assert "&id" not in render(plan_of(), "")
    assert render(plan_of(), "how\nto").startswith("# how\n# to\nversion: '3.8'\n")


def test_a_secret_that_would_be_written_into_the_file_is_an_error() -> None:
    for value in ("amqp://user:sentinel@rabbitmq/", "sentinel"):
        given = StackConfiguration({"BROKER_URL": value})
        with pytest.raises(ConfigurationError, match="set BROKER_URL_FILE") as error:
            compose(plan_of(configuration=given, secret=["BROKER_URL"]))
        assert "sentinel" not in str(error.value)
    # Of a setting that is no secret, too.
    urls = StackConfiguration({"LIMIT": "http://one.example http://user:sentinel@two.example"})
    with pytest.raises(ConfigurationError, match="set LIMIT_FILE") as error:
        compose(plan_of(configuration=urls))
    assert "sentinel" not in str(error.value)
    harmless = StackConfiguration({"BROKER_URL": "amqp://rabbitmq/"})
    compose(plan_of(configuration=harmless, secret=["BROKER_URL"]))


def test_an_input_with_a_password_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="input 2 is a URL with a user") as error:
        compose(plan_of(inputs=["a.csv", "https://user:sentinel@site.example/feed"]))
    assert "sentinel" not in str(error.value)


def test_on_one_machine_a_program_that_ends_by_itself_runs_once() -> None:
    assert services("dev")["pruner"]["deploy"]["restart_policy"]["condition"] == "on-failure"
