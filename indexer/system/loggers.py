"""The loggers of all modules: structlog's, which write to those of `logging`.

log = get_logger()
log.warning("no files", directory=path)
"""

from collections.abc import Callable, MutableMapping
from functools import cache
from types import ModuleType
from typing import Any


def get_logger(name: str = "") -> Any:
    """Return a logger; without a name, each line has the name of the module that logs it."""
    return _Logger(name)


class _Logger:
    """A logger that imports its library with the first line: most commands log nothing."""

    def __init__(self, name: str) -> None:
        self._names = [name] * bool(name)

    def __getattr__(self, method: str) -> Any:
        return getattr(library().get_logger(*self._names), method)


@cache
def library() -> ModuleType:
    """Import structlog; its loggers write to those of `logging`."""
    import structlog  # noqa: PLC0415 - slow, and not for all commands

    render = structlog.processors.KeyValueRenderer(key_order=["event"], drop_missing=True)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.format_exc_info,
            _with_fields(render),
        ],
        # Frames of this module are between the line and the library.
        logger_factory=structlog.stdlib.LoggerFactory([__name__]),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    return structlog


def _with_fields(render: Callable[..., str]) -> Callable[..., tuple[Any, ...]]:
    """Make the processor that renders a line; handlers of another form find its `fields`."""

    def rendered(logger: object, method: str, event: MutableMapping[str, Any]) -> tuple[Any, ...]:
        fields = dict(event)
        return (render(logger, method, event),), {"extra": {"fields": fields}}

    return rendered
