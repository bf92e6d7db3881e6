"""The API: large answers, many readers."""

import asyncio
from typing import Any

import httpx
from fastapi import FastAPI

from indexer.pipeview.api import MOST_ANSWERS, application
from indexer.pipeview.store import CrumbStore
from indexer.programs.streaming import CHUNK_BYTES
from tests.patience import PATIENCE
from tests.pipeview.counted import TODAY, a_crumb, put
from tests.pipeview.test_api import DAYS, ask, client


def test_a_long_answer_is_whole(empty: CrumbStore) -> None:
    put(empty, *(a_crumb(feed=feed) for feed in range(5000)))
    answer = client(empty)("/sum/?col=feed_id")
    assert len(answer.content) > 3 * CHUNK_BYTES
    assert [row["feed_id"] for row in answer.json()] == [*range(5000)]


def test_slow_readers_do_not_block_health_checks(empty: CrumbStore) -> None:
    put(empty, *(a_crumb(feed=feed) for feed in range(2000)))
    app = application(empty, DAYS, lambda: TODAY)
    asyncio.run(asyncio.wait_for(while_others_read(app), PATIENCE))


async def while_others_read(app: FastAPI) -> None:
    """Send requests while the maximal number of clients is reading, and after that."""
    begun = asyncio.Semaphore(0)
    reading = asyncio.Event()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            begun.release()
            await reading.wait()

    others = [asyncio.create_task(ask(app, b"col=feed_id", send)) for _ in range(MOST_ANSWERS)]
    for _ in others:
        await begun.acquire()
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://pipeview"
    ) as session:
        for path in ("/sum/", "/funnel/"):
            refused = await session.get(path)
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert (await session.get("/healthz")).status_code == 200
        reading.set()
        await asyncio.gather(*others)
        for _ in range(MOST_ANSWERS + 1):
            assert (await session.get("/sum/")).status_code == 200
