"""`story-indexer feeds daily`: writes the daily RSS files, and copies them to stores."""

from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import opened
from indexer.errors import ConfigurationError
from indexer.feeds.store import FeedsOptions
from indexer.system.options import environment, option
from indexer.system.permissions import restrict

if TYPE_CHECKING:
    from indexer.feeds.tools.daily import Made


class DailyCommandOptions(FeedsOptions, JSONOptions):
    """Options of `daily`."""

    output: str = option(
        "",
        "The store of the files, a directory or s3://BUCKET/PREFIX; default: rss-output-files in "
        "the data directory.",
        "RSS_OUTPUT_URL",
        short="o",
        metavar="URL",
    )
    to: list[str] = option(
        [],
        "Also copy the files to this store, a directory or s3://BUCKET/PREFIX; repeatable.",
        "RSS_UPLOAD_URLS",
        metavar="URL",
    )
    day: list[str] = option(
        [], "Write the file of this day, even if it exists; repeatable.", metavar="YYYY-MM-DD"
    )
    days: Annotated[int, Field(ge=1, le=36_500)] = option(
        14,
        "The number of days that should have a file; today is one of them, but has none yet.",
        "RSS_OUTPUT_DAYS",
    )
    force: bool = option(False, "Also write files that exist.")


@with_options
def daily(options: DailyCommandOptions) -> None:
    """Write the daily RSS files: mc-YYYY-MM-DD.rss.gz, one for each day (UTC) that has none yet.

    Existing files stay as they are, except with --force or --day. The same stories give the same
    bytes. SHA256SUMS beside the files has their digests: `sha256sum -c SHA256SUMS`.

    Run it once an hour, at minute 20. Credentials for s3:// are DAILY_S3_ACCESS_KEY_ID,
    DAILY_S3_SECRET_ACCESS_KEY, and DAILY_S3_REGION or DAILY_S3_ENDPOINT; else the machine's own.

    Examples:

        story-indexer feeds daily

        story-indexer feeds daily --to s3://my-bucket/daily-rss

        story-indexer feeds daily --day 2026-01-14
    """
    # SQLAlchemy is slow, and the help needs none of it.
    from indexer.database import utc_now  # noqa: PLC0415
    from indexer.feeds.tools import daily as files  # noqa: PLC0415
    from indexer.http.urls.parts import without_credentials  # noqa: PLC0415

    # Flags and options have different names; the length of a lease comes from the environment only.
    given = files.DailyOptions.of(environment()).model_copy(
        update={"data": options.data, "rss_output_url": options.output}
    )
    moment = utc_now()
    wanted = files.missing_days(moment, options.days)
    if options.day:
        wanted = files.chosen_days([_date(text) for text in options.day], moment, options.days)
    with opened(options) as database, Working() as working:
        # The files are made to be published: the umask decides who may read them.
        restrict("000")
        maker = files.Daily(
            database,
            files.open_store(given.output),
            [files.open_store(url) for url in options.to],
            timedelta(seconds=given.lease_seconds),
            force=options.force or bool(options.day),
            progress=working.at,
        )
        made = maker.make(wanted, moment)
    waiting = sorted(set(wanted) - {each.day for each in made})
    if options.json_:
        _print_json(made, waiting)
    else:
        # The output of a job that runs each hour is often logged.
        _print(made, waiting, without_credentials(given.output))


def _print_json(made: list["Made"], waiting: list[date]) -> None:
    for each in made:
        what = {"stories": each.stories, "copied": list(each.copied), "waits": False}
        print(line_of_json({"day": each.day.isoformat(), "name": each.name, **what}))
    for day in waiting:
        print(line_of_json({"day": day.isoformat(), "waits": True}))


def _print(made: list["Made"], waiting: list[date], place: str) -> None:
    for each in made:
        if each.stories is not None:
            print(f"{each.name}: {each.stories} stories")
        for store in each.copied:
            print(f"{each.name}: copied to {store}")
    for day in waiting:
        print(f"{day}: waits for polls of feeds that began on that day")
    there = sum(each.stories is None for each in made)
    print(f"{there} files were in {place} already")


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ConfigurationError(f"--day {text}: a date is YYYY-MM-DD") from None
