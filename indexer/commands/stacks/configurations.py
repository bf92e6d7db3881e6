"""What `story-indexer config check` does: it shows the settings of a stack, and its checks."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.table import Table

from indexer.commands.console.terminal import cell, line_of_json, print_table
from indexer.commands.programs.catalog import known_settings
from indexer.commands.stacks.checks import Check, configuration_checks, server_checks
from indexer.commands.stacks.composing import StackOptions
from indexer.commands.stacks.config import CheckConfigOptions
from indexer.commands.stacks.stack_plans import stack_plan
from indexer.stack.configuration import (
    configuration_of,
    has_credentials,
    read_configuration,
    shown,
)
from indexer.stack.plan import StackPlan
from indexer.stack.programs import programs
from indexer.system.options import environment
from indexer.system.origins import FILE
from pipeline import flavor


class ConfiguredSetting(NamedTuple):
    """A setting that has a value, and the programs that read it."""

    name: str
    value: str
    origin: str
    programs: list[str]


def is_complete(options: CheckConfigOptions, file: Path | None) -> bool:
    """Show the settings and checks of a configuration. Returns whether no check failed."""
    plan = _plan(options, file)
    checks = [*configuration_checks(plan), *(server_checks(plan) if options.servers else ())]
    settings = [*_settings(plan, str(file or "environment"))]
    failed = [each for each in checks if each.why]
    if options.json_:
        for row in (*settings, *checks):
            print(line_of_json(row._asdict()))
    else:
        _show(settings, checks)
    return not failed


def _plan(options: CheckConfigOptions, file: Path | None) -> StackPlan:
    """The plan of the stack that the configuration is for. Raises ConfigurationError."""
    known = known_settings()
    given = {name: text for name, text in environment().items() if text and name in known}
    found = read_configuration(file) if file else configuration_of(given, Path())
    pulls = any(step.server in found.names for step in flavor(options.type).steps)
    stack = StackOptions(type=options.type, realm=options.realm, inputs=[] if pulls else ["INPUT"])
    return stack_plan(stack, found)


def _settings(plan: StackPlan, origin: str) -> Iterator[ConfiguredSetting]:
    read = {program.name: program.reads for program in programs(plan)}
    configuration = plan.configuration
    for name in sorted(configuration.names):
        path = configuration.secrets.get(name)
        value = configuration.settings.get(name, "(secret)")
        readers = [each for each, names in read.items() if name in names or name + FILE in names]
        text = shown(value) if name in plan.secret or has_credentials(value) else value
        yield ConfiguredSetting(name, text, str(path or origin), readers)


def _show(settings: list[ConfiguredSetting], checks: list[Check]) -> None:
    table = Table("setting", "value", "origin", "programs", box=None)
    for each in settings:
        table.add_row(*(cell(text) for text in (*each[:3], ", ".join(each.programs))))
    print_table(table, "nothing is configured: all settings have their defaults")
    for check in checks:
        if text := check.why or check.note:
            print(f"{'FAILED' if check.why else 'ok'}  {check.name}: {text}")
    failed = sum(1 for check in checks if check.why)
    print(f"{len(checks)} checks, {failed} failed")
