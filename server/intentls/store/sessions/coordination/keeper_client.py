"""Coordination as any process has it: it asks the clone's keeper, or starts one, and never waits long."""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import Any

from intentls.core.errors import StoreError
from intentls.core.gate.database_address import InvalidAddress, digest, with_tls
from intentls.core.intents.lease import FencedUse, Lease, Process
from intentls.store.layout import Layout
from intentls.store.process.run import start_detached
from intentls.store.sessions.coordination import wire
from intentls.store.sessions.coordination.elapsed import elapsed_s
from intentls.store.sessions.coordination.keeper_files import KeeperFiles
from intentls.store.sessions.coordination.keeper_line import KeeperLine
from intentls.store.sessions.coordination.protocol import Claim, CoordinationAway, LiveSession, Taking

log = logging.getLogger(__name__)

WAIT_VARIABLE = "INTENTLS_COORDINATION_WAIT_MS"
_DEFAULT_WAIT_S = 0.04
_ON_THE_WAY_S = 0.01  # beside what the database may take
_POLL_S = 0.02
_MAX_WAIT_S = 10.0


def wait_s(environment: Mapping[str, str]) -> float:
    """How long the database may take for an answer: 40 ms, or what the environment says, at most 10 s."""
    text = environment.get(WAIT_VARIABLE, "")
    return min(int(text) / 1000, _MAX_WAIT_S) if text.isascii() and text.isdecimal() else _DEFAULT_WAIT_S


class KeeperClient:
    """The coordination of one root in the database at `address`. `start` starts a keeper."""

    is_shared = True

    def __init__(
        self, layout: Layout, address: str, answer_s: float, start: Callable[[Layout], None] | None = None
    ) -> None:
        self._layout, self.address, self._answer_s = layout, address, answer_s
        self._files = KeeperFiles(layout.coordination)
        self._line = KeeperLine()
        self._digest = digest(address)
        self._start = start or start_keeper

    def take(self, claim: Claim) -> Taking:
        """See the protocol."""
        return wire.taking_from_json(self._ask({"op": "take", **wire.claim_to_json(claim)}))

    def on(self, paths: Iterable[str], but: str | None = None) -> dict[str, Lease]:
        """See the protocol."""
        leases = wire.leases_from_json(self._ask({"op": "on", "paths": list(dict.fromkeys(paths))})["leases"])
        return {lease.path: lease for lease in leases if but is None or not lease.belongs_to(but)}

    def standing(self) -> list[Lease]:
        """See the protocol."""
        return wire.leases_from_json(self._ask({"op": "standing"})["leases"])

    def drop(self, leases: Iterable[Lease]) -> None:
        """See the protocol."""
        gone = [wire.lease_to_json(lease) for lease in leases if not lease.host]
        if gone:
            self._ask({"op": "drop", "leases": gone})

    def release(self, session_id: str, but: str | None = None) -> None:
        """See the protocol."""
        self._ask({"op": "release", "session_id": session_id, "but": but})

    def fences(self, session_id: str, paths: Iterable[str]) -> dict[str, FencedUse]:
        """See the protocol."""
        uses = self._ask({"op": "fences", "session_id": session_id, "paths": list(paths)})["fences"]
        return {str(path): wire.use_from_json(use) for path, use in uses.items()}

    def announce(self, session: LiveSession, process: Process | None) -> None:
        """See the protocol."""
        message = {"session": wire.session_to_json(session), "process": wire.process_to_json(process)}
        self._ask({"op": "announce", **message})

    def leave(self, session_id: str) -> None:
        """See the protocol."""
        self._ask({"op": "leave", "session_id": session_id})

    def elsewhere(self) -> list[LiveSession]:
        """See the protocol."""
        return [wire.session_from_json(value) for value in self._ask({"op": "elsewhere"})["sessions"]]

    def trouble(self) -> str | None:
        """See the protocol."""
        try:
            trouble = self._ask({"op": "trouble"})["trouble"]
        except StoreError as error:
            return str(error)
        return None if trouble is None else str(trouble)

    def generation(self) -> object:
        """See the protocol: a keeper knows what was announced to it alone."""
        return self._files.address()

    def settle(self, within_s: float) -> str | None:
        """Wait until a keeper answers and has tried to connect, at most so long; why the database is away then.

        For people, who wait for an answer rather than read that there is none yet; no gate calls it.
        """
        end = elapsed_s() + within_s
        while True:
            left = max(0.0, end - elapsed_s())
            try:
                trouble = self._ask({"op": "settle", "wait_s": left}, left + self._answer_s)["trouble"]
            except CoordinationAway as away:
                if left == 0:
                    return str(away)
                time.sleep(min(left, _POLL_S))
            else:
                return None if trouble is None else str(trouble)

    def _ask(self, message: dict[str, Any], within_s: float | None = None) -> dict[str, Any]:
        """The keeper's answer. Raises CoordinationAway; StoreError for what the keeper can't make sense of."""
        line = wire.pack({**message, "digest": self._digest})
        if not hasattr(socket, "AF_UNIX"):
            raise CoordinationAway("Coordination Away: leases are shared by way of Unix sockets, which Windows lacks.")
        try:
            with_tls(self.address)
        except InvalidAddress as error:
            raise CoordinationAway(f"Coordination Away: {error}.") from None
        address = self._files.address()
        try:
            if address is None:
                raise FileNotFoundError  # noqa: TRY301  as when its socket is gone
            answer = self._line.ask(address, line, (within_s or self._answer_s) + _ON_THE_WAY_S)
        except (FileNotFoundError, ConnectionRefusedError, ConnectionResetError, BrokenPipeError):
            self._start_keeper()
            failure = self._files.failure() or "the process that shares leases with other machines is being started"
            raise CoordinationAway(f"Coordination Away: {failure}.") from None
        except TimeoutError:
            raise CoordinationAway(
                "Coordination Away: the process that shares leases with other machines does not answer."
            ) from None
        except (OSError, ValueError, TypeError) as error:
            raise CoordinationAway(f"Coordination Away: the keeper can't be asked: {error}.") from None
        if "away" in answer and isinstance(answer["away"], str):
            raise CoordinationAway(f"Coordination Away: {answer['away']}.")
        if "error" in answer:
            raise StoreError(str(answer["error"]))
        return answer

    def _start_keeper(self) -> None:
        try:
            if not self._files.is_first_to_start():
                return
            if find_spec("psycopg") is None:  # as in the server that VS Code's extension brings along
                self._files.note_failure(f"{sys.executable} has no psycopg: pip install 'intentls[postgresql]'")
                return
            self._start(self._layout)
        except StoreError:
            log.warning("no keeper can be started", exc_info=True)


def start_keeper(layout: Layout) -> None:
    """Start the keeper of a root. It takes the address from the environment or the policy, as we did."""
    start_detached([sys.executable, "-P", "-m", "intentls", "coordination", "serve", "--root", os.fspath(layout.root)])
