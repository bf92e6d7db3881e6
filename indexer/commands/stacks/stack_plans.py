"""The plan of a stack that options describe: for its stack file, its check and its deployment."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from indexer.blobstore.credentials import credential_variables
from indexer.commands.elastic.conf import ConfOptions
from indexer.commands.programs.catalog import known_settings, secret_settings, settings_read
from indexer.commands.queues.brokers import QueueOptions
from indexer.commands.running.topologies import BREADCRUMBS
from indexer.commands.stacks.composing import StackOptions
from indexer.errors import ConfigurationError
from indexer.messages.pipelines import Pipeline, Step
from indexer.programs.settings import INDEX_VARIABLES, AppOptions
from indexer.stack.configuration import StackConfiguration, read_configuration
from indexer.stack.plan import StackPlan, StackProgram
from indexer.stack.realms import realm
from indexer.system.origins import variables
from newsroom.site import Site, load_site
from pipeline import OPERATIONS, SERVICES, flavor

ROOT = Path(__file__).parents[3]
"""The checkout: the files of servers are here."""

SITE = ["newsroom", "80", "0.0.0.0"]  # noqa: S104 - the addresses of its container
"""The command that serves the sample newsroom: its URLs have no port."""

TABLES = (".csv", ".txt")
"""The endings of its lists that are no feeds."""


def stack_plan(options: StackOptions, configuration: StackConfiguration | None = None) -> StackPlan:
    """The plan that options describe, by default with the configuration of their file.

    Raises ConfigurationError.
    """
    pipeline = flavor(options.type)
    configuration = configuration or read_configuration(options.config)
    site = load_site() if options.sample else None
    return StackPlan(
        pipeline,
        realm(options.realm),
        configuration,
        services=SERVICES,
        reads=settings_read,
        credentials=credential_variables,
        known=known_settings() | variables([ConfOptions]),
        secret=secret_settings(),
        image=options.image,
        others=_others(pipeline, configuration),
        operations=OPERATIONS,
        setup=_setup(pipeline, configuration),
        inputs=[*options.inputs, *_sample(site, pipeline)],
        site=SITE if site else [],
        hosts=site.names if site else [],
        images=_images(options.server_image),
        folder=options.config.parent,
        root=ROOT,
    )


def _sample(site: Site | None, pipeline: Pipeline) -> list[str]:
    """The site's inputs of the kind that a flavor reads."""
    tables = any("csv" in step.reads for step in pipeline.steps)
    return [url for url in site.inputs if url.endswith(TABLES) == tables] if site else []


def _setup(pipeline: Pipeline, configuration: StackConfiguration) -> list[StackProgram]:
    """The commands that prepare the broker and the index."""
    configure = ["pipeline", "configure-and-loop", "--type", pipeline.name]
    commands = [StackProgram("configure", configure, variables([QueueOptions, AppOptions]))]
    if configuration.names.intersection(INDEX_VARIABLES) and _indexes(pipeline.steps):
        reads = variables([ConfOptions])
        commands.append(
            StackProgram("index-setup", ["elastic-conf", "configure"], reads, ends=True)
        )
    return commands


def _indexes(steps: Sequence[Step]) -> bool:
    return any(set(INDEX_VARIABLES).intersection(step.uses) for step in steps)


def _others(pipeline: Pipeline, configuration: StackConfiguration) -> list[Pipeline]:
    """The flavor that counts the outcomes of the steps, if they report them."""
    counts = BREADCRUMBS in configuration.settings and pipeline.name != "pipeview"
    return [flavor("pipeview")] if counts else []


def _images(given: Sequence[str]) -> Mapping[str, str]:
    pairs = [each.partition("=") for each in given]
    if bad := [name for name, _, image in pairs if not image]:
        raise ConfigurationError(f"--server-image {bad[0]}: write SERVER=IMAGE")
    return {name: image for name, _, image in pairs}


def command_line(options: StackOptions) -> str:
    """The command that makes the stack file again."""
    named = ["--type", options.type, "--realm", options.realm, "--config", str(options.config)]
    sample = ["--sample"] * options.sample
    return shlex.join(["python", "pipeline.py", "compose", *named, *sample, *options.inputs])
