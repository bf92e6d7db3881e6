"""Be `python -m benchmarks [pipeline|feeds] [OPTION]...`: one of them, or both, as they are."""

import sys

from benchmarks import feeds, pipeline

BENCHMARKS = {"pipeline": pipeline.main, "feeds": feeds.main}


def main() -> None:
    """Measure what is named; options without a name are those of the first."""
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
