"""Pipeview: counts of the stories' outcomes by day, feed, source, domain, step and status.

    outcome → breadcrumb (indexer.loops.breadcrumbs) → exchange → collector → table `crumb` → API
                                                                                  └→ pruner

The table has one row with a count for each combination of these six values. This room never sends
breadcrumbs: the loops do.
"""
