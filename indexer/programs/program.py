"""The start and the end of every program: options, logs, metrics, exit status.

parse → log → metrics → serve → 0, 1 on an error, 2 on bad options
"""

import inspect
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from types import ModuleType
from typing import TypeVar

from indexer.errors import ConfigurationError, InputError, StoryIndexerError
from indexer.metrics import attached, timer
from indexer.programs.settings import ProgramOptions
from indexer.system import logs
from indexer.system.options import CommandLine, Options
from indexer.system.permissions import private_files, restrict
from indexer.system.readiness import working
from indexer.system.signals import INTERRUPTED
from indexer.system.this_process import collect_as_usual

MAIN_LOOP = timer("main_loop", "runs of a program, from start to end: their count shows restarts")

O = TypeVar("O", bound=Options)  # noqa: E741 - O for options
L = TypeVar("L", bound=ProgramOptions)


def run_program(
    name: str,
    options: type[O],
    serve: Callable[[O, str], None],
    arguments: Sequence[str] | None = None,
) -> int:
    """Run a program that has no message loop: `serve` gets its options and its name.

    The docstring of the module of `serve` is the text of `--help`; `name` is the program's name if
    the operator gives no other. Returns the exit status. See `run_loop`.
    """

    def loop(given: O, _: ProgramOptions, name: str) -> None:
        with working():
            serve(given, name)

    return run_loop(serve, options, ProgramOptions, loop, arguments, name=name)


def run_loop(
    make: Callable[..., object],
    options: type[O],
    loop_options: type[L],
    serve: Callable[[O, L, str], None],
    arguments: Sequence[str] | None = None,
    *,
    name: str = "",
    comfort: str = "",
) -> int:
    """Call `serve` with the options of a program, those of its loop, and its name.

    The docstring of the module of `make` is the text of `--help`. If the operator gives no name,
    the program's name is `name`, or the attribute `name` of `make`. `comfort` is added to the log
    line of an error. Returns the exit status: 0, 1 on an error, 2 for bad options,
    130 after Ctrl-C in a program that does not handle it.
    """
    collect_as_usual()
    module = inspect.getmodule(make)
    about = (module.__doc__ or "") if module else ""
    line = CommandLine(_command(module), about, [options, loop_options], arguments)
    own, given = line.take(options), line.take(loop_options)
    name = given.process_name or name or str(getattr(make, "name", ""))
    log = logging.getLogger(name)
    try:
        if given.list_loggers:
            _print_loggers()
            return 0
        logs.set_up(given.level, given.logger_level, given.syslog, app=name)
        with private_files(), telemetry(given, name), MAIN_LOOP.timing():
            restrict(given.data_umask)
            serve(own, given, name)
    except (ConfigurationError, InputError) as error:
        log.error("%s", error)
        return 2 if isinstance(error, ConfigurationError) else 1
    except StoryIndexerError as error:
        log.error("%s: %s%s", type(error).__name__, error, comfort)
        return 1
    except OSError as error:
        # A full disk, a file that can't be written.
        log.error("%s%s", error, comfort)
        return 1
    except KeyboardInterrupt:
        # Of a program that has no loop to stop.
        return INTERRUPTED
    return 0


def _print_loggers() -> None:
    print("\n".join(sorted(logging.root.manager.loggerDict)))


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
        if options.statsd_url or options.statsd_realm or options.statsd_prefix:
            from indexer.metrics.statsd import open_statsd  # noqa: PLC0415 - not for all

            names = (options.statsd_realm, name, options.statsd_prefix)
            if statsd := open_statsd(options.statsd_url, *names):
                stack.callback(statsd.close)
                stack.enter_context(attached(statsd))
        yield


called_as: ContextVar[str] = ContextVar("called_as", default="")
"""The command that has started the program, for its help; blank: `python -m` with its module."""


def _command(module: ModuleType | None) -> str:
    if command := called_as.get():
        return command
    spec = module.__spec__ if module else None
    return f"python -m {spec.name}" if spec else "program"
