"""All programs, by the names that people type, and the settings that they read."""

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from pydantic import SecretStr

import workers
from indexer.blobstore.credentials import credential_variables, secret_credentials
from indexer.errors import ConfigurationError
from indexer.messages.pipelines import Pipeline
from indexer.system.options import Options, option_classes
from indexer.system.origins import variables
from pipeline import PIPELINES


@cache
def modules() -> Mapping[str, str]:
    """Return the modules of all programs, by their shortest names: `parser`, `feeds.api`."""
    found = [each.name for each in walk_packages(workers.__path__, "workers.") if not each.ispkg]
    last = [name.rpartition(".")[2] for name in found]
    return {
        (short if last.count(short) == 1 else name.removeprefix("workers.")).replace("_", "-"): name
        for name, short in zip(found, last, strict=True)
    }


def module(name: str) -> str:
    """Return the module of a program: of its name, of a step's, or of the module's.

    Raises ConfigurationError, with similar names, if there is none.
    """
    known = {**_steps(), **modules()}
    if name in known:
        return known[name]
    if name in known.values():
        return name
    near = get_close_matches(name, known)
    there_are = f"is it {' or '.join(near)}?" if near else f"there are {', '.join(sorted(known))}"
    raise ConfigurationError(f"no program {name}: {there_are}")


def _steps() -> dict[str, str]:
    return {step.name: each.program(step) for each in PIPELINES for step in each.steps}


def flavors_of_steps() -> Mapping[str, Sequence[str]]:
    """Return the names of the flavors that have a step, for all steps."""
    found: dict[str, list[str]] = {}
    for each in PIPELINES:
        for step in each.steps:
            found.setdefault(step.name, []).append(each.name)
    return found


def classes(module: str) -> Sequence[type[Options]]:
    """Return the classes of options of a program. It is imported, and not run."""
    return option_classes(import_module(module).main)


STORES = ("ARCHIVER", "CSV", "DAILY", "FEEDS", "FILESETS", "HIST", "QUEUER", "RSS")
"""The stores whose credentials are variables: ARCHIVER_S3_BUCKET, …"""


def check_names(given: Collection[str]) -> None:
    """Raise ConfigurationError, with a similar name, for a setting that no program reads."""
    # All programs are imported only for this.
    for name in sorted(set(given) - known_settings()) if given else ():
        near = get_close_matches(name.upper(), known_settings(), n=1)
        raise ConfigurationError(
            f"--set {name}: no program reads it{f', is it {near[0]}?' if near else ';'} "
            "`story-indexer settings` lists all. Set variables of libraries before the command: "
            "NAME=VALUE story-indexer …"
        )


@cache
def settings_read(module: str) -> set[str]:
    """Return the variables that a program reads."""
    return variables(classes(module))


@cache
def secret_settings() -> set[str]:
    """Return the variables whose values are secrets, or URLs that may contain one."""
    kinds = {kind for module in modules().values() for kind in classes(module)}
    options = (each for kind in kinds for each in kind.definitions().values())
    found = {env for each in options if isinstance(each.default, SecretStr) for env in each.env}
    return found.union(*map(secret_credentials, STORES))


@cache
def known_settings() -> set[str]:
    """Return the variables that any program reads."""
    found = map(settings_read, {*modules().values(), *_steps().values()})
    return set().union(*found, *map(credential_variables, STORES))


def check_values(pipeline: Pipeline, given: Mapping[str, str]) -> None:
    """Raise ConfigurationError if a program of a flavor would refuse its environment."""
    for step in pipeline.steps:
        try:
            check_options(pipeline.program(step), {**given, **step.settings})
        except ConfigurationError as error:
            raise ConfigurationError(f"{step.name}: {error}") from error


def check_options(module: str, given: Mapping[str, str]) -> None:
    """Raise ConfigurationError if a program would refuse an environment."""
    for kind in classes(module):
        kind.of(given)
