"""The metrics of a program: the sinks that its options name."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from indexer.metrics import attached
from indexer.programs.settings import ProgramOptions


@contextmanager
def telemetry(options: ProgramOptions, name: str) -> Iterator[None]:
    """Send metrics to Prometheus and statsd meanwhile, as the options say.

    `name` is the program's. Raises ConfigurationError for an address or URL that can't be used.
    """
    with ExitStack() as stack:
        if options.metrics:
            from indexer.metrics.prometheus import Prometheus  # noqa: PLC0415 - not for all

            prometheus = stack.enter_context(Prometheus.serving(options.metrics, name))
            stack.enter_context(attached(prometheus))
        if options.statsd_url or options.statsd_realm:
            from indexer.metrics.statsd import open_statsd  # noqa: PLC0415 - not for all

            if statsd := open_statsd(options.statsd_url, options.statsd_realm, name):
                stack.callback(statsd.close)
                stack.enter_context(attached(statsd))
        yield
