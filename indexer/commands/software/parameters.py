"""Parameters that the commands of software share."""

from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from indexer.system.options import Options, option

ProjectPath: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="A directory, a bare git repository, a tarball or zip file; a metadata file; or - for "
        "the text of one.",
    ),
]

OtherPath: TypeAlias = Annotated[
    str, typer.Argument(metavar="OTHER", help="The directory, file or document to compare with.")
]


class Profile(StrEnum):
    """The rules of a translation."""

    FULL = "full"
    COMPAT = "compat"


class SourceOptions(Options):
    """Options of commands that read metadata files."""

    format: str = option(
        "", "The format of a file, such as npm or cff; default: by its name or its text."
    )
