"""What indexing counts, under the names and labels of the existing system (spec 9.2)."""

from indexer.metrics import counter

_PREFIX = "swh_indexer_intrinsic_metadata"

DIRECTORIES = counter(
    f"{_PREFIX}_directory_count",
    "root directories that were listed",
    *("directory_found", "directory_truncated", "metadata_found"),
)
CONTENTS = counter(f"{_PREFIX}_content_indexed_count", "contents that were read", "content_found")
PER_MAPPING = counter(
    f"{_PREFIX}_content_per_mapping_count",
    "translations that directories needed: stored ones, and new ones",
    *("content_already_indexed", "content_newly_indexed", "mapping", "metadata_found"),
)
OPERATIONS = counter(
    "swh_indexer_storage_operations_total",
    "rows that were written",
    *("endpoint", "object_type", "operation"),
)
