"""What `story-indexer filesets export` does: verified copies of items, with their facts."""

from collections.abc import Sequence
from pathlib import Path

from rich.filesize import decimal

from indexer.commands.console.terminal import cell, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.filesets.exporting import ItemExportOptions
from indexer.commands.filesets.stored_items import named
from indexer.errors import ArchiveError, StorageError
from indexer.filesets.exporting.bag import write_bag
from indexer.filesets.exporting.export import Exported, Form, export
from indexer.filesets.exporting.folder import write_folder

FORMS: dict[str, Form] = {"files": write_folder, "bagit": write_bag}


def export_items(names: Sequence[str], options: ItemExportOptions) -> bool:
    """Export items, and print what became of each. Returns whether all are exported."""
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
    return not failed


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
