"""`story-indexer config`: the configuration of a stack, checked."""

from pathlib import Path
from typing import Annotated

import typer

from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.system.options import option
from pipeline import DEFAULT

app = new_app(
    """Check a configuration before programs are started, or a stack is deployed.

    Example:

        story-indexer config check docker/dev.env
    """
)


class CheckConfigOptions(JSONOptions):
    """Options of `config check`."""

    type: str = option(DEFAULT, "The flavor.", short="t", metavar="FLAVOR")
    realm: str = option("dev", "prod, staging or dev.", short="r")
    servers: bool = option(False, "Also ask the broker and the index outside of the stack.")


@app.command()
@with_options
def check(
    options: CheckConfigOptions,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="A file of NAME=VALUE lines; default: the environment."
        ),
    ] = None,
) -> None:
    """Check that a configuration is complete; list its settings, and the programs that read each.

    Secrets are not shown. Status 1 if something is missing or wrong.

    Examples:

        story-indexer config check /srv/config/prod.env --realm prod --servers

        BROKER_URL=amqp://rabbit/ story-indexer config check --type csv
    """
    from indexer.commands.stacks import configurations  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if configurations.is_complete(options, file) else 1)
