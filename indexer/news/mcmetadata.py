"""Modules of `mcmetadata`, the extraction library that is the contract for names and ids.

Its `__init__` imports seven extractors: half a second and 40 MB that most programs have no use
for. So its modules are imported from a package without that `__init__`.
"""

import importlib
import importlib.util
import sys
from types import ModuleType

from indexer.errors import ConfigurationError

_PACKAGE = "_mcmetadata"


def library(name: str) -> ModuleType:
    """The module `mcmetadata.<name>`, by itself. Raises ConfigurationError if it is missing."""
    if _PACKAGE not in sys.modules:
        spec = importlib.util.find_spec("mcmetadata")
        if spec is None:
            raise ConfigurationError("mcmetadata is missing: install with requirements.txt")
        package = ModuleType(_PACKAGE)
        package.__path__ = spec.submodule_search_locations or []
        sys.modules[_PACKAGE] = package
    return importlib.import_module(f"{_PACKAGE}.{name}")
