"""`story-indexer`: collect, understand, search and preserve online news."""

import signal

from indexer.system.this_process import collect_rarely


def main() -> None:
    """Be the `story-indexer` program."""
    before = signal.getsignal(signal.SIGINT)
    # A shell may have told a program in the background to ignore Ctrl-C.
    if before is signal.default_int_handler:
        # Ctrl-C during the imports ends the program without a traceback.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    collect_rarely()
    from indexer.commands.console.entering import enter  # noqa: PLC0415 - see above
    from indexer.commands.tree import app  # noqa: PLC0415 - see above

    signal.signal(signal.SIGINT, before)
    enter(app, "story-indexer")


if __name__ == "__main__":
    main()
