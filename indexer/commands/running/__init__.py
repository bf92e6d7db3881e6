"""`story-indexer run` and `follow`: a whole pipeline on this machine, its progress and summary.

inputs → choice of a flavor → plan → `indexer.running`, with progress → summary
"""
