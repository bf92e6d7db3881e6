"""The programs of a stack: the steps of its flavors, and the programs beside them."""

from collections.abc import Iterator

from indexer.errors import ConfigurationError
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.service import Service
from indexer.stack.plan import StackPlan, StackProgram


def programs(plan: StackPlan) -> Iterator[StackProgram]:
    """All programs of a stack, in the order of the flow. Raises ConfigurationError."""
    yield from plan.setup
    unfed = _unfed(plan)
    for pipeline in (plan.pipeline, *plan.others):
        for step in (*pipeline.steps, *pipeline.beside):
            if step.name not in unfed and step.is_used(plan.configuration.settings):
                yield _program(plan, pipeline, step)
    for step in plan.operations:
        if plan.configuration.names.intersection(step.uses):
            yield _program(plan, plan.pipeline, step)


def _program(plan: StackPlan, pipeline: Pipeline, step: Step) -> StackProgram:
    service, module = plan.services.get(step.name, Service()), pipeline.program(step)
    feeding = step in pipeline.producers and bool(service.every)
    prod = pipeline.prod if plan.realm.name == "prod" else {}
    # `docker compose` knows no delay: it would start a program that has ended again at once.
    once = not plan.realm.watches if feeding else bool(service.every) and plan.realm.local
    return StackProgram(
        step.name,
        ["program", module, *service.arguments, *(_fed_with(plan, step, service.every) * feeding)],
        {*plan.reads(module)}.union(*map(plan.credentials, service.stores)),
        pipeline.environment,
        {**step.settings, "PROCESS_NAME": step.name},
        service,
        prod.get(step.name, service.replicas),
        ends=once,
        again=5 if feeding else service.every or 5,
    )


def _fed_with(plan: StackPlan, step: Step, every: int) -> list[str]:
    """The arguments of a producer: how often it looks, how many messages it queues, its inputs."""
    sample = (
        ["--force", "--sample-size", str(plan.realm.sample)]
        if plan.realm.sample and not plan.hosts
        else []
    )
    how = ["--watch", str(every)] if plan.realm.watches else sample
    return [*how, *([] if step.server else plan.inputs)]


def _unfed(plan: StackPlan) -> set[str]:
    """The producers that have nothing to read. Raises ConfigurationError if no producer has."""
    producers = plan.pipeline.producers
    servers = {step.server for step in producers if step.server}
    pulled = servers & plan.configuration.names if not plan.inputs else set()
    fed = [step for step in producers if _is_fed(plan, step, pulled)]
    if producers and not fed:
        setting = f", or configure {' or '.join(sorted(servers))}" if servers else ""
        raise ConfigurationError(f"{plan.pipeline.name} has nothing to read: name inputs{setting}")
    return {step.name for step in producers} - {step.name for step in fed}


def _is_fed(plan: StackPlan, step: Step, pulled: set[str]) -> bool:
    if step.server:
        return step.server in pulled
    takes_inputs = step.name in plan.services and plan.services[step.name].every > 0
    return bool(plan.inputs) or not takes_inputs
