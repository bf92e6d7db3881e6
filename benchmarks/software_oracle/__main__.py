"""`python -m benchmarks.software_oracle FOLDER PATH...`: compares, and lists the differences."""

import argparse
import sys
from collections import Counter
from pathlib import Path

from benchmarks.software_oracle.comparing import CORRECTIONS, Compared, text, verdict
from benchmarks.software_oracle.environment import ExistingSystem
from benchmarks.software_oracle.inputs import inputs
from indexer.software.compat.merging import merge
from indexer.software.compat.table import translate


def main() -> int:
    """Compare both systems. Returns 1 if a difference is no correction."""
    arguments = _arguments()
    system = ExistingSystem(arguments.folder)
    counts: dict[str, Counter[str]] = {}
    documents = []
    for each in (one for path in arguments.paths for one in inputs(path, arguments.mixtures)):
        theirs = system.translate(each.mapping.class_name, each.content)
        ours = translate(each.content, each.mapping)
        found = _counted(counts, each.mapping.name, Compared(each.content, theirs, ours))
        if found == "different":
            _tell(each.source, theirs.document, ours)
        elif found == "equal" and ours:
            documents.append(ours)
    for pair in zip(documents[::2], documents[1::2], strict=False):
        theirs, ours = system.merge([*pair]), merge(pair)
        if _counted(counts, "merge", Compared(b"", theirs, ours)) == "different":
            _tell(f"merge of {text(pair)}", theirs.document, ours)
    system.close()
    _print(counts)
    return int(any(count["different"] for count in counts.values()))


def _counted(counts: dict[str, Counter[str]], name: str, compared: Compared) -> str:
    found = verdict(compared)
    counts.setdefault(name, Counter())[found] += 1
    return found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.software_oracle")
    parser.add_argument("folder", type=Path, help="where the environment is, or is made")
    parser.add_argument("paths", type=Path, nargs="+", help="a corpus, or files of examples")
    parser.add_argument("--mixtures", type=int, default=0, help="for each mapping of examples")
    return parser.parse_args()


def _tell(source: str, theirs: object, ours: object) -> None:
    print(f"{source}\n  existing system: {text(theirs):.1000}\n  compat: {text(ours):.1000}")


def _print(counts: dict[str, Counter[str]]) -> None:
    words = ["equal", *(each.name for each in CORRECTIONS), "different"]
    print("| mapping | files |", " | ".join(words), "|")
    print("|---|---|" + "---|" * len(words))
    total: Counter[str] = sum(counts.values(), Counter())
    for name, count in {**counts, "all": total}.items():
        print(
            "|", " | ".join([name, str(count.total()), *(str(count[word]) for word in words)]), "|"
        )


if __name__ == "__main__":
    sys.exit(main())
