"""Pipeview: what became of the stories, counted by day, feed, source, domain, step and status.

    outcome → crumb (indexer.loops.breadcrumbs) → exchange → collector → table `crumb` → API
                                                                             └→ pruner

The table has one row for each combination of the six, and how often it was seen.
"""
