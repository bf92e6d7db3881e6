"""Connections: clients that are slow, silent or many."""

from typing import Any

from starlette.responses import PlainTextResponse

from indexer.programs.serving.limits import HEALTH, ServingLimits
from tests.each_row import each_row
from tests.programs.serving.conversation import (
    GET,
    POST,
    Server,
    answering,
    converse,
    endless,
    reading,
)


def test_a_head_that_drips_is_refused_when_its_time_is_over() -> None:
    async def scenario(server: Server) -> None:
        client = await server.open()
        for letter in b"GET / HTT":
            await client.send(bytes([letter]))
            await server.loop.wait(1)
        assert client.read() is None
        await server.loop.wait(1)
        assert (client.read() or b"").startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        assert client.read() == b""

    converse(scenario)


def test_a_silent_connection_is_closed_without_an_answer() -> None:
    async def scenario(server: Server) -> None:
        client = await server.open()
        await server.loop.wait(9)
        assert client.read() is None
        await server.loop.wait(1.1)
        assert client.read() == b""

    converse(scenario)


def test_the_next_head_of_a_kept_connection_is_limited_as_the_first() -> None:
    async def scenario(server: Server) -> None:
        client = await server.open()
        await client.send(GET)
        await server.loop.wait(400)
        await client.send(GET)
        assert (client.read() or b"").count(b"200 OK") == 2
        await client.send(GET[:9])
        await server.loop.wait(9)
        assert client.read() is None
        await server.loop.wait(1.1)
        assert b"408" in (client.read() or b"")
        assert client.read() == b""

    converse(scenario, limits=ServingLimits(idle_seconds=500))


@each_row(("app", "answer"), [(reading, b"408 Request Timeout"), (answering, b"200 OK")])
def test_a_body_that_drips_ends_the_connection(app: Any, answer: bytes) -> None:
    async def scenario(server: Server) -> None:
        client = await server.open()
        await client.send(POST)
        for _ in range(9):
            await server.loop.wait(1)
            await client.send(b"x")
        await server.loop.wait(1.1)
        assert answer in (client.read() or b"")
        assert client.read() == b""

    converse(scenario, app)


@each_row(("seconds", "is_open"), [(499, True), (501, False)])
def test_after_a_body_that_ends_after_the_answer_the_connection_is_idle(
    seconds: int, is_open: bool
) -> None:
    async def scenario(server: Server) -> None:
        client = await server.open()
        await client.send(POST.replace(b"1000000", b"9"))
        assert b"200 OK" in (client.read() or b"")
        await client.send(b"123456789")
        await server.loop.wait(seconds)
        assert (client.read() is None) is is_open

    converse(scenario, limits=ServingLimits(idle_seconds=500))


def test_a_body_above_the_limit_is_refused() -> None:
    async def scenario(server: Server) -> None:
        client = await server.open()
        await client.send(POST)
        for _ in range(4):
            await client.send(b"x" * 20_000)
        assert (client.read() or b"").startswith(b"HTTP/1.1 413 ")
        assert client.read() == b""

    converse(scenario, reading)


def test_a_client_that_does_not_read_its_answer_is_cut_off() -> None:
    async def scenario(server: Server) -> None:
        client = await server.open()
        await client.send(GET)
        await server.loop.wait(60)
        read = client.read()
        while read:
            read = client.read()
        assert read == b""

    converse(scenario, endless)


def test_a_client_that_reads_slowly_gets_its_answer() -> None:
    async def scenario(server: Server) -> None:
        client = await server.open()
        await client.send(GET)
        for _ in range(20):
            # The system asks for more bytes only when most of its buffer is free.
            assert client.read(200_000)
            await server.loop.wait(50)

    converse(scenario, endless)


def test_a_new_connection_takes_the_place_of_the_one_that_waited_longest() -> None:
    async def scenario(server: Server) -> None:
        clients = [await server.open()]
        await server.loop.wait(1)
        clients += [await server.open(), await server.open()]
        await server.loop.rounds()
        assert [client.read() for client in clients] == [b"", None, None]
        await clients[2].send(GET)
        assert b"200 OK" in (clients[2].read() or b"")

    converse(scenario, limits=ServingLimits(connections=2))


def test_an_answer_that_is_being_read_is_not_cut_off_for_a_new_connection() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse(b"x" * 1_000_000)(scope, receive, send)

    async def scenario(server: Server) -> None:
        reader = await server.open()
        await reader.send(GET)
        await server.open()
        received = 0
        while piece := reader.read():
            received += len(piece)
            await server.loop.rounds()
        assert received > 1_000_000

    converse(scenario, app, ServingLimits(connections=1))


def test_health_is_answered_while_all_places_are_taken() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await (answering if scope["path"] in HEALTH else endless)(scope, receive, send)

    async def scenario(server: Server) -> None:
        busy = await server.open()
        await busy.send(GET)
        refused = await server.open()
        await refused.send(GET)
        answer = refused.read() or b""
        assert b"503" in answer
        assert b"retry-after" in answer
        assert refused.read() == b""
        asking = await server.open()
        await asking.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" in (asking.read() or b"")

    converse(scenario, app, ServingLimits(connections=1, of_one_client=0))
