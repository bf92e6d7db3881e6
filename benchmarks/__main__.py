"""Run `python -m benchmarks [pipeline|feeds] [OPTION]...`: one benchmark, or both with defaults."""

import sys

from benchmarks import feeds, pipeline

BENCHMARKS = {"pipeline": pipeline.main, "feeds": feeds.main}


def main() -> None:
    """Run the named benchmark; options without a name are those of `pipeline`."""
    name, *options = sys.argv[1:] or [""]
    if name in BENCHMARKS:
        BENCHMARKS[name](options)
    elif name:
        pipeline.main([name, *options])
    else:
        for each in BENCHMARKS.values():
            each([])


if __name__ == "__main__":
    main()
