"""Options that the commands share which run a whole pipeline."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Data: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data", help="Directory of all that is kept.", show_default="data"),
]
BrokerURL: TypeAlias = Annotated[
    str,
    typer.Option("--broker", metavar="URL", help="sqlite:///FILE or amqp://HOST/ [env BROKER_URL]"),
]
IndexURL: TypeAlias = Annotated[
    str,
    typer.Option(
        "--index", metavar="URL", help="sqlite:///FILE or http://HOST:9200 [env INDEX_URL]"
    ),
]
ArchiveURLs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--archive", metavar="URL", help="Directory or s3://BUCKET/PREFIX [env ARCHIVE_URL]"
    ),
]
Contact: TypeAlias = Annotated[
    str,
    typer.Option("--contact", metavar="URL", help="Who you are, for the sites you fetch from."),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Any setting of any program."),
]
