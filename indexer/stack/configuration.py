"""The configuration of a stack: a file with a setting in each line, as programs read them.

    ELASTICSEARCH_HOSTS=https://search.example:9200
    BROKER_URL_FILE=secrets/broker_url

A secret is a file of its own, which NAME_FILE names, relative to the configuration. It becomes a
Docker secret; its content is never part of a stack file.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values

from indexer.errors import ConfigurationError
from indexer.http.urls.parts import has_user, without_credentials
from indexer.system.origins import FILE


@dataclass(frozen=True, slots=True)
class StackConfiguration:
    """The settings of a stack, and the files of its secrets by the names of their settings."""

    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, Path] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        """The names of all settings that have a value."""
        return {*self.settings, *self.secrets}


def read_configuration(path: Path) -> StackConfiguration:
    """Read a configuration. Raises ConfigurationError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}") from error
    return configuration_of(dict(_lines(path, text)), path.parent)


def configuration_of(variables: Mapping[str, str], folder: Path) -> StackConfiguration:
    """The configuration that variables are; the paths of secrets are relative to a folder."""
    secrets = {name for name in variables if name.endswith(FILE)}
    return StackConfiguration(
        {name: value for name, value in variables.items() if name not in secrets},
        {name.removesuffix(FILE): folder / variables[name] for name in secrets},
    )


def shown(value: str) -> str:
    """The value of a setting that may be secret, as it may be shown."""
    return without_credentials(value) if "://" in value else "(secret)"


def has_credentials(value: str) -> bool:
    """Whether a value has URLs, separated by blanks, with a user or a password."""
    return any(map(has_user, value.split()))


def version_of(name: str, path: Path) -> str:
    """A short text that changes with the content of a file; blank if there is no such file.

    It is made slowly, so that the version of a secret does not help to guess it.
    """
    try:
        content = path.read_bytes()
    except OSError:
        return ""
    return hashlib.scrypt(content, salt=name.encode(), n=2**14, r=8, p=1, dklen=4).hex()


def _lines(path: Path, text: str) -> Iterator[tuple[str, str]]:
    for name, value in dotenv_values(stream=StringIO(text), interpolate=False).items():
        if value is None:
            raise ConfigurationError(f"{path}: {name}: write NAME=VALUE")
        # A blank value means that the setting is not set (stories.md 7.5).
        if value:
            yield name, value
