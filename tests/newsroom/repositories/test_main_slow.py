"""newsroom/repositories/__main__.py: the program, started as a benchmark or a person starts it."""

import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT
from tests.patience import PATIENCE

FILE = "/api/records/20000011/files/00001/part%202.csv/content"


def test_the_program_serves_until_a_signal_arrives(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    options = [
        "--json",
        "--datasets",
        "2",
        "--files",
        "3",
        "--size",
        "500",
        "--fault",
        "500:times=1@*/content",
    ]
    started = subprocess.Popen(
        [sys.executable, "-m", "newsroom.repositories", *options, "--log", str(log)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    )
    with started:
        assert started.stdout
        settings = json.loads(started.stdout.readline())["settings"]
        port = int(settings["FETCHER_RESOLVE"].rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        answers = []
        for _ in range(2):
            connection.request("GET", FILE, headers={"Host": "zenodo.example"})
            response = connection.getresponse()
            answers.append((response.status, len(response.read())))
        connection.close()
        started.send_signal(signal.SIGINT)
        assert started.wait(PATIENCE) == 0
    assert answers == [(500, answers[0][1]), (200, 502)]
    assert [json.loads(line)["status"] for line in log.read_text("utf-8").splitlines()] == [
        500,
        200,
    ]
