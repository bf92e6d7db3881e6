"""Options of programs and commands: a class of options, a line for each option.

    class BatchOptions(Options):
        batch_size: int = option(5000, "most messages in a batch", "BATCH_SIZE")

The command line has precedence over the environment, that over secret files, these over defaults.
No other module reads the environment. A blank variable counts as not set. The file that NAME_FILE
names also sets NAME, so that secrets need not be in the environment. `--help` shows variables and
defaults, never a value of the environment.

The variable of a list has its values separated by blanks. Quotes protect a value with blanks or
commas, as in a shell: ARCHIVE_URL="'/srv/my news' s3://bucket/news".
"""

import argparse
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import UnionType
from typing import Any, NoReturn, Self, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError
from pydantic.fields import Field, FieldInfo

from indexer.errors import ConfigurationError

# pydantic would look for its plugins in all installed packages: a third of the time in which a
# program reads its options. Nothing here has one.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "true")


def option(
    default: Any,
    help: str,
    *env: str,
    short: str = "",
    also: str = "",
    positional: bool = False,
    metavar: str = "",
) -> Any:
    """Define an option: its default, its help, and its variables, the first that is set counts.

    `short` is a one-letter form (`-W`); `also` is another name on a program's command line, which
    earlier versions had; a `positional` option takes the bare arguments; `metavar` stands for the
    value in the help.
    """
    form = {"short": short, "also": also, "positional": positional, "metavar": metavar}
    extra: Any = {"env": env, **form}
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
        self.also: str = found.get("also", "")
        self.env: Sequence[str] = found.get("env", ())
        self.positional: bool = found.get("positional", False)
        self.default = field.default
        self.constraints = field.metadata
        plain = _without_none(field.annotation)
        self.many = get_origin(plain) in (list, tuple, Sequence)
        self.kind = get_args(plain)[0] if self.many else plain
        self.metavar: str = found.get("metavar") or _METAVARS.get(self.kind, "TEXT")
        self.about = field.description or ""

    def help(self, *, default: bool = True) -> str:
        """Return what the option is for, its variables and, if asked for, its default."""
        separated = ", separated by blanks" * self.many
        notes = [f"env {', '.join(self.env)}{separated}"] if self.env else []
        is_secret = isinstance(self.default, SecretStr)
        if default and not is_secret and self.default not in (None, "", [], ()):
            notes.append(f"default {self.default}")
        return f"{self.about} [{'; '.join(notes)}]".replace("[]", "").strip()


_METAVARS = {int: "N", float: "NUMBER", Path: "PATH", SecretStr: "SECRET"}


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        return next(arg for arg in get_args(annotation) if arg is not type(None))
    return annotation


def is_on(value: object) -> bool:
    """Whether the value of a variable switches something on: all do but an explicit "no"."""
    return str(value).lower() not in ("", "0", "false", "no", "off")


_variables: ContextVar[Mapping[str, str]] = ContextVar("variables", default=os.environ)


@contextmanager
def reading(variables: Mapping[str, str]) -> Iterator[None]:
    """Read options meanwhile from these variables, and not from the environment of this process."""
    token = _variables.set(variables)
    try:
        yield
    finally:
        _variables.reset(token)


def _outside(option: Definition) -> str | list[str] | None:
    """Return the value of an option's variables or, after them, of the files that they name."""
    for read in (_variable_value, _file_value):
        for env in option.env:
            if value := read(env):
                return _listed(env, value) if option.many else value
    return None


def _variable_value(env: str) -> str:
    return _variables.get().get(env, "")


def _file_value(env: str) -> str:
    if not (name := _variables.get().get(f"{env}_FILE", "")):
        return ""
    try:
        return Path(name).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{env}_FILE: can't read {name}: {error}") from error


def _listed(env: str, text: str) -> list[str]:
    """Return the values of a list's variable. Raises ConfigurationError without the values."""
    # Commas outside of quotes are words of their own.
    lexer = shlex.shlex(text, posix=True, punctuation_chars=",")
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        values = list(lexer)
    except ValueError as error:
        raise ConfigurationError(f'{env}: a quote that does not end: write "it\'s"') from error
    if any(value and not value.strip(",") for value in values):
        raise ConfigurationError(
            f"{env}: separate the values by blanks, not commas; quote a value that has a comma"
        )
    return values


def variable(values: Iterable[str]) -> str:
    """Return the text of a list's variable."""
    return " ".join(shlex.quote(value) if "," not in value else _quoted(value) for value in values)


def _quoted(value: str) -> str:
    # A comma is harmless for a shell, so `shlex.quote` leaves it bare.
    return "'" + value.replace("'", "'\"'\"'") + "'"


class Options(BaseModel):
    """Options of a program, or a group of them that several programs have.

    A class has a group as a base class, or as a field, `fetch: FetchOptions = group(FetchOptions)`.
    The command line and the environment know no groups: all options are side by side.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        arbitrary_types_allowed=True,
        validate_default=True,
        # A program knows many groups of options, and a help needs no validator of any.
        defer_build=True,
    )

    def __init__(self, **given: Any) -> None:
        """Raises ValidationError, ConfigurationError."""
        groups = type(self)._groups()
        made: Any = {name: each.chosen(given) for name, each in groups.items() if name not in given}
        inner = {name for each in groups.values() for name in each.definitions()}
        own = type(self).model_fields
        made |= {name: given[name] for name in given if name in own or name not in inner}
        found = {name: _outside(Definition(name, own[name])) for name in own.keys() - made.keys()}
        super().__init__(**{k: v for k, v in found.items() if v is not None}, **made)
        for name, group in groups.items():
            # An option that the class defines anew replaces the group's.
            if anew := {each: getattr(self, each) for each in group.model_fields if each in own}:
                self.__dict__[name] = getattr(self, name).model_copy(update=anew)

    @classmethod
    def parse(cls, program: str, about: str, arguments: Sequence[str] | None = None) -> Self:
        """Parse a command line; print help or the error, and exit, as programs do."""
        return CommandLine(program, about, [cls], arguments).take(cls)

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Self:
        """Read the options from the environment that a program will be started with.

        Raises ConfigurationError.
        """
        try:
            with reading(variables):
                return cls()
        except ValidationError as error:
            raise ConfigurationError(": ".join(first_problem(error))) from error

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


class _Asked(Exception):
    """Ends a program that was only asked for its classes of options."""


_asked: ContextVar[list[type[Options]] | None] = ContextVar("asked", default=None)


def option_classes(main: Callable[[Sequence[str]], int]) -> Sequence[type[Options]]:
    """Return the classes of options of a program, those first whose values win; it is not run."""
    found: list[type[Options]] = []
    token = _asked.set(found)
    try:
        main([])
    except _Asked:
        return found
    finally:
        _asked.reset(token)
    raise TypeError("a program without a command line")


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
        if (asked := _asked.get()) is not None:
            asked += classes
            raise _Asked
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
    flags = [f"-{option.short}"] * bool(option.short) + [option.flag]
    flags += [f"--{option.also}"] * bool(option.also)
    parser.add_argument(*flags, dest=option.name, **settings)


def first_problem(error: ValidationError) -> tuple[str, str]:
    """Return the option that has a bad value, and why it is bad, without the value: it may be a
    secret."""
    detail = error.errors(include_input=False, include_url=False)[0]
    name = str(detail["loc"][0]).rstrip("_").replace("_", "-") if detail["loc"] else ""
    # Words of the library, that say nothing to the user.
    return f"--{name}" if name else "options", detail["msg"].removeprefix("Value error, ")


def environment() -> dict[str, str]:
    """Return a copy of the environment, for a program that is started."""
    return dict(os.environ)
