"""`story-indexer`: collect, understand, search and preserve online news."""

from indexer.commands import extract, search
from indexer.commands.archives import archives, differences, warc
from indexer.commands.console.parameters import enter, new_app
from indexer.commands.elastic import conf, reindex, update_canonical_domain
from indexer.commands.feeds import feeds
from indexer.commands.queues import qutil
from indexer.commands.running import follow, run

app = new_app(str(__doc__))
app.command()(run.run)
app.command()(follow.follow)
app.command()(search.search)
app.command()(extract.extract)
app.command()(differences.differences)
app.add_typer(warc.app, name="warc")
app.add_typer(archives.app, name="archives")
app.add_typer(feeds.app, name="feeds")
app.add_typer(qutil.app, name="qutil")
app.add_typer(conf.app, name="elastic-conf")
app.command("elastic-reindex")(reindex.reindex)
app.command("elastic-update-canonical-domain")(update_canonical_domain.update_canonical_domain)


def main() -> None:
    """Be the `story-indexer` program."""
    enter(app, "story-indexer")


if __name__ == "__main__":
    main()
