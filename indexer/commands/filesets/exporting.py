"""`story-indexer filesets export`: the files of items, verified, as folders or bags."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.filesize import decimal

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import cell, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.filesets.reading import named
from indexer.errors import ArchiveError, ConfigurationError, StorageError
from indexer.filesets.exporting.bag import write_bag
from indexer.filesets.exporting.export import Exported, Form, export
from indexer.filesets.exporting.folder import write_folder
from indexer.programs.settings import data_directory
from indexer.system.options import option

FORMS: dict[str, Form] = {"files": write_folder, "bagit": write_bag}


class ItemExportOptions(JSONOptions):
    """Options of `export`."""

    data: Path = data_directory()
    to: str = option("", "Directory for the exported items; made if missing.")
    as_: Literal["files", "bagit"] = option(
        "files", "files: folders with the original paths; bagit: bags (RFC 8493)."
    )
    from_: str = option(
        "", "Directory, s3:// or https:// URL with the items; default: in the data directory.",
        "FILESETS_URL",
    )  # fmt: skip


@with_options
def export_items(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="ITEM", help="The names of items in --from, or paths or URLs of items."
        ),
    ],
    options: ItemExportOptions,
) -> None:
    """Export items: their files under the original paths, or a bag (BagIt).

    Every file is compared with the manifest as it is copied; an item that is damaged is not
    exported. Each item becomes a folder in --to, which must not exist. A path that the file system
    can't hold safely (absolute, with `..`, with control characters, too long…) gets another name in
    ITEM~renamed, and names.json there tells the path. In a bag all files have escaped names, and
    paths.json tells their paths. A captured dataset gives its files, too.

    Exit status: 0 if all items are exported, 1 if one is not.

    Examples:

        story-indexer filesets export archive/zenodo.org-10200001 --to exported

        story-indexer filesets export zenodo.org-7 --from s3://bucket/datasets --as bagit --to bags
    """
    if not options.to:
        raise ConfigurationError("--to is missing: the directory for the exported items")
    store = options.from_ or str(options.data / "filesets")
    failed = 0
    with Working() as working:
        for name in names:
            item = named(name, store)
            working.at(f"exporting {item.name}")
            try:
                found = export(item, Path(options.to), FORMS[options.as_])
            except (ArchiveError, StorageError) as error:
                failed += 1
                facts = {"item": item.name, "exported": False, "error": str(error)}
                said = [f"{item.name}: not exported: {cell(str(error), 1000)}"]
            else:
                facts = {"item": item.name, "exported": True, **_facts(found)}
                said = [*_told(item.name, found)]
            for line in [line_of_json(facts)] if options.json_ else said:
                working.print(line)
    raise typer.Exit(1 if failed else 0)


def _facts(found: Exported) -> dict[str, object]:
    renamed = [each._asdict() for each in found.renamed]
    return {**found._asdict(), "folder": str(found.folder), "renamed": renamed}


def _told(name: str, found: Exported) -> list[str]:
    count = "1 file" if found.files == 1 else f"{found.files:,} files"
    lines = [f"{name}: {count}, {decimal(found.size)}: {found.folder}"]
    lines += (f"  renamed: {cell(each.path, 300)}: {each.why}" for each in found.renamed)
    if found.renamed:
        lines.append(f"  {len(found.renamed):,} under other names: {found.folder}~renamed")
    return lines
