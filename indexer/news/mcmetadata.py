"""Loads single modules of `mcmetadata`, the extraction library that defines names and ids.

The library's `__init__` imports seven extractors, which takes half a second and 40 MB. So its
modules are loaded as parts of another package, without that `__init__`
(docs/decisions/0008-mcmetadata.md).
"""

import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from indexer.errors import ConfigurationError

_PACKAGE = "_mcmetadata"


def library(name: str) -> ModuleType:
    """A private copy of `mcmetadata.<name>`. Raises ConfigurationError if it is not installed."""
    if _PACKAGE not in sys.modules:
        package = ModuleType(_PACKAGE)
        package.__path__ = _spec().submodule_search_locations or []
        sys.modules[_PACKAGE] = package
    return importlib.import_module(f"{_PACKAGE}.{name}")


def data(name: str) -> str:
    """The text of a data file of `mcmetadata`. Raises ConfigurationError if it is not installed."""
    return (Path(str(_spec().origin)).parent / "data" / name).read_text(encoding="utf-8")


def _spec() -> ModuleSpec:
    found = importlib.util.find_spec("mcmetadata")
    if found is None:
        raise ConfigurationError("mcmetadata is missing: install with requirements.txt")
    return found
