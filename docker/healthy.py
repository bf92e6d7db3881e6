"""The health check of the image: whether the program in the container answers `GET /healthz`.

The program's HTTP server is at METRICS_ADDRESS. Without that variable there is no server to ask, as
in the container of a command, which is healthy for as long as it runs.
"""

import os
import socket
import sys

# Sent as it is: the modules of Python for HTTP take longer to import than the check takes, and it
# is made in every container every ten seconds.
REQUEST = b"GET /healthz HTTP/1.0\r\n\r\n"


def main() -> int:
    """Return 0 if the container is healthy, else 1."""
    port = os.environ.get("METRICS_ADDRESS", "").rpartition(":")[2]
    if not port:
        return 0
    try:
        with socket.create_connection(("127.0.0.1", int(port)), timeout=5) as server:
            server.sendall(REQUEST)
            status = server.makefile("rb").readline(100).split()[1:2]
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    return 0 if status == [b"200"] else 1


if __name__ == "__main__":
    sys.exit(main())
