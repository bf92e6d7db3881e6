"""`story-indexer filesets ingest` without any input, as people try it first."""

from tests.commands.filesets.conftest import Filesets


def test_without_input_samples_are_archived(filesets: Filesets) -> None:
    found = filesets.ingest()
    sets = [each for each in found if each["request"]["ingest_type"] == "dataset"]
    assert len(sets) > 3
    assert all(each["hit"] for each in sets)
    filesets.run("verify", "--to", str(filesets.items))
