"""The options of bundles: how much of one is unpacked."""

from indexer.system.options import Options, option


class BundleLimits(Options):
    """The limits of bundles, which are read whole to index what is in them."""

    bundle_max_size: int = option(
        64 << 30, "most bytes of a bundle, unpacked", "FILESETS_BUNDLE_MAX_SIZE", metavar="BYTES"
    )
    bundle_max_files: int = option(20_000, "most files in a bundle", "FILESETS_BUNDLE_MAX_FILES")
    bundle_max_ratio: int = option(
        200, "most unpacked bytes for each byte of a bundle", "FILESETS_BUNDLE_MAX_RATIO"
    )
