"""`python pipeline.py compose`: the stack file of a flavor."""

from pathlib import Path

from indexer.commands.console.parameters import with_options
from indexer.commands.console.writing import written
from indexer.system.options import Options, option
from pipeline import DEFAULT


class StackOptions(Options):
    """What a stack is made of."""

    inputs: list[str] = option([], "Inputs of the queuers.", positional=True, metavar="INPUT")
    type: str = option(DEFAULT, "The flavor.", short="t", metavar="FLAVOR")
    realm: str = option("dev", "prod, staging or dev.", short="r")
    config: Path = option(
        Path("docker/dev.env"), "The settings: NAME=VALUE, or NAME_FILE=PATH for a secret."
    )
    sample: bool = option(False, "Add the sample newsroom, and read its feeds or lists.")
    image: str = option("story-indexer", "The image of our programs: NAME or NAME:TAG.")
    server_image: list[str] = option(
        [], "SERVER=IMAGE: the image of a server, in place of the usual one; repeatable."
    )


class ComposeOptions(StackOptions):
    """Options of `pipeline.py compose`."""

    output: Path | None = option(None, "The file to write; default: standard output.", short="o")


@with_options
def compose(options: ComposeOptions) -> None:
    """Write the stack file of a flavor: for `docker stack deploy`, and `docker compose`.

    Each program gets the settings that it reads, and no others. Save the file beside the settings:
    its paths are relative to them.

    Examples:

        story-indexer pipeline compose --sample --output docker/compose.yml

        story-indexer pipeline compose --type historical --realm prod --config docker/prod.env days/
    """
    from indexer.commands.stacks.stack_plans import command_line, stack_plan  # noqa: PLC0415
    from indexer.stack.compose import render  # noqa: PLC0415 - not for the help

    text = render(stack_plan(options), command_line(options))
    with written(options.output) as file:
        file.write(text)
