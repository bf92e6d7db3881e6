"""The options of strategies: the limits of datasets, and those of transfers."""

from typing import Final, Literal

from indexer.system.options import Options, option

MIB: Final = 1 << 20
GIB: Final = 1 << 30


class LimitOptions(Options):
    """The limits of datasets, and the thresholds between the strategies. Equality is within."""

    max_total_size: int = option(
        64 * GIB, "most bytes of a dataset", "FILESETS_MAX_TOTAL_SIZE", metavar="BYTES"
    )
    max_file_count: int = option(200, "most files of a dataset", "FILESETS_MAX_FILE_COUNT")
    bundles: Literal["needed", "many", "prefer"] = option(
        "needed",
        "take the platform's bundle of all files: needed (files have no URL), many (also for more "
        "than --max-file-count), or prefer (whenever each file in it can be checked)",
        "FILESETS_BUNDLES",
    )
    web_max_files: int = option(20, "most files of a web capture", "FILESETS_WEB_MAX_FILES")
    web_max_total_size: int = option(
        GIB, "most bytes of a web capture", "FILESETS_WEB_MAX_TOTAL_SIZE", metavar="BYTES"
    )
    web_max_file_size: int = option(
        128 * MIB, "most bytes of a captured file", "FILESETS_WEB_MAX_FILE_SIZE", metavar="BYTES"
    )
    spn_max_files: int = option(
        20, "most files of a dataset that Save Page Now captures", "FILESETS_SPN_MAX_FILES"
    )
    spn_max_total_size: int = option(
        5 * 1000**3,
        "most bytes of a dataset for Save Page Now, which takes 5 GB a day",
        "FILESETS_SPN_MAX_TOTAL_SIZE",
        metavar="BYTES",
    )
    spn_max_file_size: int = option(
        2 * 1000**3,
        "most bytes of a file for Save Page Now",
        "FILESETS_SPN_MAX_FILE_SIZE",
        metavar="BYTES",
    )

    @property
    def of_save_page_now(self) -> "LimitOptions":
        """The limits of a web side that is Save Page Now: the lower ones of both."""
        total = min(self.web_max_total_size, self.spn_max_total_size)
        size = min(self.web_max_file_size, self.spn_max_file_size)
        return self.model_copy(update={"web_max_total_size": total, "web_max_file_size": size})


class TransferOptions(Options):
    """Part of the options of programs that transfer files."""

    transfer_seconds: float = option(
        43_200.0, "seconds for one file, all attempts together", "FILESETS_TRANSFER_SECONDS"
    )
    least_rate: int = option(
        1000, "least speed of a transfer, in bytes per second", "FILESETS_LEAST_RATE"
    )
