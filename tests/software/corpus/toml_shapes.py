"""Shapes of manifests in TOML and INI: how tools and people write them."""

import json

from tests.software.corpus.projects import Project
from tests.software.corpus.shape import (
    ALL,
    AUTHOR,
    CLASSIFIERS,
    LICENCE,
    NEEDS,
    REPOSITORY,
    VERSION,
    Shape,
)


def _pyproject(p: Project) -> str:
    people = ", ".join(f'{{name = "{each.name}", email = "{each.email}"}}' for each in p.people)
    needs = "\n".join(f'    "{name}>={version}",' for name, version in p.needs)
    return f"""[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{p.name}"
version = "{p.version}"
description = {json.dumps(p.text, ensure_ascii=False)}
readme = "README.md"
license = "{p.licence}"
authors = [{people}]
keywords = ["{p.keywords[0]}", "{p.keywords[1]}"]
requires-python = ">=3.10"
classifiers = [
    "Development Status :: 4 - Beta",
    "Programming Language :: Python :: 3 :: Only",
    "Topic :: Scientific/Engineering",
]
dependencies = [
{needs}
]

[project.optional-dependencies]
dev = ["{p.tests[0][0]}=={p.tests[0][1]}"]

[project.urls]
Homepage = "{p.homepage}"
"Bug Tracker" = "{p.issues}"
Source = "{p.repository}"

[project.scripts]
{p.name} = "{p.name.replace("-", "_")}.cli:main"
"""


def _old_pyproject(p: Project) -> str:
    licence = p.licence.split(" OR ")[0]
    return f"""[project]
name = "{p.name}"
dynamic = ["version"]
license = {{text = "{licence}"}}
authors = [{{name = "{p.people[0].name}"}}, {{email = "team@{p.name}.example"}}]
dependencies = ['{p.needs[0][0]}[fast]>=1; python_version < "3.11"']

[project.urls]
repository = "{p.repository}"
"""


def _poetry(p: Project) -> str:
    people = ", ".join(json.dumps(each.mailbox, ensure_ascii=False) for each in p.people)
    needs = "\n".join(f'{name} = "^{version}"' for name, version in p.needs)
    return f"""[tool.poetry]
name = "{p.name}"
version = "{p.version}"
description = {json.dumps(p.text, ensure_ascii=False)}
authors = [{people}]
license = "{p.licence}"
repository = "{p.repository}"
homepage = "{p.homepage}"

[tool.poetry.dependencies]
python = "^3.9"
{needs}
torch = {{ version = ">=2", optional = true }}

[tool.poetry.group.dev.dependencies]
{p.tests[0][0]} = "*"

[build-system]
requires = ["poetry-core"]
"""


def _cargo(p: Project) -> str:
    people = ", ".join(json.dumps(each.mailbox, ensure_ascii=False) for each in p.people)
    return f"""[package]
name = "{p.name}"
version = "{p.version}"
edition = "2021"
rust-version = "1.70"
authors = [{people}]
description = {json.dumps(p.text, ensure_ascii=False)}
license = "{p.licence}"
repository = "{p.repository}"
homepage = "{p.homepage}"
documentation = "https://docs.rs/{p.name}"
readme = "README.md"
keywords = ["{p.keywords[0]}"]
categories = ["science"]

[dependencies]
serde = {{ version = "1.0", features = ["derive"] }}
rand = "0.8"
local = {{ path = "../local" }}

[dev-dependencies]
criterion = "0.5"

[target.'cfg(windows)'.dependencies]
winapi = "0.3"
"""


def _cargo_workspace(p: Project) -> str:
    return f"""[workspace]
members = ["crates/*"]

[workspace.package]
version = "{p.version}"
license = "{p.licence.replace(" OR ", "/")}"
authors = ["{p.people[0].name}"]
repository = "{p.repository}"

[package]
name = "{p.name}-cli"
version.workspace = true
license.workspace = true
authors.workspace = true
repository = {{ workspace = true }}

[dependencies]
clap = "4"
"""


def _julia(p: Project) -> str:
    return f"""name = "{p.name.title().replace("-", "")}"
uuid = "12345678-1234-5678-1234-5678123456{10 + len(p.name)}"
authors = ["{p.people[0].mailbox}", "contributors"]
version = "{p.version}"

[deps]
LinearAlgebra = "37e2e46d-f89d-539d-b4ee-838fcccc9c8e"

[compat]
julia = "1.6"
"""


def _setup_cfg(p: Project) -> str:
    classifier = CLASSIFIERS.get(p.licence, "Natural Language :: English")
    needs = "\n".join(f"    {name} >= {version}" for name, version in p.needs)
    return f"""[metadata]
name = {p.name}
version = {p.version}
description = {" ".join(p.text.split())}
long_description = file: README.md
author = {p.people[0].name}
author-email = {p.people[0].email}
url = {p.homepage}
license = {p.licence}
project_urls =
    Bug Tracker = {p.issues}
    Source Code = {p.repository}
classifiers =
    {classifier}
    Programming Language :: Python :: 3

[options]
packages = find:
python_requires = >=3.7
install_requires =
{needs}

[options.extras_require]
dev =
    {p.tests[0][0]}

[flake8]
max-line-length = 100
"""


TOML_SHAPES = (
    Shape("pyproject", ALL, _pyproject),
    Shape("pyproject", (LICENCE, AUTHOR, REPOSITORY, NEEDS), _old_pyproject),
    Shape("pyproject", ALL, _poetry),
    Shape("cargo", ALL, _cargo),
    Shape("cargo", ALL, _cargo_workspace),
    Shape("julia", (AUTHOR, VERSION, NEEDS), _julia),
    Shape("setup-cfg", ALL, _setup_cfg),
)
"""The shapes of formats in TOML and INI."""
