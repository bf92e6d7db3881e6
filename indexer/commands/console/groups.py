"""Groups of commands, whose modules are imported when one of their commands is run."""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, NamedTuple

import typer.main
from typer.core import TyperCommand, TyperGroup

SETTINGS: Mapping[str, Any] = {"help_option_names": ["-h", "--help"]}


class Later(NamedTuple):
    """A command that is not imported yet: `place` is "module:name" of its function or its app.

    `about` is the first sentence of its help, for the help of the group.
    """

    place: str
    about: str
    settings: Mapping[str, Any] = SETTINGS


def new_app(
    help: str, cls: type[TyperGroup] | None = None, *, completion: bool = False
) -> typer.Typer:
    """Make a group of commands, as all programs of this project have it.

    `completion` adds the options that install the completion of its commands in a shell.
    """
    app = typer.Typer(
        help=help,
        cls=cls,
        no_args_is_help=cls is None or issubclass(cls, LazyGroup),
        add_completion=completion,
        rich_markup_mode="markdown",
        context_settings=dict(SETTINGS),
        # Its tracebacks would show local variables, URLs with passwords among them.
        pretty_exceptions_enable=False,
    )
    if cls:
        # Without it, typer would find no commands in a group that imports them later.
        app.callback()(_start)
    return app


def _start() -> None:
    pass


class LazyGroup(TyperGroup):
    """A group that shows its help, and finds a command, without importing the others."""

    later: Mapping[str, Later] = {}

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = _Loading(self.later)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - typer's signature
        """Return the names in the order of the table."""
        return [*self.later]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - typer's signature
        """Return a stand-in for the help of the group, and for completion."""
        if found := self.later.get(cmd_name):
            return TyperCommand(cmd_name, help=found.about, rich_markup_mode="markdown")
        return None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name, imported."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and self.commands[str(name)], rest


class _Loading(MutableMapping[str, Any]):
    """The commands of a group by name; each is imported when it is taken."""

    def __init__(self, later: Mapping[str, Later]) -> None:
        self._later = later
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = _load(name, self._later[name])
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._later)

    def __len__(self) -> int:
        return len(self._later)


def _load(name: str, later: Later) -> Any:
    module, _, attribute = later.place.partition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, typer.Typer):
        command: Any = typer.main.get_group(found)
    else:
        app = new_app("")
        app.command(name, context_settings={**later.settings})(found)
        command = typer.main.get_command(app)
    command.name = name
    return command
