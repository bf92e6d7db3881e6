"""The services of a stack file: of programs in our image, and of servers."""

from collections.abc import Mapping, Sequence

from indexer.stack.plan import Document, StackPlan, StackProgram
from indexer.stack.servers import SECRETS, StackServer
from indexer.system.origins import FILE

DATA = "/data"

METRICS_PORT = 9100
"""Where each program serves its metrics and its health."""

STACK_SETTINGS = {"DATAROOT": DATA, "METRICS_ADDRESS": f":{METRICS_PORT}"}
"""Settings of all programs of all stacks."""

GRACE = "1m"
"""Time for a program to end what it has begun: a file may have to be uploaded."""

RESTART_SECONDS = 5
"""The usual pause before a program that has ended is started again."""

LOGGING = {"driver": "json-file", "options": {"max-size": "50m", "max-file": "3"}}


def program_service(plan: StackPlan, program: StackProgram) -> Document:
    """The service of a program; it gets the settings that it reads, and no others."""
    how, configured = program.service, plan.configuration
    given = {**STACK_SETTINGS, **program.defaults, **configured.settings, **program.settings}
    given["DEPLOYMENT_ID"] = plan.deployment
    secrets = {name: path(name) for name in sorted(configured.secrets)}
    secrets = {name: at for name, at in secrets.items() if name + FILE in program.reads}
    given |= {name + FILE: at for name, at in secrets.items()}
    return _service(
        **_image(plan),
        command=[*program.command],
        environment={
            name: given[name] for name in sorted(given) if name in program.reads and given[name]
        },
        secrets=_secrets(secrets),
        user="0" if how.socket else "",
        volumes=[f"data:{DATA}"] * how.keeps + [f"{how.socket}:{how.socket}:ro"] * bool(how.socket),
        ports=_ports(plan, {how.port: how.port} if how.port else {}),
        stop_grace_period=GRACE,
        deploy=_deploy(
            how.megabytes,
            replicas=program.replicas,
            restart="on-failure" if program.ends else "any",
            delay=program.again,
            failure="continue" if _is_short(program) else "rollback",
            alone=how.keeps or bool(how.port),
            placed=how.keeps or bool(how.socket),
        ),
    )


def server_service(plan: StackPlan, server: StackServer) -> Document:
    """The service of a server."""
    files = server.files.items()
    mounts = [f"{plan.path(plan.root / file)}:{at}:ro" for file, at in files]
    configs = [{"source": config(file), "target": at} for file, at in files]
    configured = plan.configuration.secrets
    check = {"test": ["CMD-SHELL", server.healthy], "interval": "10s", "retries": 30}
    return _service(
        image=plan.images.get(server.name, server.image),
        # The data of RabbitMQ belong to its host's name.
        hostname=server.name,
        entrypoint=[*server.entrypoint],
        command=[*server.command],
        environment={
            **server.environment,
            **{name: plan.configuration.settings[of] for name, of in server.settings.items()},
        },
        secrets=_secrets({name: at for name, at in server.secrets.items() if name in configured}),
        configs=[] if plan.realm.local else configs,
        volumes=[f"{server.name}:{server.data}", *(mounts if plan.realm.local else [])],
        ports=_ports(plan, server.ports),
        healthcheck=check if server.healthy else {},
        deploy=_deploy(server.megabytes, placed=True),
    )


def site_service(plan: StackPlan, command: Sequence[str]) -> Document:
    """The service of a sample site, which answers to the names of its hosts."""
    return _service(
        **_image(plan),
        command=[*command],
        networks={"default": {"aliases": [*plan.hosts]}},
        deploy=_deploy(256),
    )


def path(secret: str) -> str:
    """Where a container has a secret."""
    return f"{SECRETS}/{secret.lower()}"


def config(file: str) -> str:
    """The name of a server's file in a stack file."""
    return file.rpartition("/")[2].replace(".", "-")


def _image(plan: StackPlan) -> Document:
    """Our image; one that is not there is built by `docker compose` on this machine."""
    build = {"context": plan.path(plan.root), "dockerfile": "docker/Dockerfile"}
    # Process 1 ignores signals that it has no handler for, as a program has none while it waits.
    return {"image": plan.image, "build": build if plan.realm.local else {}, "init": True}


def _service(**parts: object) -> Document:
    """A service without the parts that are empty."""
    return {**{name: part for name, part in parts.items() if part}, "logging": LOGGING}


def _secrets(places: Mapping[str, str]) -> list[Document]:
    return [{"source": name.lower(), "target": at} for name, at in places.items()]


def _is_short(program: StackProgram) -> bool:
    """Whether a program ends by itself: a swarm takes its end for a failure of the update."""
    return program.ends or program.again > RESTART_SECONDS


def _ports(plan: StackPlan, ports: Mapping[int, int]) -> list[Document]:
    # The mode `host` needs no IPVS in the kernel.
    return [
        {"published": published + plan.ports, "target": target, "mode": "host"}
        for published, target in ports.items()
    ]


def _deploy(
    megabytes: int,
    *,
    replicas: int = 1,
    restart: str = "any",
    delay: int = RESTART_SECONDS,
    failure: str = "rollback",
    alone: bool = True,
    placed: bool = False,
) -> Document:
    """The part of a service that is for swarms.

    A service that must be `alone` is stopped before its update starts. One that is `placed` uses
    what only one node has, such as a volume.
    """
    order = "stop-first" if alone else "start-first"
    placement = {"placement": {"constraints": ["node.role == manager"]}} if placed else {}
    return {
        "replicas": replicas,
        # The addresses of containers, not one for the service: it needs no IPVS in the kernel.
        "endpoint_mode": "dnsrr",
        "restart_policy": {"condition": restart, "delay": f"{delay}s"},
        "update_config": {"order": order, "failure_action": failure, "monitor": "30s"},
        "rollback_config": {"order": order},
        "resources": {"limits": {"memory": f"{megabytes}M"}},
        **placement,
    }
