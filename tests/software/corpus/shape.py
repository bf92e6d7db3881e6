"""A shape: one way to write the manifests of a format."""

from collections.abc import Callable
from typing import NamedTuple

from tests.software.corpus.projects import Project

LICENCE, AUTHOR, REPOSITORY = "license", "author", "codeRepository"
VERSION, NEEDS = "version", "softwareRequirements"
ALL = (LICENCE, AUTHOR, REPOSITORY, VERSION, NEEDS)


class Shape(NamedTuple):
    """A way to write a manifest: the format, the terms that a reader of the file sees, the text."""

    format: str
    states: tuple[str, ...]
    write: Callable[[Project], str]


# A map of licences to classifiers is needed by headers and by setup.cfg alike.
CLASSIFIERS = {
    "MIT": "License :: OSI Approved :: MIT License",
    "Apache-2.0": "License :: OSI Approved :: Apache Software License",
    "GPL-3.0-or-later": (
        "License :: OSI Approved :: GNU General Public License v3 or later (GPLv3+)"
    ),
    "MPL-2.0": "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)",
    "ISC": "License :: OSI Approved :: ISC License (ISCL)",
}
