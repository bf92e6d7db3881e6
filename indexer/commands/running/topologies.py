"""The topologies of a pipeline. Commands that only manage queues import no more than this."""

from dataclasses import replace

from indexer.messages.exchanges import Exchange
from indexer.messages.pipelines import Pipeline
from indexer.messages.topology import Topology
from pipeline import flavor

BREADCRUMBS = "BREADCRUMB_EXCHANGE"


def topologies(pipeline: Pipeline, breadcrumbs: str) -> list[Topology]:
    """Return the topologies of a pipeline and, if an exchange is named, of its breadcrumbs."""
    needed = [pipeline]
    if breadcrumbs:
        needed.append(replace(flavor("pipeview"), exchange=Exchange(breadcrumbs)))
    return [each.compile() for each in needed]
