"""`docker/deploy`: stacks in a swarm, from a check of their configuration to their removal."""

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.entering import enter
from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import ConfirmOptions, JSONOptions, with_options
from indexer.commands.console.terminal import confirm, line_of_json
from indexer.commands.stacks.checks import (
    Check,
    configuration_checks,
    registry_check,
    registry_of,
    server_checks,
    tree_checks,
)
from indexer.commands.stacks.composing import StackOptions
from indexer.commands.stacks.stack_plans import ROOT, command_line, stack_plan
from indexer.errors import ConfigurationError, SwarmError
from indexer.programs.deployment import PREFIX
from indexer.stack.compose import render
from indexer.stack.plan import StackPlan
from indexer.stack.realms import realm
from indexer.stack.releases import differences, release, take_back, wait
from indexer.stack.swarm import RunningService, StackRecord, Swarm
from indexer.system.options import Options, option
from indexer.system.signals import stop_on_signals
from pipeline import DEFAULT, flavor

app = new_app(
    """Deploy flavors in a Docker swarm, each in a stack of its own.

    Examples:

        docker/deploy up --type queue-fetcher --realm prod --config /srv/config/prod.env --dry-run

        docker/deploy status --type queue-fetcher --realm prod

        docker/deploy rollback --type queue-fetcher --realm prod
    """
)


class NamedStack(Options):
    """Options that name a stack."""

    type: str = option(DEFAULT, "The flavor.", short="t", metavar="FLAVOR")
    realm: str = option("dev", "prod, staging or dev.", short="r")

    @property
    def name(self) -> str:
        """The name of the stack. Raises ConfigurationError."""
        return f"{flavor(self.type).name}-{realm(self.realm).name}"


class WaitOptions(Options):
    """Options of commands that wait until all services run."""

    wait: Annotated[float, Field(ge=0)] = option(
        600.0, "Seconds to wait until all services run; 0: don't wait."
    )


class UpOptions(StackOptions, WaitOptions, ConfirmOptions):
    """Options of `deploy up`."""

    dry_run: bool = option(False, "Check, and print what would change; deploy nothing.", short="n")
    allow_dirty: bool = option(
        False,
        "Also deploy files that are not committed, and a commit that is not pushed; refused in "
        "prod and staging.",
        short="a",
    )
    build_only: bool = option(False, "Build and push the image; deploy nothing.", short="b")
    skip: list[str] = option([], "The name of a check that need not pass; repeatable.")


class RollbackOptions(NamedStack, WaitOptions, ConfirmOptions):
    """Options of `deploy rollback`."""


class StatusOptions(NamedStack, JSONOptions):
    """Options of `deploy status`."""


class LogsOptions(NamedStack):
    """Options of `deploy logs`."""

    follow: bool = option(False, "Go on with new lines until Ctrl-C.", short="f")
    tail: int = option(100, "Lines from each container.", short="n")


class RemoveOptions(NamedStack, ConfirmOptions):
    """Options of `deploy remove`."""

    volumes: bool = option(False, "Remove its data on this node, too: queues, databases, archives.")


@app.command()
@with_options
def up(options: UpOptions) -> None:
    """Deploy a flavor, or update it, service by service.

    First checks the tree, the configuration, the registry, the broker and the index, and prints
    what differs from the last deployment. An image without a tag is built, and pushed if its name
    has a registry. Services that don't start are rolled back by Docker.

    Examples:

        docker/deploy up --sample

        docker/deploy up --realm prod --config /srv/config/prod.env --image registry.example/indexer
    """
    moment = _moment()
    plan = _release_plan(options, moment)
    swarm = Swarm()
    swarm.check()
    passed = _report(_checks(plan, options), options.skip)
    text = render(plan, command_line(options))
    print("".join(f"{line}\n" for line in differences(swarm, plan.name, text)), end="")
    if not passed:
        raise SwarmError("not deployed: see the checks above")
    if options.dry_run:
        return
    _build(plan, built=options.image != plan.image)
    if options.build_only:
        return
    if plan.realm.name == "prod":
        confirm(f"Deploy {plan.name}?", yes=options.yes)
    if not options.allow_dirty and not plan.realm.local:
        _git_tag(f"{moment}-{plan.name}")
    release(swarm, plan.name, StackRecord(moment, text), plan.folder)
    _wait(swarm, plan.name, options.wait)


@app.command()
@with_options
def rollback(options: RollbackOptions) -> None:
    """Return to the deployment before the present one: deploy its stack file again.

    That is a deployment too: a second rollback undoes the first. Docker refuses it if secrets of
    that deployment were removed from the swarm since then.

    Example:

        docker/deploy rollback --realm prod
    """
    swarm = Swarm()
    swarm.check()
    confirm(f"Return {options.name} to what was deployed before?", yes=options.yes)
    before = take_back(swarm, options.name, _moment())
    print(f"{options.name}: back to {before.tag}")
    _wait(swarm, options.name, options.wait)


@app.command()
@with_options
def status(options: StatusOptions) -> None:
    """Show the services of a stack; status 1 if one does not run as it should.

    Example:

        docker/deploy status --type queue-fetcher --realm prod
    """
    swarm = Swarm()
    swarm.check()
    services = swarm.services(options.name)
    for each in services:
        fields = {**each._asdict(), "settled": each.settled}
        print(line_of_json(fields) if options.json_ else _line(each))
    if not services:
        raise SwarmError(f"{options.name} is not deployed")
    raise typer.Exit(0 if all(each.settled for each in services) else 1)


@app.command()
@with_options
def logs(
    options: LogsOptions,
    service: Annotated[str, typer.Argument(metavar="SERVICE", help="parser, rabbitmq, …")],
) -> None:
    """Print the log of a service, of all its containers.

    Example:

        docker/deploy logs parser --realm prod --follow
    """
    arguments = ["--raw", "--tail", str(options.tail), *["--follow"] * options.follow]
    command = ["docker", "service", "logs", *arguments, f"{options.name}_{service}"]
    raise typer.Exit(subprocess.run(command, check=False).returncode)


@app.command()
@with_options
def remove(options: RemoveOptions) -> None:
    """Remove a stack: its services, networks and secrets. Its data stay, unless --volumes is given.

    Example:

        docker/deploy remove --type csv --realm staging
    """
    swarm = Swarm()
    swarm.check()
    data = ", with its data on this node" if options.volumes else "; its data stay"
    confirm(f"Remove {options.name}{data}?", yes=options.yes)
    gone = swarm.remove(options.name, volumes=options.volumes, stop=stop_on_signals())
    print(f"{options.name}: removed" if gone else f"{options.name}: containers are still ending")


def _moment() -> str:
    """The time in UTC, as part of the name of a deployment."""
    return datetime.now(UTC).strftime("%Y-%m-%d-%H-%M-%S")


def _release_plan(options: UpOptions, moment: str) -> StackPlan:
    plan = stack_plan(options)
    if plan.realm.name != "dev" and options.allow_dirty:
        raise ConfigurationError(f"--allow-dirty is not for {plan.realm.name}")
    image = options.image if _has_tag(options.image) else f"{options.image}:{moment}"
    return replace(plan, image=image, deployment=f"{PREFIX}{moment}-{plan.name}")


def _has_tag(image: str) -> bool:
    return ":" in image.rpartition("/")[2]


def _checks(plan: StackPlan, options: UpOptions) -> Iterable[Check]:
    yield from tree_checks(ROOT, allow_dirty=options.allow_dirty or plan.realm.local)
    yield from configuration_checks(plan)
    yield registry_check(options.image)
    yield from server_checks(plan)


def _report(checks: Iterable[Check], skipped: list[str]) -> bool:
    """Print the checks that have something to say; return whether all passed."""
    passed = True
    for check in checks:
        result = "ok" if not check.why else "skipped" if check.name in skipped else "FAILED"
        passed &= result != "FAILED"
        if text := check.why or check.note:
            print(f"{result}  {check.name}: {text}", file=sys.stderr)
    return passed


def _build(plan: StackPlan, *, built: bool) -> None:
    if not built:
        return
    command = ["docker", "build", "--file", "docker/Dockerfile", "--tag", plan.image, "."]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise SwarmError("the image was not built")
    if (
        registry_of(plan.image)
        and subprocess.run(["docker", "push", plan.image], check=False).returncode
    ):
        raise SwarmError(f"{plan.image} was not pushed: `docker login {registry_of(plan.image)}`?")


def _git_tag(tag: str) -> None:
    for command in (["git", "tag", tag], ["git", "push", "--quiet", "origin", tag]):
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            raise SwarmError(f"the commit was not tagged {tag}: nothing was deployed")


def _wait(swarm: Swarm, name: str, seconds: float) -> None:
    """Wait until all services run, and tell on standard error when one changes."""
    if not seconds:
        return
    known: dict[str, RunningService] = {}

    def tell(services: list[RunningService]) -> None:
        for each in services:
            if known.get(each.name) != each:
                known[each.name] = each
                print(_line(each), file=sys.stderr)

    if late := wait(swarm, name, seconds, stop_on_signals(), tell):
        lines = "; ".join(_line(each) for each in late)
        raise SwarmError(f"{name} does not run as it should: {lines}")
    print(f"{name}: all {len(known)} services run")


def _line(service: RunningService) -> str:
    running = "ended" if service.ended else f"{service.running} of {service.desired}"
    why = f": {service.why}" if service.why else ""
    return f"{service.name}  {running}  {service.image}{why}"


def main() -> None:
    """Be the program `docker/deploy`."""
    enter(app, "docker/deploy")


if __name__ == "__main__":
    main()
