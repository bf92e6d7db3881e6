"""The options of importers of a catalogue."""

from indexer.system.options import Options, option


class EntityOptions(Options):
    """Part of the options of importers: where the archived files are for readers."""

    items_url: str = option(
        "https://archive.org/download",
        "URL below which items can be read; empty: nowhere",
        "FILESETS_ITEMS_URL",
    )
    replay_url: str = option(
        "https://web.archive.org/web",
        "URL below which captures can be read, as TIME/URL; empty: nowhere",
        "FILESETS_REPLAY_URL",
    )
