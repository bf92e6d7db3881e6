"""The programs: one thin class and `main` each."""

from indexer.system.this_process import collect_rarely

# `indexer.programs.program` ends it.
collect_rarely()
