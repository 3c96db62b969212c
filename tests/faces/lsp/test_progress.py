"""Long questions: shown when they are long, given up when the client says so."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcRequestCancelled

from intentls.engine.workspace.progress import Progress
from intentls.faces.lsp import progress
from intentls.faces.lsp.progress import run_with_progress
from intentls.faces.lsp.worker_queue import WorkerQueue
from tests.support.patience import PATIENCE_S


class Bar:
    """A client's progress bar, as `pygls.progress.Progress` drives it."""

    def __init__(self, can_create: bool = True) -> None:
        self.tokens: dict[Any, Any] = {}
        self.seen: list[str] = []
        self.on_create: Callable[[], None] = lambda: None
        self.on_report: Callable[[Any], None] = lambda _: None
        self._can_create = can_create

    async def create_async(self, token: str) -> None:
        self.seen.append("create")
        self.on_create()
        if not self._can_create:
            raise JsonRpcException("no")
        self.tokens[token] = asyncio.get_running_loop().create_future()

    def begin(self, token: Any, value: types.WorkDoneProgressBegin) -> None:
        assert value.cancellable
        self.tokens.setdefault(token, asyncio.get_running_loop().create_future())
        self.seen.append(f"begin {value.title}")

    def report(self, token: Any, value: types.WorkDoneProgressReport) -> None:
        self.seen.append(f"{value.percentage} %")
        self.on_report(token)

    def end(self, token: Any, value: types.WorkDoneProgressEnd) -> None:
        self.seen.append("end")


def connection_with(bar: Bar, *, shows_progress: bool = True) -> Any:
    """As much of a connection as a long query needs."""
    return SimpleNamespace(
        server=SimpleNamespace(work_done_progress=bar),
        host=SimpleNamespace(capabilities=SimpleNamespace(shows_progress=shows_progress)),
        queries=WorkerQueue("test-queries"),
    )


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_DELAY_S", 0.01)
    monkeypatch.setattr(progress, "_INTERVAL_S", 0.01)


def until(event: threading.Event) -> Callable[[Progress], str]:
    """Work that is half done until the event, and then done."""

    def work(report: Progress) -> str:
        report(50, 100)
        assert event.wait(PATIENCE_S)
        report(100, 100)
        return "done"

    return work


async def test_what_takes_long_is_shown_by_the_server_itself() -> None:
    """Without a token the client is asked for a bar; it shows how far the work is, and goes when it is done."""
    bar, enough = Bar(), threading.Event()
    bar.on_report = lambda _: enough.set()
    assert await run_with_progress(connection_with(bar), "Verifying", until(enough)) == "done"
    assert bar.seen[:3] == ["create", "begin Verifying", "50 %"]
    assert bar.seen[-1] == "end"
    assert bar.tokens == {}


async def test_what_is_quick_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bar flickers up for a question that is answered at once."""
    monkeypatch.setattr(progress, "_DELAY_S", 60)
    bar = Bar()
    assert await run_with_progress(connection_with(bar), "Verifying", lambda report: report(1, 1)) is None
    assert bar.seen == []


@pytest.mark.parametrize("shows_progress", [True, False])
async def test_a_client_without_a_bar_still_gets_its_answer(*, shows_progress: bool) -> None:
    """One that can't show it is not asked, one that refuses is asked once."""
    bar, enough = Bar(can_create=False), threading.Event()
    bar.on_create = enough.set  # the work lasts until the client was asked
    if not shows_progress:
        asyncio.get_running_loop().call_later(0.1, enough.set)
    assert (
        await run_with_progress(connection_with(bar, shows_progress=shows_progress), "Verifying", until(enough))
        == "done"
    )
    assert bar.seen == (["create"] if shows_progress else [])


async def test_a_cancelled_bar_ends_the_work_and_the_request() -> None:
    """The worker stops at its next word, and the request is answered as cancelled."""
    bar, worked = Bar(), threading.Event()

    def work(report: Progress) -> None:
        try:
            while True:
                report(1, 2)
        finally:
            worked.set()

    bar.on_report = lambda token: bar.tokens[token].cancel()
    with pytest.raises(JsonRpcRequestCancelled):
        await run_with_progress(connection_with(bar), "Verifying", work, token="mine")
    assert worked.is_set()
    assert (bar.seen[0], bar.seen[-1]) == ("begin Verifying", "end")


async def test_a_cancelled_request_ends_the_work() -> None:
    """After `$/cancelRequest` the worker stops too, although nobody waits for it any more."""
    bar, begun, worked = Bar(), asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def work(report: Progress) -> None:
        loop.call_soon_threadsafe(begun.set)
        try:
            while True:
                report(0, 0)
        finally:
            worked.set()

    task = asyncio.create_task(run_with_progress(connection_with(bar), "Verifying", work))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(worked.wait, PATIENCE_S)


async def test_an_error_of_the_work_is_the_answer() -> None:
    """Progress or not, what went wrong comes out, and the bar goes."""
    bar = Bar()

    def work(_: Progress) -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await run_with_progress(connection_with(bar), "Verifying", work, token=1)
    assert bar.seen == ["begin Verifying", "end"]
