"""The stack files in `docker/`, and what belongs to them."""

import yaml

from indexer.stack.configuration import read_configuration
from pipeline import OPERATIONS, PIPELINES
from tests.each_row import each_row
from tests.paths import ROOT

DOCKER = ROOT / "docker"
COMMITTED = sorted(path.name for path in DOCKER.glob("*.yml") if path.name != "prometheus.yml")


def test_there_is_a_stack_for_developers_and_one_for_production() -> None:
    assert COMMITTED == ["compose.yml", "stack.yml"]


@each_row("file", ["dev.env", "prod.example.env"])
def test_no_secret_of_a_configuration_is_in_its_settings(file: str) -> None:
    found = read_configuration(DOCKER / file)
    words = ("PASS", "TOKEN", "KEY", "BROKER", "DATABASE")
    assert not [name for name in found.settings if any(word in name for word in words)]


def test_prometheus_asks_every_program() -> None:
    known = yaml.safe_load((DOCKER / "prometheus.yml").read_text())
    names = known["scrape_configs"][0]["dns_sd_configs"][0]["names"]
    steps = [step for each in PIPELINES for step in (*each.steps, *each.beside)]
    assert set(names) == {step.name for step in (*steps, *OPERATIONS)}
