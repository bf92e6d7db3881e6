"""`story-indexer software explain`: the sources of each value, and what is not used."""

from indexer.commands.console.parameters import with_options
from indexer.commands.console.terminal import lines_of_json
from indexer.commands.software.parameters import ProjectPath, SourceOptions
from indexer.system.options import option


class ExplainOptions(SourceOptions):
    """Options of `explain`."""

    json_: bool = option(False, "Print one JSON object.")


@with_options
def explain(path: ProjectPath, options: ExplainOptions) -> None:
    """Explain a translation: the files, places and rules of each value, and what is not used.

    A place is a file, its line if that is known, and a JSON pointer into it. After the values come
    conflicts (values of less trusted files), remarks (values that could not be used as they are
    written), and keys that no rule reads.

    Examples:

        story-indexer software explain my-project

        story-indexer software explain my-project/package.json --json | jq .unread
    """
    # The help needs none of it.
    from indexer.commands.software.explanations import explanation, told  # noqa: PLC0415
    from indexer.commands.software.reading import read_manifests  # noqa: PLC0415 - see above

    found = explanation(read_manifests(path, options.format))
    if options.json_:
        print(lines_of_json(found))
        return
    for line in told(found):
        print(line)
