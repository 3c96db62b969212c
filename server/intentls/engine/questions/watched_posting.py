"""A question with a watch on its answers, for a face that waits on an event loop and does other things meanwhile.

A process that only waits for one answer uses `posting.ask_and_wait`, which loads less.
"""

from __future__ import annotations

import asyncio

from intentls.engine.actions.effects import Ask
from intentls.engine.questions.posting import Posting
from intentls.store.fs.directory_watch import LOOK_AGAIN_S, DirectoryWatch


class WatchedPosting(Posting):
    """Put to the workspace; the watch is there first, so that no answer is missed. `close` it in the end."""

    def __init__(self, ask: Ask) -> None:
        """Post it. Raises OSError."""
        self.watch = DirectoryWatch(ask.workspace.layout.questions)
        try:
            super().__init__(ask)
        except OSError:
            self.watch.close()
            raise

    def close(self) -> None:
        """The question is answered, or given up. No `news` of its watch may be waited for any more."""
        super().close()
        self.watch.close()


async def news(watch: DirectoryWatch) -> None:
    """Wait until something happened in the directory, or it is time to look."""
    if watch.descriptor is None:
        await asyncio.sleep(LOOK_AGAIN_S)
        return
    loop, descriptor = asyncio.get_running_loop(), watch.descriptor
    told: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not told.done():
            told.set_result(None)

    loop.add_reader(descriptor, tell)
    try:
        await told
    finally:
        loop.remove_reader(descriptor)
    watch.drain()
