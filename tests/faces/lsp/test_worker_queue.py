"""Lanes: where the engine's work waits for its turn."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Iterator

import pytest

from intentls.faces.lsp.worker_queue import WorkerQueue


@pytest.fixture
def queue() -> Iterator[WorkerQueue]:
    queue = WorkerQueue("test")
    yield queue
    queue.close()


async def test_work_happens_on_the_queues_thread_in_order(queue: WorkerQueue) -> None:
    """What was asked for first is done first, all of it by one thread that is not the loop's."""
    done: list[int] = []
    threads = await asyncio.gather(
        *(queue.run(lambda n=n: (done.append(n), threading.current_thread().name)[1]) for n in range(20))
    )
    assert done == list(range(20))
    assert set(threads) == {"test_0"}


async def test_an_error_reaches_whoever_awaits_the_work(queue: WorkerQueue) -> None:
    """The error itself, and the queue goes on."""
    with pytest.raises(ZeroDivisionError):
        await queue.run(lambda: 1 // 0)
    with pytest.raises(KeyboardInterrupt):
        await queue.run(lambda: exec("raise KeyboardInterrupt"))
    assert await queue.run(lambda: 7) == 7


async def test_work_sees_the_variables_of_its_request(queue: WorkerQueue) -> None:
    """A context variable has the value that it had when the work was asked for."""
    variable = contextvars.ContextVar("variable", default="none")
    variable.set("first")
    first = asyncio.create_task(queue.run(variable.get))
    await asyncio.sleep(0)
    variable.set("second")
    assert await first == "first"


async def test_what_is_given_up_before_its_turn_never_begins(queue: WorkerQueue) -> None:
    """A cancelled request that still waits in the queue changes nothing, and what it waited for is left alone."""
    gate, begun = threading.Event(), []
    before = asyncio.create_task(queue.run(gate.wait))
    waiting = asyncio.create_task(queue.run(lambda: begun.append("cancelled")))
    after = asyncio.create_task(queue.run(lambda: begun.append("after")))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(before, after)
    assert waiting.cancelled()
    assert begun == ["after"]


@pytest.mark.parametrize("fails", [False, True])
async def test_what_is_given_up_while_it_runs_is_finished_quietly(queue: WorkerQueue, fails: bool) -> None:
    """Work that has begun runs to its end; nobody is told of its result, nor of its error."""
    begun, gate, trouble = threading.Event(), threading.Event(), []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: trouble.append(context))

    def work() -> None:
        begun.set()
        gate.wait()
        if fails:
            raise ValueError

    running = asyncio.create_task(queue.run(work))
    await asyncio.to_thread(begun.wait)
    running.cancel()
    await asyncio.sleep(0)
    gate.set()
    await queue.run(lambda: None)
    await asyncio.sleep(0)
    assert running.cancelled()
    assert trouble == []


async def test_a_closed_lane_takes_no_more(queue: WorkerQueue) -> None:
    """After its end there is nowhere to work."""
    queue.close()
    with pytest.raises(RuntimeError):
        await queue.run(lambda: None)
