"""The project's own source files, as the tests of its architecture read them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from tests.paths import ROOT

FOLDERS = ("indexer", "workers", "newsroom", "benchmarks", "scripts", "tests")


@dataclass(frozen=True)
class Source:
    """One Python file of the project."""

    path: Path

    @property
    def name(self) -> str:
        """Its dotted name."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @cached_property
    def text(self) -> str:
        """What is in it."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax."""
        return ast.parse(self.text, str(self.path))

    @cached_property
    def imports(self) -> frozenset[str]:
        """The dotted names that it imports anywhere in it: modules, and names taken from them."""
        return frozenset(name for node in ast.walk(self.tree) for name in self._imported(node))

    def uses(self, package: str) -> bool:
        """Whether it imports a package, or anything in it."""
        return package in self._packages

    @cached_property
    def _packages(self) -> frozenset[str]:
        """The dotted names that it imports, and all packages that these are in."""
        parts = (name.split(".") for name in self.imports)
        return frozenset(".".join(each[:end]) for each in parts for end in range(1, len(each) + 1))

    def _imported(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = self._absolute(node.module or "", node.level)
            yield from (f"{module}.{alias.name}" for alias in node.names)

    def _absolute(self, module: str, level: int) -> str:
        if not level:
            return module
        package = list(self.path.relative_to(ROOT).parts[:-1])
        return ".".join([*package[: len(package) - level + 1], *filter(None, [module])])


@cache
def sources() -> tuple[Source, ...]:
    """Every Python file of the project."""
    folders = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return tuple(Source(path) for path in sorted([*ROOT.glob("*.py"), *folders]))
