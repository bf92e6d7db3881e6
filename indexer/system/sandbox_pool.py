"""Sandboxes for several threads: as many as are in use at once."""

import queue

from indexer.system.sandbox import Sandbox, SandboxLimits


class SandboxPool:
    """Calls a function in one sandbox for each thread that calls it at the same time."""

    def __init__(self, function: str, limits: SandboxLimits | None = None) -> None:
        """`function` is that of `Sandbox`. No process is started before it is needed.

        Raises ConfigurationError for limits that are not valid.
        """
        self._function = function
        self._limits = limits
        # Last in, first out: the process that was used last has its memory in the caches.
        self._idle: queue.LifoQueue[Sandbox] = queue.LifoQueue()
        self._idle.put(Sandbox(function, limits))

    def start(self) -> None:
        """Start the first process. Raises the errors of `Sandbox.start`."""
        sandbox = self._sandbox()
        sandbox.start()
        self._idle.put(sandbox)

    def run(self, request: bytes, seconds: float | None = None) -> bytes:
        """Return the function's answer; see `Sandbox.run`, also for the errors. Thread-safe."""
        sandbox = self._sandbox()
        try:
            return sandbox.run(request, seconds)
        finally:
            self._idle.put(sandbox)

    def close(self) -> None:
        """End the idle processes. A later `run` starts others."""
        while not self._idle.empty():
            self._idle.get().close()

    def _sandbox(self) -> Sandbox:
        """An idle sandbox, or else a new one."""
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return Sandbox(self._function, self._limits)
