"""`story-indexer feeds daily`: write the daily RSS files, and copy them to where they are read."""

from datetime import date, timedelta
from typing import Annotated

import typer

from indexer.commands.console.terminal import AsJson, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import Data, DatabaseURL, OpenedFeeds
from indexer.errors import ConfigurationError
from indexer.feeds.clock import utc_now
from indexer.feeds.tools.daily import (
    Daily,
    DailyOptions,
    Made,
    chosen_days,
    missing_days,
    open_store,
)
from indexer.http.urls.redaction import without_credentials
from indexer.system.options import environment


def daily(  # noqa: PLR0913, PLR0917 - the options of a command
    database_url: DatabaseURL = "",
    data: Data = "",
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="URL",
            show_default="rss-output-files in the data directory",
            help="Where the files are: a directory or s3://BUCKET/PREFIX [env RSS_OUTPUT_URL]",
        ),
    ] = "",
    to: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            metavar="URL",
            help="Copy them there, too: a directory or s3://BUCKET/PREFIX; repeatable "
            "[env RSS_UPLOAD_URLS]",
        ),
    ] = None,
    day: Annotated[
        list[str] | None,
        typer.Option(
            "--day", metavar="YYYY-MM-DD", help="That day, also if it has a file; repeatable."
        ),
    ] = None,
    days: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=36_500,
            show_default="14",
            help="The days that should have a file, with today, which has none yet "
            "[env RSS_OUTPUT_DAYS]",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write also those that are there.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the daily RSS files: mc-YYYY-MM-DD.rss.gz, one of each day (UTC) that has none yet.

    Files that are there stay as they are, but with --force, or --day. The same stories give the
    same bytes. SHA256SUMS beside the files has their digests: `sha256sum -c SHA256SUMS`.

    Meant to run once an hour, at minute 20. Credentials for s3:// are DAILY_S3_ACCESS_KEY_ID,
    DAILY_S3_SECRET_ACCESS_KEY, and DAILY_S3_REGION or DAILY_S3_ENDPOINT; else those of the machine.

    Examples:

        story-indexer feeds daily

        story-indexer feeds daily --to s3://my-bucket/daily-rss

        story-indexer feeds daily --day 2026-01-14
    """
    options = DailyOptions.of({**environment(), **({"DATAROOT": data} if data else {})})
    given = {
        "rss_output_url": output or None,
        "rss_upload_urls": to or None,
        "rss_output_days": days,
    }
    options = options.model_copy(
        update={name: value for name, value in given.items() if value is not None}
    )
    moment = utc_now()
    wanted = missing_days(moment, options.rss_output_days)
    if day:
        wanted = chosen_days([_date(text) for text in day], moment, options.rss_output_days)
    with OpenedFeeds(database_url, data) as database, Working() as working:
        maker = Daily(
            database,
            open_store(options.output),
            [open_store(url) for url in options.rss_upload_urls],
            timedelta(seconds=options.lease_seconds),
            force=force or bool(day),
            progress=working.at,
        )
        made = maker.make(wanted, moment)
    waiting = sorted(set(wanted) - {each.day for each in made})
    if as_json:
        _print_json(made, waiting)
    else:
        _print(made, waiting, without_credentials(options.output))


def _print_json(made: list[Made], waiting: list[date]) -> None:
    for each in made:
        what = {"stories": each.stories, "copied": list(each.copied), "waits": False}
        print(line_of_json({"day": each.day.isoformat(), "name": each.name, **what}))
    for day in waiting:
        print(line_of_json({"day": day.isoformat(), "waits": True}))


def _print(made: list[Made], waiting: list[date], place: str) -> None:
    for each in made:
        if each.stories is not None:
            print(f"{each.name}: {each.stories} stories")
        for store in each.copied:
            print(f"{each.name}: copied to {store}")
    for day in waiting:
        print(f"{day}: waits, as feeds are still being read that were begun on that day")
    there = sum(each.stories is None for each in made)
    print(f"{there} files were in {place} already")


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ConfigurationError(f"--day {text}: a date is YYYY-MM-DD") from None
