"""The subcommands of `story-indexer software mapping`: list, list-terms, translate."""

import json
from pathlib import Path
from typing import Annotated

import typer

from indexer.commands.console.parameters import with_options
from indexer.commands.software.parameters import Profile
from indexer.system.escaping import escaped
from indexer.system.options import Options, option


class ProfileOptions(Options):
    """The option of commands that look at the mappings of a profile."""

    profile: Profile = option(
        Profile.FULL, "compat: the mappings of the existing indexer of Software Heritage."
    )


class TermOptions(ProfileOptions):
    """Options of `list-terms`."""

    exclude_mapping: list[str] = option(
        [], "A mapping whose terms are not listed; repeatable.", metavar="NAME"
    )
    concise: bool = option(False, "Print the terms only.")


@with_options
def list_mappings(options: ProfileOptions) -> None:
    """List the names of the mappings.

    Example:

        story-indexer software mapping list --profile compat
    """
    # The help needs none of it.
    from indexer.commands.software.mappings.named_mappings import named_mappings  # noqa: PLC0415

    for name in sorted(named_mappings(options.profile)):
        print(name)


@with_options
def list_terms(options: TermOptions) -> None:
    """List the terms that the mappings yield, those of special rules too, each with its mappings.

    Example:

        story-indexer software mapping list-terms --exclude-mapping codemeta
    """
    # The help needs none of it.
    from indexer.commands.software.mappings.named_mappings import named_mappings, terms_of  # noqa: PLC0415

    known = named_mappings(options.profile)
    for term, names in terms_of(known, options.exclude_mapping).items():
        print(term if options.concise else f"{term}:\n\t{', '.join(names)}")


@with_options
def translate_file(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A mapping: npm, or its class: NpmMapping.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of metadata.")],
    options: ProfileOptions,
) -> None:
    """Translate one file by a mapping, and print its document; `null` if it says nothing.

    Example:

        story-indexer software mapping translate npm package.json --profile compat
    """
    # The help needs none of it.
    from indexer.commands.software.mappings.named_mappings import bytes_of, mapping_named  # noqa: PLC0415

    found = mapping_named(name, options.profile).translate(bytes_of(file))
    print(escaped(json.dumps(found, ensure_ascii=False, indent=4)))
