"""`story-indexer software validate`, `coverage` and `diff`: what is wrong, missing or different."""

import sys
from collections import Counter

import typer

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import line_of_json, lines_of_json
from indexer.commands.software.parameters import OtherPath, ProjectPath, SourceOptions
from indexer.system.options import Options, option


class ValidateOptions(SourceOptions, JSONOptions):
    """Options of `validate`."""


class CoverageOptions(SourceOptions):
    """Options of `coverage`."""

    json_: bool = option(False, "Print one JSON object.")


class DiffOptions(Options):
    """Options of `diff`."""

    json_: bool = option(False, "Print one JSON object.")


@with_options
def validate(path: ProjectPath, options: ValidateOptions) -> None:
    """Validate metadata files: errors, warnings and notes, each with its file and line.

    An error is a file that can't be read, or a key that its format requires and that is missing.
    A warning is a value that can't be used as it is written, or that contradicts a more trusted
    file. A note is a value that a description of software should have.

    Exit status: 1 if there are errors, else 0.

    Examples:

        story-indexer software validate my-project

        story-indexer software validate CITATION.cff --json | jq -r .why
    """
    # The help needs none of it.
    from indexer.commands.software.problems import problems  # noqa: PLC0415
    from indexer.commands.software.reading import read_manifests  # noqa: PLC0415 - see above

    counts: Counter[str] = Counter()
    for each in problems(read_manifests(path, options.format)):
        counts[each.severity] += 1
        print(line_of_json(each._asdict()) if options.json_ else each.line_of_text())
    said = ", ".join(f"{count} {severity}{'s' * (count > 1)}" for severity, count in counts.items())
    print(said or "no problems", file=sys.stderr)
    raise typer.Exit(1 if counts["error"] else 0)


@with_options
def coverage(path: ProjectPath, options: CoverageOptions) -> None:
    """Show which terms of CodeMeta the metadata files state, and which no file states.

    Examples:

        story-indexer software coverage my-project

        story-indexer software coverage my-project --json | jq .missing
    """
    from indexer.commands.software.covering import covered, told  # noqa: PLC0415 - see above
    from indexer.commands.software.reading import merged_path  # noqa: PLC0415 - see above

    found = covered(merged_path(path, options.format))
    if options.json_:
        print(lines_of_json(found))
        return
    for line in told(found):
        print(line)


@with_options
def diff(path: ProjectPath, other: OtherPath, options: DiffOptions) -> None:
    """Show the values that two projects, files or documents don't have in common.

    Lines that begin with - are values of the first path only, lines with + of the second one.
    Values that mean the same, such as http://x and https://x/, don't differ.

    Exit status: 0 if there is no difference, else 1.

    Examples:

        story-indexer software diff codemeta.json my-project

        story-indexer software diff release-1 release-2 --json | jq .changed
    """
    from indexer.commands.software.differing import difference, told  # noqa: PLC0415 - see above
    from indexer.commands.software.reading import merged_path  # noqa: PLC0415 - see above

    found = difference(merged_path(path), merged_path(other))
    if options.json_:
        print(lines_of_json(found))
    else:
        for line in told(found):
            print(line)
    raise typer.Exit(1 if any(found.values()) else 0)
