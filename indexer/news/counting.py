"""The metric of outcomes, by the name that the dashboards of stories and feeds read."""

from indexer.metrics.outcomes import outcome_counter

STORIES = outcome_counter("stories").name
"""For `counted_as` of programs (stories.md 2.5)."""
