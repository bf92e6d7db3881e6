"""`story-indexer program`: start one program of a pipeline."""

from contextvars import copy_context
from importlib import import_module
from typing import Annotated

import typer

from indexer.commands.programs.catalog import flavors_of_steps, module, modules
from indexer.programs.destinations import flavors
from indexer.programs.program import called_as


def program(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Its name, or a step's; default: list the names."),
    ] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="OPTION", help="Its own options and inputs; see NAME --help."),
    ] = None,
) -> None:
    """Start one program. All that follows the name is for the program itself.

    Modules are imported from this installation, never from the current directory.

    Examples:

        story-indexer program

        story-indexer program parser --help

        story-indexer program rss-queuer https://site.example/feed.xml
    """
    if name is None:
        for each in modules():
            print(each)
        return
    main = import_module(module(name)).main
    # A context of its own: what is set ends with the program.
    context = copy_context()
    context.run(called_as.set, f"story-indexer program {name}")
    context.run(flavors.set, flavors_of_steps())
    raise typer.Exit(context.run(main, arguments or []))
