"""Options of programs and commands: a class of options, a line for each option.

    class ArchiverOptions(Options):
        batch_size: int = option(5000, "stories in an archive", "ARCHIVER_BATCH_SIZE")

The command line has precedence over the environment, that over secret files, these over defaults.
No other module reads the environment. A blank variable counts as not set. The file that NAME_FILE
names also sets NAME, so that secrets need not be in the environment. `--help` shows variables and
defaults, never a value of the environment.
"""

import argparse
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from types import UnionType
from typing import Any, NoReturn, Self, TypeVar, Union, get_args, get_origin

from pydantic import SecretStr, ValidationError
from pydantic.fields import Field, FieldInfo
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from indexer.errors import ConfigurationError


def option(
    default: Any,
    help: str,
    *env: str,
    short: str = "",
    positional: bool = False,
    metavar: str = "",
) -> Any:
    """Define an option: its default, its help, and its variables, the first that is set counts.

    `short` is a one-letter form (`-W`); a `positional` option takes the bare arguments; `metavar`
    stands for the value in the help.
    """
    extra: Any = {"env": env, "short": short, "positional": positional, "metavar": metavar}
    return Field(default, description=help, json_schema_extra={"option": extra})


def group(kind: "type[Options]") -> Any:
    """Define a field that holds a group of options."""
    return Field(default_factory=kind)


class Definition:
    """The form of an option on a command line, and its help."""

    def __init__(self, name: str, field: FieldInfo) -> None:
        extra = field.json_schema_extra
        found: Any = extra.get("option", {}) if isinstance(extra, dict) else {}
        self.name = name
        self.flag = f"--{name.rstrip('_').replace('_', '-')}"
        self.short: str = found.get("short", "")
        self.env: Sequence[str] = found.get("env", ())
        self.positional: bool = found.get("positional", False)
        self.default = field.default
        self.constraints = field.metadata
        plain = _without_none(field.annotation)
        self.many = get_origin(plain) in (list, tuple, Sequence)
        self.kind = get_args(plain)[0] if self.many else plain
        self.metavar: str = found.get("metavar") or _METAVARS.get(self.kind, "TEXT")
        self._about = field.description or ""

    def help(self, *, default: bool = True) -> str:
        """Return what the option is for, its variables and, if asked for, its default."""
        notes = [f"env {', '.join(self.env)}"] if self.env else []
        is_secret = isinstance(self.default, SecretStr)
        if default and not is_secret and self.default not in (None, "", [], ()):
            notes.append(f"default {self.default}")
        return f"{self._about} [{'; '.join(notes)}]".replace("[]", "").strip()


_METAVARS = {int: "N", float: "NUMBER", Path: "PATH", SecretStr: "SECRET"}


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        return next(arg for arg in get_args(annotation) if arg is not type(None))
    return annotation


class _Environment(PydanticBaseSettingsSource):
    """A source of values for pydantic: variables or, if `files` is set, the files they name."""

    def __init__(self, settings: type[BaseSettings], *, files: bool = False) -> None:
        super().__init__(settings)
        self._read = _file_value if files else _variable_value

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        definition = Definition(field_name, field)
        for env in definition.env:
            if value := self._read(env):
                # A list is written as words, as on a command line.
                return value.split() if definition.many else value, field_name, False
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        fields = self.settings_cls.model_fields.items()
        values = {name: self.get_field_value(field, name)[0] for name, field in fields}
        return {name: value for name, value in values.items() if value is not None}


_variables: ContextVar[Mapping[str, str]] = ContextVar("variables", default=os.environ)


def _variable_value(env: str) -> str:
    return _variables.get().get(env, "")


def _file_value(env: str) -> str:
    if not (name := _variables.get().get(f"{env}_FILE", "")):
        return ""
    try:
        return Path(name).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{env}_FILE: can't read {name}: {error}") from error


class Options(BaseSettings):
    """Options of a program, or a group of them that several programs have.

    A class has a group as a base class, or as a field, `fetch: FetchOptions = group(FetchOptions)`.
    The command line and the environment know no groups: all options are side by side.
    """

    model_config = SettingsConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    def __init__(self, **given: Any) -> None:
        """Raises ValidationError, ConfigurationError."""
        groups = type(self)._groups()
        made: Any = {name: each.chosen(given) for name, each in groups.items() if name not in given}
        inner = {name for each in groups.values() for name in each.definitions()}
        own = type(self).model_fields.keys()
        super().__init__(
            **{name: given[name] for name in given if name in own or name not in inner}, **made
        )
        for name, group in groups.items():
            # An option that the class defines anew replaces the group's.
            if anew := {each: getattr(self, each) for each in group.model_fields if each in own}:
                self.__dict__[name] = getattr(self, name).model_copy(update=anew)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic's signature
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (
            init_settings,
            _Environment(settings_cls),
            _Environment(settings_cls, files=True),
        )

    @classmethod
    def parse(cls, program: str, about: str, arguments: Sequence[str] | None = None) -> Self:
        """Parse a command line; print help or the error, and exit, as programs do."""
        return CommandLine(program, about, [cls], arguments).take(cls)

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Self:
        """Read the options from the environment that a program will be started with.

        Raises ConfigurationError.
        """
        token = _variables.set(variables)
        try:
            return cls()
        except ValidationError as error:
            raise ConfigurationError(": ".join(first_problem(error))) from error
        finally:
            _variables.reset(token)

    @classmethod
    def chosen(cls, values: Mapping[str, Any]) -> Self:
        """Make the options from the values that have their names; other values are ignored."""
        return cls(**{name: values[name] for name in cls.definitions() if name in values})

    @classmethod
    def definitions(cls) -> dict[str, Definition]:
        """Return the definition of each option by its name, those of groups included."""
        groups = cls._groups()
        own = cls.model_fields.items()
        inner = {k: v for each in groups.values() for k, v in each.definitions().items()}
        found = inner | {name: Definition(name, field) for name, field in own if name not in groups}
        # In the help, the options of the class itself come before those of its bases.
        return dict(sorted(found.items(), key=lambda each: each[0] not in cls.__annotations__))

    @classmethod
    def _groups(cls) -> dict[str, type["Options"]]:
        kinds = {name: field.annotation for name, field in cls.model_fields.items()}
        return {
            name: kind
            for name, kind in kinds.items()
            if isinstance(kind, type) and issubclass(kind, Options)
        }

    def values(self) -> dict[str, Any]:
        """Return the value of each option, those of groups included."""
        groups = self._groups()
        found = {k: v for name in groups for k, v in getattr(self, name).values().items()}
        return found | {k: v for k, v in self if k not in groups}

    def implied(self) -> dict[str, Any]:
        """Return values that these options force on classes taken later from a command line."""
        return {}


O = TypeVar("O", bound=Options)  # noqa: E741 - O for options


class CommandLine:
    """A command line that several classes of options share: the program's own, and its loop's.

    A class taken later gets the values of those taken before, for options that both have. So the
    program's class, taken first, can change the default or the variables of an option of its loop.
    """

    def __init__(
        self,
        program: str,
        about: str,
        classes: Sequence[type[Options]],
        arguments: Sequence[str] | None = None,
    ) -> None:
        """Parse; print help or the error, and exit, as programs do."""
        found: dict[str, Definition] = {}
        for each in classes:
            found = each.definitions() | found
        self._parser = _parser(program, about, found.values())
        self._known = vars(self._parser.parse_args(arguments))

    def take(self, kind: type[O]) -> O:
        """Return the options of one class; exit with the error where a value is bad."""
        try:
            taken = kind.chosen(self._known)
        except ValidationError as error:
            self._parser.error(": ".join(first_problem(error)))
        except ConfigurationError as error:
            self._parser.error(str(error))
        # Options that a later class has, too, then need not be read again from the environment.
        self._known |= taken.values() | taken.implied()
        return taken


def _parser(program: str, about: str, definitions: Iterable[Definition]) -> "_Parser":
    parser = _Parser(
        program, description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for each in definitions:
        _add(parser, each)
    return parser


class _Parser(argparse.ArgumentParser):
    """Names wrong options without their values: a value may be a secret."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse all arguments, or exit with an error."""
        given, unknown = self.parse_known_args(args, namespace)
        if unknown:
            # The values of misspelt options are among the unknown words, too.
            names = [_option_name(word) for word in unknown if word.startswith("-")]
            self.error(f"no such option: {' '.join(names)}" if names else "too many arguments")
        return given

    def error(self, message: str) -> NoReturn:
        """Print the error, and exit with status 2."""
        super().error(_VALUE.sub(r"\1\2", message))


_VALUE = re.compile(
    r"(ambiguous option: [^=]*)=.*(?= could match )|(ignored explicit argument).*", re.DOTALL
)
"""Messages of `argparse` that quote the value of `--option=value`."""


def _option_name(word: str) -> str:
    """Return `--name` of `--name=value`, `-n` of `-nvalue`."""
    return word.partition("=")[0] if word.startswith("--") else word[:2]


def _add(parser: argparse.ArgumentParser, option: Definition) -> None:
    settings: dict[str, Any] = {
        "help": option.help().replace("%", "%%"),
        "default": argparse.SUPPRESS,
    }
    if option.positional:
        metavar = option.name.rstrip("s").upper()
        parser.add_argument(option.name, nargs="*", metavar=metavar, **settings)
        return
    if option.kind is bool:
        settings["action"] = argparse.BooleanOptionalAction
    else:
        settings |= {"action": "append" if option.many else "store", "metavar": option.metavar}
    flags = [f"-{option.short}"] if option.short else []
    parser.add_argument(*flags, option.flag, dest=option.name, **settings)


def first_problem(error: ValidationError) -> tuple[str, str]:
    """Return the option that has a bad value, and why it is bad, without the value: it may be a
    secret."""
    detail = error.errors(include_input=False, include_url=False)[0]
    name = str(detail["loc"][0]).rstrip("_").replace("_", "-") if detail["loc"] else ""
    return f"--{name}" if name else "options", detail["msg"]


def environment() -> dict[str, str]:
    """Return a copy of the environment, for a program that is started."""
    return dict(os.environ)
