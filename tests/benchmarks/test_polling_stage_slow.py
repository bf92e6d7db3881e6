"""The stage of polls does its work on PostgreSQL and RabbitMQ; how fast is not tested."""

import pytest

from benchmarks.measuring.rounds import measure
from benchmarks.measuring.stage import Stage, Unmeasured
from benchmarks.stages.polling import BROKER, DATABASE, stages


@pytest.mark.external
def test_the_programs_and_the_script_poll_all_feeds(
    monkeypatch: pytest.MonkeyPatch, postgresql_url: str, rabbitmq_url: str
) -> None:
    monkeypatch.setenv(DATABASE, postgresql_url)
    monkeypatch.setenv(BROKER, rabbitmq_url)
    with stages([], feeds=20) as (stage,):
        assert isinstance(stage, Stage)
        assert all(figure > 0 for figure in measure(stage, rounds=1).figures.values())


def test_without_servers_the_table_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATABASE, raising=False)
    with stages([]) as (row,):
        assert isinstance(row, Unmeasured)
        assert "make services" in row.why
