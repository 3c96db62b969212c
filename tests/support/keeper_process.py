"""A process that keeps the leases, live sessions and questions of any number of roots, each in a repository of its own.

What `intentls coordination serve` is to one clone of a git repository, this is to the roots of many tests: most have
no git, and a process for each would cost a second. Lines of JSON come in, `[root, address, repository]` to serve a root
and `null` to end all that are served; each is answered with a line when it is done.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

from intentls.core.gate.database_address import digest
from intentls.engine.questions.exchange import QuestionExchange
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.store.layout import Layout
from intentls.store.sessions.coordination.database import ClonePlace
from intentls.store.sessions.coordination.keeper import Keeper
from intentls.store.sessions.coordination.keeper_files import KeeperFiles
from intentls.store.sessions.coordination.keeper_server import Switchboard
from intentls.store.sessions.coordination.wire import KeeperAddress
from tests.support.patience import PATIENCE_S, eventually

_WAIT_S = 10.0


def _serve(stack: ExitStack, root: Path, address: str, repository: str) -> None:
    """Be the keeper of `root` until the stack is closed; it is connected when this returns."""
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="keep-", dir="/tmp"))
    place = ClonePlace(repository, "", f"one machine {root}", "one machine")
    files = KeeperFiles(Layout(root).coordination)
    files.prepare()
    guest = QuestionExchange(Engine(Headless("cli", (root,))).workspace(root), place)
    keeper = Keeper(address, place, _WAIT_S, hear=files.note_news, guest=guest)
    stack.callback(keeper.close)
    server = stack.enter_context(Switchboard(f"{folder}/keeper", keeper, digest(address)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    stack.callback(thread.join, PATIENCE_S)
    stack.callback(server.shutdown)
    eventually(lambda: keeper.trouble() is None)
    files.publish(KeeperAddress(f"{folder}/keeper", 0))


def main() -> None:
    """Do what the lines say, until there are no more."""
    with ExitStack() as all_of_them:
        served = all_of_them.enter_context(ExitStack())
        for line in sys.stdin:
            order = json.loads(line)
            if order is None:
                served.close()
            else:
                root, address, repository = order
                _serve(served, Path(root), address, repository)
            print("done", flush=True)  # noqa: T201  its way to answer


if __name__ == "__main__":
    main()
