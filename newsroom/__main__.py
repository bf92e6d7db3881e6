"""Serve the sample newsroom until Ctrl-C: python -m newsroom [PORT [ADDRESS]]"""

import signal
import sys
import threading

from newsroom.server import Newsroom


def main() -> None:
    """Print the URLs, and serve until a signal arrives."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    address = sys.argv[2] if len(sys.argv) > 2 else "127.0.0.1"
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with Newsroom(port, address=address) as room:
        print(_introduction(room), flush=True)
        stop.wait()


def _introduction(room: Newsroom) -> str:
    host = room.addresses[0].partition("=")[0]
    feeds = "\n".join(f"    {url}" for url in room.inputs)
    return f"""The sample newsroom is on 127.0.0.1:{room.port}, until Ctrl-C. Its feeds:

{feeds}

Its hosts exist only here, so tell a client where to connect:

    curl --connect-to ::127.0.0.1:{room.port} http://{host}/
    FETCHER_ALLOW_ADDRESS=127.0.0.0/8 FETCHER_RESOLVE="{" ".join(room.addresses)}" \\
        story-indexer run {room.inputs[0]}
"""


if __name__ == "__main__":
    main()
