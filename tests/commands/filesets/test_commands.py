"""`story-indexer filesets`: a DOI becomes an item and one result, and can be verified."""

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from indexer.warc.reader import read
from indexer.warc.record import Record
from tests.commands.filesets.conftest import Filesets
from tests.filesets.zenodo_server import ZenodoServer

FILES = {"data/a.csv": b"a,b\n1,2\n", "b.bin": bytes(range(256)), "empty": b""}


def test_a_doi_becomes_an_item_and_a_result(filesets: Filesets, zenodo: ZenodoServer) -> None:
    doi = zenodo.add(7, FILES)
    (result,) = filesets.ingest(doi)
    facts = {name: result[name] for name in ("hit", "status", "platform_name", "platform_id")}
    assert facts == {
        "hit": True,
        "status": "success",
        "platform_name": "zenodo",
        "platform_id": "7",
    }
    assert result["request"]["base_url"] == f"https://doi.org/{doi}"
    assert result["hops"] == [f"https://doi.org/{doi}", f"{zenodo.url}/records/7"]
    assert result["terminal"]["terminal_status_code"] == 200
    assert result["html_biblio"] == {"title": "Tides"}
    assert (result["file_count"], result["total_size"]) == (3, 264)
    assert result["ingest_strategy"] == "archiveorg-fileset"
    root = filesets.items / result["archiveorg_item_name"]
    assert {path: (root / path).read_bytes() for path in FILES} == FILES
    assert filesets.run("verify", str(root)).out.endswith(": 6 files are right\n")


def test_the_evidence_has_each_redirect_and_answer(
    filesets: Filesets, zenodo: ZenodoServer
) -> None:
    (result,) = filesets.ingest(zenodo.add(7, FILES))
    name = result["archiveorg_item_name"]
    data = (filesets.items / name / f"{name}_evidence.warc.gz").read_bytes()
    records = [each for each in read(BytesIO(data)) if isinstance(each, Record)]
    urls = [each.uri.removeprefix(zenodo.url) for each in records if each.kind == "response"]
    assert urls == ["/10.5281/zenodo.7", "/records/7", "/api/records/7"]


def test_a_repeat_asks_for_no_file(filesets: Filesets, zenodo: ZenodoServer) -> None:
    doi = zenodo.add(7, FILES)
    filesets.ingest(doi)
    zenodo.requests()
    (result,) = filesets.ingest(doi)
    assert result["status"] == "success-existing"
    assert not any(path.endswith("/content") for path in zenodo.requests())


def test_a_single_file_has_a_result_of_its_own_before(
    filesets: Filesets, zenodo: ZenodoServer
) -> None:
    doi = zenodo.add(7, {"a.csv": b"1,2"})
    for status in ("success-file", "success-existing"):
        of_file, of_set = filesets.ingest(doi)
        assert of_set["status"] == status
        assert of_set["ingest_strategy"] == "archiveorg-file"
        assert of_set["fileset_file"]["file_meta"] == of_file["file_meta"]
        assert of_file["request"]["ingest_type"] == "dataset-file"
        assert (of_file["hit"], of_file["status"]) == (True, "success")
        assert of_file["terminal"]["terminal_sha1hex"] == of_file["file_meta"]["sha1hex"]


def lines(*requests: object) -> bytes:
    return b"".join(
        each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in requests
    )


def test_each_line_has_one_result(
    filesets: Filesets, zenodo: ZenodoServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {"ingest_type": "dataset", "base_url": f"https://doi.org/{zenodo.add(7, FILES)}"}
    given = lines(
        good,
        b"{broken\n",
        {"ingest_type": "pdf", "base_url": "x"},
        b"\n",
        {"ingest_type": "dataset", "base_url": "nonsense"},
        {"ingest_type": "dataset", "base_url": f"{zenodo.url}/records/404"},
        good,
    )
    wanted = ["success", "bad-request", "bad-request", "invalid-url", "platform-404"]
    path = tmp_path / "requests.jsonl"
    path.write_bytes(given)
    found = filesets.ingest(str(path), status=1)
    assert [each["status"] for each in found] == [*wanted, "success-existing"]
    assert all({"hit", "status", "request", "hops"} <= each.keys() for each in found)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(given)))
    assert len(filesets.ingest("-", status=1)) == 6


def test_results_are_kept(filesets: Filesets, zenodo: ZenodoServer) -> None:
    printed = filesets.ingest(zenodo.add(7, {"a.csv": b"1,2"}), zenodo.add(9, FILES))
    kept = {path.name[:-17]: path.read_text() for path in filesets.results.glob("*.jsonl")}
    of_files, of_sets = kept["ingest-file-results"], kept["ingest-fileset-results"]
    found = [json.loads(line) for line in (of_files + of_sets).splitlines()]
    assert found == printed


def test_an_unexpected_error_is_a_result(
    filesets: Filesets, zenodo: ZenodoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("surprise")

    doi = zenodo.add(7, FILES)
    for place in ("ingest.ingester.choose", "strategies.item_ingest.stored_names"):
        with monkeypatch.context() as patched:
            patched.setattr(f"indexer.filesets.{place}", fail)
            (result,) = filesets.ingest(doi, status=1)
        assert result["status"] == "internal-error"
        assert result["error_message"].startswith("KeyError: 'surprise', test_commands.py:")


def test_try_fetches_no_file(filesets: Filesets, zenodo: ZenodoServer) -> None:
    doi = zenodo.add(7, FILES)
    printed = filesets.run("try", doi).out
    for word in ("zenodo", "archiveorg-fileset", "no web archive", "data/a.csv", "264 bytes"):
        assert word in printed
    assert not any(path.endswith("/content") for path in zenodo.requests())
    (result,) = map(json.loads, filesets.run("try", doi, "--json").out.splitlines())
    assert (result["status"], result["file_count"]) == ("found", 3)
    assert "platform-404" in filesets.run("try", f"{zenodo.url}/records/8", status=1).out


def test_limits_are_options(filesets: Filesets, zenodo: ZenodoServer) -> None:
    doi = zenodo.add(7, FILES)
    for option, status in {"file-count": "too-many-files", "total-size": "too-large-size"}.items():
        (result,) = filesets.ingest(doi, f"--max-{option}", "2", status=1)
        assert (result["status"], len(result["manifest"])) == (status, 3)


def test_items_are_listed_and_shown(filesets: Filesets, zenodo: ZenodoServer) -> None:
    (result,) = filesets.ingest(zenodo.add(7, FILES))
    name = result["archiveorg_item_name"]
    to = ("--to", str(filesets.items))
    (row,) = filesets.run("list", *to).out.splitlines()[1:]
    assert row.split()[:3] == [name, "7", "v1"]
    assert json.loads(filesets.run("list", *to, "--json").out)["bytes"] == 264
    assert "data/a.csv" in filesets.run("show", name, *to).out
    assert len(json.loads(filesets.run("show", name, *to, "--json").out)["files"]) == 3
    assert "no such item" in filesets.run("show", "other", *to, status=1).err


def test_damage_ends_verify_with_1(filesets: Filesets, zenodo: ZenodoServer) -> None:
    (result,) = filesets.ingest(zenodo.add(7, FILES))
    to, root = ("--to", str(filesets.items)), filesets.items / result["archiveorg_item_name"]
    filesets.run("verify", *to)
    (root / "b.bin").write_bytes(bytes(256))
    assert ": b.bin: another md5" in filesets.run("verify", *to, status=1).out
    found = json.loads(filesets.run("verify", str(root), "--json", status=1).out)
    assert found["damages"][0][0] == "b.bin"
    assert "not complete" in filesets.run("verify", "other", *to, status=1).out
    assert "no items" in filesets.run("verify", "--to", f"{root}/none", status=1).err


@pytest.mark.parametrize("given", ["nonsense", "10.5281", "file.txt"])
def test_another_input_is_refused(filesets: Filesets, given: str) -> None:
    assert "no DOI, no URL" in filesets.run("ingest", given, status=2).err


def test_ctrl_c_says_how_to_go_on(
    filesets: Filesets, zenodo: ZenodoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    doi = zenodo.add(7, FILES)
    with monkeypatch.context() as patched:
        patched.setattr("indexer.commands.filesets.progress.IngestProgress.at", interrupt)
        assert "goes on" in filesets.run("ingest", doi, status=130).err
    assert [each["status"] for each in filesets.ingest(doi)] == ["success"]


def test_small_datasets_are_captured_if_there_is_a_place_for_captures(
    filesets: Filesets, zenodo: ZenodoServer
) -> None:
    doi = zenodo.add(7, FILES)
    web = filesets.items.parent / "web"
    for status in ("success", "success-existing"):
        (result,) = filesets.ingest(doi, "--web", str(web))
        assert (result["status"], result["ingest_strategy"]) == (status, "web-fileset")
        assert "archiveorg_item_name" not in result
    assert not filesets.items.exists()
    filesets.run("verify", "--to", str(web))
