"""Run `python -m benchmarks [NAME] [OPTION]...`; without a name, `performance`."""

import sys
from importlib import import_module

BENCHMARKS = (
    "performance",
    "pipeline",
    "feeds",
    "extraction",
    "capacity",
    "start-up",
    "filesets",
    "software",
)
"""Each is a module of this folder with a `main`."""


def main() -> None:
    """Run the named benchmark; options without a name are those of `performance`."""
    name, *options = sys.argv[1:] or [""]
    if name not in BENCHMARKS:
        name, options = "performance", sys.argv[1:]
    import_module(f"benchmarks.{name.replace('-', '_')}").main(options)


if __name__ == "__main__":
    main()
