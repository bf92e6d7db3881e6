"""How a swarm runs a program: what a stack file says of it besides its place in the flow."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Service:
    """The containers of a program.

    There are `replicas` of them, and each may take `megabytes` of memory. A producer looks for new
    inputs every so many seconds; another program that ends by itself is started again so long
    after its end (0: never). `keeps` tells that files in its data directory must outlive the
    container. `port` is served to people, and published. `arguments` are those of the program; the
    credentials of the blob stores in `stores` are for it. `socket` is a Unix socket of the machine
    that it uses, as root.
    """

    replicas: int = 1
    megabytes: int = 1024
    every: int = 0
    keeps: bool = False
    port: int = 0
    arguments: Sequence[str] = ()
    stores: Sequence[str] = ()
    socket: str = ""
