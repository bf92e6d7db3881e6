"""What a stack file is made of."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.service import Service
from indexer.stack.configuration import StackConfiguration
from indexer.stack.realms import Realm

Document = dict[str, object]
"""A part of a stack file."""


@dataclass(frozen=True, slots=True)
class StackProgram:
    """A program of the stack: its command in our image, and the settings that it reads.

    `defaults` are those of its flavor, `settings` its own, which the configuration can't change. A
    program that `ends` is not started again; another one that has ended is, after `again` seconds.
    """

    name: str
    command: Sequence[str]
    reads: Collection[str] = ()
    defaults: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    service: Service = Service()  # noqa: RUF009 - it can't be changed
    replicas: int = 1
    ends: bool = False
    again: int = 5


@dataclass(frozen=True, slots=True)
class StackPlan:
    """A flavor in a realm, with its configuration.

    `others` are flavors whose programs run with it, as those of pipeview do. `services` says how
    programs run, by name. `operations` are programs that watch the servers, each if one of the
    settings that it `uses` is configured; `setup` are commands that prepare the servers. `reads`
    tells the settings that a program's module reads, `credentials` those of a blob store; `known`
    are those of programs outside of the stack: one configuration serves several stacks; `secret`
    are those whose values are secrets, or URLs that may contain one. `inputs` are for producers
    that read inputs. `site` is the command that serves a sample site, and `hosts` are its names:
    with them the site is part of the stack. `images` are servers' images in place of the usual
    ones. `deployment` is the name for which programs wait until their queues exist. Paths in the
    stack file are relative to `folder`; the files of servers are below `root`.
    """

    pipeline: Pipeline
    realm: Realm
    configuration: StackConfiguration
    services: Mapping[str, Service]
    reads: Callable[[str], Collection[str]]
    credentials: Callable[[str], Collection[str]]
    known: Collection[str] = ()
    secret: Collection[str] = ()
    image: str = "story-indexer"
    others: Sequence[Pipeline] = ()
    operations: Sequence[Step] = ()
    setup: Sequence[StackProgram] = ()
    inputs: Sequence[str] = ()
    site: Sequence[str] = ()
    hosts: Sequence[str] = ()
    images: Mapping[str, str] = field(default_factory=dict)
    deployment: str = ""
    folder: Path = Path()
    root: Path = Path()

    @property
    def name(self) -> str:
        """The name of the stack."""
        return f"{self.pipeline.name}-{self.realm.name}"

    def path(self, path: Path) -> str:
        """A path as the stack file has it."""
        relative = os.path.relpath(path, self.folder)
        return relative if relative.startswith("..") else f"./{relative}"

    @property
    def ports(self) -> int:
        """What is added to the usual numbers of ports."""
        return self.pipeline.ports + self.realm.ports
