"""Options of the programs that read tables of URLs."""

from indexer.stories.queuers.input_kinds import COLUMNS
from indexer.system.options import Options, option
from indexer.text.tables.columns import Columns


class ColumnOptions(Options):
    """The columns of tables of URLs."""

    column: list[str] = option(
        [],
        "name of a column that tables call otherwise, like url=Address; repeatable",
        "CSV_COLUMNS",
    )

    @property
    def columns(self) -> Columns:
        """The columns that are read. Raises ConfigurationError."""
        return COLUMNS.choosing(self.column)
