"""meta.yaml: recipes of conda, whose Jinja is replaced as far as the file explains it."""

import re

from indexer.software.readings.requirements import requirements
from indexer.software.rules.key_rule import KeyRule
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.syntax.encoding import text_of
from indexer.software.syntax.limits import bounded_size
from indexer.software.syntax.tree import Tree
from indexer.software.syntax.yaml_file import read_yaml_text

_SET = re.compile(r"^[ \t]*\{%-?[ \t]*set[ \t]+(\w+)[ \t]*=[ \t]*(['\"])(.{0,500}?)\2", re.M)
_TAG = re.compile(r"\{%[^\n]*?%\}|\{#[^\n]*?#\}")
_EXPRESSION = re.compile(r"\{\{[ \t]*([^{}\n]*?)[ \t]*\}\}")
_VARIABLE = re.compile(r"(\w+)(?:[ \t]*\|[ \t]*(lower|upper|trim))?")
_SELECTOR = re.compile(r"[ \t]+#[ \t]*\[[^\]\n]*\][ \t]*$", re.M)

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Characters of private use that stand for braces, which mean something else in YAML."""

_FILTERS = {"lower": str.lower, "upper": str.upper}


def read_recipe(content: bytes) -> Tree:
    """Return the tree of a recipe; what its Jinja leaves open stays in braces.

    Raises UnreadableManifest.
    """
    text = _SELECTOR.sub("", text_of(bounded_size(content)))
    known = {match[1]: match[3] for match in _SET.finditer(text)}

    def replaced(match: re.Match[str]) -> str:
        variable = _VARIABLE.fullmatch(match[1])
        if variable and variable[1] in known:
            return _FILTERS.get(variable[2], str)(known[variable[1]])
        return f"{_OPEN}{match[1]}{_CLOSE}"

    return _restored(read_yaml_text(_EXPRESSION.sub(replaced, _TAG.sub("", text))))


def _restored(tree: Tree) -> Tree:
    if isinstance(tree, dict):
        return {key: _restored(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_restored(item) for item in tree]
    if isinstance(tree, str) and _OPEN in tree:
        return tree.replace(_OPEN, "{{ ").replace(_CLOSE, " }}")
    return tree


CONDA = ManifestFormat(
    "conda",
    "CondaMapping",
    ("meta.yaml", "meta.yml"),
    read_recipe,
    rules=(
        KeyRule("package/name", "name"),
        KeyRule("package/version", "version"),
        KeyRule("about/summary", "description"),
        KeyRule("about/description", "description"),
        KeyRule("about/home", "url"),
        KeyRule("about/license", "license"),
        KeyRule("about/dev_url", "codeRepository"),
        KeyRule("about/doc_url", "relatedLink"),
        KeyRule("about/keywords", "keywords"),
        KeyRule("source/url", "downloadUrl"),
        KeyRule("source/git_url", "codeRepository"),
        KeyRule("requirements/run", "softwareRequirements", requirements("conda")),
        KeyRule("requirements/host", "softwareSuggestions", requirements("conda")),
        KeyRule("requirements/build", "softwareSuggestions", requirements("conda")),
        KeyRule("test/requires", "softwareSuggestions", requirements("conda")),
        KeyRule("extra/recipe-maintainers", "maintainer"),
    ),
)
