"""Metadata of Python: PKG-INFO, METADATA, pyproject.toml and setup.cfg."""

from collections.abc import Iterator
from dataclasses import replace

from indexer.software.readings.classifiers import CLASSIFIER_TERMS, classified
from indexer.software.readings.labelled_links import ALL_TERMS, term_of
from indexer.software.readings.links import literal
from indexer.software.readings.people import people
from indexer.software.readings.repositories import is_at_forge
from indexer.software.readings.requirements import requirements
from indexer.software.readings.texts import texts
from indexer.software.rules.key_rule import KeyRule, find
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.headers import BODY, read_python_headers
from indexer.software.syntax.ini_file import read_ini
from indexer.software.syntax.toml_file import read_toml
from indexer.software.syntax.tree import Tree, below
from indexer.software.translation.term_readers import reader_of


def _people_of(names: str, addresses: str, term: str) -> SpecialRule:
    """The rule of persons whose names and e-mail addresses are under two keys."""

    def read(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
        name, address = _first(tree, names), _first(tree, addresses)
        if not (name or address):
            return
        given = _together(name, address)
        place = "/" + (names if name else addresses)
        rule = f"{names}, {addresses} → {term}"
        for value, where in people(given, place, diagnostics):
            yield Property(term, value, where, rule)

    roots = tuple(key.partition("/")[0] for key in (names, addresses))
    return SpecialRule(read, (term,), roots)


def _together(name: str, address: str) -> Tree:
    """Names and addresses: pairs if there are equally many, else the addresses tell the names."""
    if not (name and address):
        return name or address
    # `Author-email: Jane Roe <jane@example.org>` says both, as tools for pyproject.toml write it.
    if "<" in address:
        return address if name.lower() in address.lower() else [name, address]
    if "<" in name:
        return name
    all_names = [each.strip() for each in name.split(",")]
    all_addresses = [each.strip() for each in address.split(",")]
    if len(all_names) == len(all_addresses):
        pairs = zip(all_names, all_addresses, strict=True)
        return [{"name": each, "email": mail} for each, mail in pairs]
    if len(all_addresses) == 1:
        first, *others = all_names
        return [{"name": first, "email": address}, *others]
    return [*all_names, *all_addresses]


def _first(tree: Tree, key: str) -> str:
    found = next((value for value, _ in find(tree, tuple(key.split("/")))), "")
    return " ".join(found.split()) if isinstance(found, str) else ""


def _links_of(key: str, separator: str) -> SpecialRule:
    """The rule of links with labels: an object, or lines of a label, a sign and a URL.

    If no link is labelled as the repository, a homepage at a forge is: many have nothing else.
    """

    def read(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
        homes: list[Property] = []
        is_stated = False
        for found, place in find(tree, tuple(key.split("/"))):
            for label, url, where in _labelled(found, separator, place):
                term = term_of(label)
                for value, there in reader_of(term)(url, where, diagnostics):
                    yield Property(term, value, there, f"{key} ({label}) → {term}")
                    is_stated |= term == "codeRepository"
                    if term == "url" and isinstance(value, str) and is_at_forge(value):
                        rule = f"{key} ({label}) → codeRepository"
                        homes.append(Property("codeRepository", value, there, rule))
        if not is_stated:
            yield from homes[:1]

    return SpecialRule(read, ALL_TERMS, (key.partition("/")[0],))


def _labelled(found: Tree, separator: str, place: str) -> Iterator[tuple[str, Tree, str]]:
    if isinstance(found, dict):
        yield from ((label, url, below(place, label)) for label, url in found.items())
        return
    lines = found if isinstance(found, list) else [found]
    for text in (line for each in lines if isinstance(each, str) for line in each.splitlines()):
        label, sign, url = text.partition(separator)
        if sign and url.strip():
            yield label.strip(), url.strip(), place


def python_version(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield the versions of Python that a constraint such as `>=3.8` allows."""
    for text, where in texts(value, place, diagnostics):
        yield f"Python {text}", where


def readme_file(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield the name of the file that is the readme, as a literal."""
    name = value.get("file") if isinstance(value, dict) else value
    for text, where in texts(name, place, diagnostics):
        yield literal(str(text)), where


def _without_unknown(tree: Tree, _diagnostics: Diagnostics) -> Tree:
    """The headers without `UNKNOWN`, which old tools wrote for what was not given."""
    if not isinstance(tree, dict):
        return tree
    known = {key: _known_values(value) for key, value in tree.items()}
    return {key: value for key, value in known.items() if value not in (None, [])}


def _known_values(value: Tree) -> Tree:
    if isinstance(value, list):
        return [each for each in value if each != "UNKNOWN"]
    return None if value == "UNKNOWN" else value


def _dynamic_values_left_out(tree: Tree, diagnostics: Diagnostics) -> Tree:
    """The sections, `-` in keys as `_`, without values that are read from code or files."""
    if not isinstance(tree, dict):
        return tree
    found: dict[str, Tree] = {}
    for section, values in tree.items():
        found[section] = kept = {}
        for key, value in values.items() if isinstance(values, dict) else ():
            if isinstance(value, str) and value.startswith(("attr:", "file:")):
                diagnostics.add(below(below("", section), key), "the value is elsewhere", value)
            else:
                kept[key.replace("-", "_")] = value
    return found


_HEADERS = (
    KeyRule(BODY, "description"),
    KeyRule("classifier", "programmingLanguage", classified("programmingLanguage")),
    *(
        KeyRule("classifier", term, classified(term))
        for term in CLASSIFIER_TERMS
        if term != "programmingLanguage"
    ),
    KeyRule("license-expression", "license"),
    KeyRule("requires-python", "runtimePlatform", python_version),
    KeyRule("requires-dist", "softwareRequirements", requirements("pypi")),
    KeyRule("requires-dist", "softwareSuggestions", requirements("pypi", is_optional=True)),
    KeyRule("requires", "softwareRequirements", requirements("pypi")),
    KeyRule("platform", "runtimePlatform"),
)

_HEADER_RULES = (
    _people_of("author", "author-email", "author"),
    _people_of("maintainer", "maintainer-email", "maintainer"),
    _links_of("project-url", ","),
)

PKG_INFO = ManifestFormat(
    "pkg-info",
    "PythonPkginfoMapping",
    ("PKG-INFO",),
    read_python_headers,
    column="Python PKG-INFO",
    rules=_HEADERS,
    specials=_HEADER_RULES,
    without=frozenset({"author"}),
    prepare=_without_unknown,
    lower_case=True,
    rank=4,
)

METADATA = replace(
    PKG_INFO, name="python-metadata", class_name="PythonMetadataMapping", files=("METADATA",)
)

_POETRY = "tool/poetry/"

PYPROJECT = ManifestFormat(
    "pyproject",
    "PyprojectMapping",
    ("pyproject.toml",),
    read_toml,
    rules=(
        *(
            KeyRule(start + key, term)
            for start in ("project/", _POETRY)
            for key, term in {
                **{"name": "name", "version": "version", "description": "description"},
                **{"license": "license", "keywords": "keywords"},
            }.items()
        ),
        *(
            KeyRule(f"{start}{key}", term, people)
            for start in ("project/", _POETRY)
            for key, term in (("authors", "author"), ("maintainers", "maintainer"))
        ),
        *(
            KeyRule(f"{start}classifiers", term, classified(term))
            for start in ("project/", _POETRY)
            for term in CLASSIFIER_TERMS
        ),
        KeyRule("project/readme", "readme", readme_file),
        KeyRule("project/requires-python", "runtimePlatform", python_version),
        KeyRule("project/dependencies", "softwareRequirements", requirements("pypi")),
        KeyRule("project/optional-dependencies/*", "softwareSuggestions", requirements("pypi")),
        KeyRule("dependency-groups/*", "softwareSuggestions", requirements("pypi")),
        KeyRule(f"{_POETRY}readme", "readme", readme_file),
        KeyRule(f"{_POETRY}homepage", "url"),
        KeyRule(f"{_POETRY}repository", "codeRepository"),
        KeyRule(f"{_POETRY}documentation", "relatedLink"),
        KeyRule(f"{_POETRY}dependencies", "softwareRequirements", requirements("pypi")),
        KeyRule(f"{_POETRY}dev-dependencies", "softwareSuggestions", requirements("pypi")),
        KeyRule(f"{_POETRY}group/*/dependencies", "softwareSuggestions", requirements("pypi")),
    ),
    specials=(_links_of("project/urls", "="), _links_of(f"{_POETRY}urls", "=")),
)

SETUP_CFG = ManifestFormat(
    "setup-cfg",
    "SetupCfgMapping",
    ("setup.cfg",),
    read_ini,
    rules=(
        *(
            KeyRule(f"metadata/{key}", term)
            for key, term in {
                **{"name": "name", "version": "version", "description": "description"},
                **{"summary": "description", "long_description": "description"},
                **{"url": "url", "home_page": "url", "download_url": "downloadUrl"},
                **{"license": "license", "license_expression": "license", "keywords": "keywords"},
            }.items()
        ),
        *(
            KeyRule(f"metadata/{key}", term, classified(term))
            for key in ("classifiers", "classifier")
            for term in CLASSIFIER_TERMS
        ),
        KeyRule("metadata/platforms", "runtimePlatform"),
        KeyRule("options/python_requires", "runtimePlatform", python_version),
        KeyRule("options/install_requires", "softwareRequirements", requirements("pypi")),
        KeyRule("options.extras_require/*", "softwareSuggestions", requirements("pypi")),
    ),
    specials=(
        _people_of("metadata/author", "metadata/author_email", "author"),
        _people_of("metadata/maintainer", "metadata/maintainer_email", "maintainer"),
        _links_of("metadata/project_urls", "="),
    ),
    prepare=_dynamic_values_left_out,
)
