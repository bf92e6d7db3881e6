"""A broker and a database, and the instances of a job worker that share them."""

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from indexer.broker import Broker
from indexer.database import Database
from indexer.errors import JobInterrupted
from indexer.jobs.control import load
from indexer.jobs.job_state import JobState
from indexer.jobs.store import JobStore
from indexer.loops.inbox import Inbox
from indexer.loops.jobs import JobRunner
from indexer.messages.exchanges import CONNECTED, Exchange
from indexer.messages.job_worker import Checkpoint, Job, JobSteps
from indexer.messages.message import Send
from indexer.messages.outcome import Outcome, RetryPolicy
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import Queue, Topology
from tests.clock import Clock
from tests.loops.scripted import Scripted, Steps, counting
from tests.patience import PATIENCE
from tests.toy.task import Task

TOPOLOGY = Pipeline("toy", [Step("source", to=["work"]), Step("work", to=["sink"]), Step("sink")])
COMMANDS = Topology(queues=[Queue("work-commands")])


@dataclass
class JobPlace:
    """A broker and a database, and what the instances of a program leave there."""

    broker: Broker
    database: Database
    clock: Clock
    outcomes: list[Outcome] = field(default_factory=list)
    unheard: Exchange = CONNECTED

    def queue(self, *tasks: Task, to: str = "work-in") -> None:
        """Queue messages."""
        self.broker.publish([Send("", to, task.dump()) for task in tasks])

    def runner(self, steps: Steps = counting, **settings: object) -> JobRunner[Task, Task, int]:
        """The loop of one instance, which ends when there is nothing to do."""
        store = JobStore(self.database, "work", timedelta(seconds=120), self.now)
        worker = Scripted(steps)
        for name, value in settings.items():
            setattr(worker, name, value)
        policy = RetryPolicy("work", 2, 60.0, 10.0, self.unheard)
        inbox = Inbox(
            self.broker.consume("work-in", 2),
            policy,
            [self.outcomes.append],
            self.broker.publish,
            until_empty=True,
        )
        commands = Inbox(self.broker.consume("work-commands", 2), policy, [self.outcomes.append])
        return JobRunner(worker, inbox, store, commands)

    def run(self, steps: Steps = counting, **settings: object) -> list[str]:
        """Run an instance until there is nothing to do; the statuses of its outcomes."""
        self.outcomes.clear()
        runner = self.runner(steps, **settings)
        try:
            runner.run(threading.Event())
        finally:
            runner.inbox.consumer.close()
            if runner.commands:
                runner.commands.consumer.close()
        return [outcome.status for outcome in self.outcomes]

    def sent(self) -> list[str]:
        """The texts of the messages in the next step's queue, which is empty then."""
        texts = [Task.load(each.body).text for each in self.broker.peek("sink-in", 100)]
        self.broker.purge("sink-in")
        return texts

    def now(self) -> datetime:
        """The time as the tables hold it."""
        return self.clock.utc().replace(tzinfo=None)

    def state(self, id: str) -> JobState:
        """The state of a job."""
        [job] = load(self.database, id)
        return job.record.state(self.now())

    def depth(self, queue: str) -> int:
        """The number of waiting messages."""
        depth = self.broker.depth(queue)
        assert depth is not None
        return depth.ready + (depth.unsettled or 0)


def waits(job: Job[Task, int]) -> JobSteps[int, Task]:
    """Steps that wait for ever, unless they are interrupted."""
    try:
        while True:
            assert job.stopping.wait(PATIENCE)
            yield Checkpoint(1)
    except JobInterrupted as why:
        yield Checkpoint(2, [Task(job.id, text=type(why).__name__)])
        raise
