"""Arguments that name archives."""

from typing import Annotated

import typer

FILES = "WARC files, directories of them, s3://BUCKET/PREFIX*, or @FILE with one a line."
OUR_ARCHIVES = "Default: those in the first store of ARCHIVE_URL, else in the data directory."
SomeFiles = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE", help=f"{FILES} {OUR_ARCHIVES}"),
]
Files = Annotated[list[str], typer.Argument(metavar="FILE", help=FILES)]
