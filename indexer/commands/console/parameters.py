"""The parameters of commands.

Options classes are the parameters of a command: an option is defined once, as for programs.

@app.command()
@with_options
def erase(urls_file: UrlsFile, options: EraseOptions) -> None:
"""

import inspect
from collections.abc import Callable, Mapping
from enum import Enum
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer
from annotated_types import Ge, Le
from pydantic import SecretStr, ValidationError

from indexer.commands.console.entering import quiet_pipe
from indexer.errors import ConfigurationError
from indexer.programs.settings import PermissionOptions
from indexer.system.options import Definition, Options, first_problem, option
from indexer.system.permissions import private_files, restrict
from indexer.system.this_process import collect_as_usual

O = TypeVar("O", bound=Options)  # noqa: E741 - O for options


def column_option() -> Any:
    """Make the option of commands that read tables: names of columns."""
    return option(
        [],
        'Name of a column that CSV files call otherwise, like url="Web Address"; repeatable.',
        metavar="COLUMN=NAME",
    )


class JSONOptions(Options):
    """Options of commands whose results other programs read, too."""

    json_: bool = option(False, "Print lines of JSON, for other programs.")


class ConfirmOptions(Options):
    """Options of commands that ask for confirmation."""

    yes: bool = option(False, "Do not ask for confirmation.")


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Make the options of a function's options classes the parameters of a typer command.

    Other parameters of the function stay what they are. A bad value is a usage error, status 2.
    """
    hints = get_type_hints(command, include_extras=True)
    kinds = {name: hint for name, hint in hints.items() if _is_options(hint)}
    options = {k: v for kind in kinds.values() for k, v in kind.definitions().items()}

    @wraps(command)
    def run(context: typer.Context, **values: Any) -> None:
        given = {name: values.pop(name) for name in options}
        # The environment counts only for options that the command line does not name.
        named = {
            name: value
            for name, value in given.items()
            if (source := context.get_parameter_source(name)) and source.name == "COMMANDLINE"
        }
        made = {name: _made(kind, named) for name, kind in kinds.items()}
        permissions = _made(PermissionOptions, {})
        collect_as_usual()
        with private_files(), quiet_pipe():
            restrict(permissions.data_umask)
            command(**values, **made)

    parameters = [Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in kinds:
            found = parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])
            parameters.append(found)
    parameters += [_parameter(each) for each in options.values()]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _is_options(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Options)


def _made(kind: type[O], given: Mapping[str, Any]) -> O:
    try:
        return kind.chosen(given)
    except ValidationError as error:
        flag, why = first_problem(error)
        if flag in {kind.definitions()[name].flag for name in given}:
            hint = f"'{flag}'"
            raise typer.BadParameter(why, param_hint=hint) from error
        raise ConfigurationError(f"{flag}: {why}") from error


def _parameter(option: Definition) -> Parameter:
    kind = option.kind if _is_known(option.kind) else str
    annotation = (list[kind] if option.many else kind) | None  # type: ignore[valid-type]
    default = (
        option.default.get_secret_value()
        if isinstance(option.default, SecretStr)
        else option.default
    )
    settings: dict[str, Any] = {"help": option.help(default=False), "show_default": bool(default)}
    for constraint in option.constraints:
        if isinstance(constraint, Ge):
            settings["min"] = constraint.ge
        elif isinstance(constraint, Le):
            settings["max"] = constraint.le
    if option.positional:
        shown = typer.Argument(metavar=option.metavar, **settings)
    else:
        if kind is not bool and not issubclass(kind, Enum):
            settings["metavar"] = option.metavar
        # A switch that is off by default needs no form that turns it off.
        flag = f"{option.flag}/--no-{option.flag[2:]}" if kind is bool and default else option.flag
        flags = [flag, f"-{option.short}"] if option.short else [flag]
        shown = typer.Option(*flags, **settings)
    return Parameter(
        option.name,
        Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[annotation, shown],
    )


def _is_known(kind: Any) -> bool:
    return kind in (bool, int, float, Path) or (isinstance(kind, type) and issubclass(kind, Enum))
