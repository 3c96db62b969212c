"""Which test runs on which worker of pytest-xdist."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

_WITH_A_SERVER = ("tests/e2e/", "tests/clients/")
_WITH_MANY_SERVERS = ("tests/faults/", "tests/concurrency/")


class OneServerAtATime(LoadScopeScheduling):
    """All tests with a server process of their own go to one worker: they don't starve each other.

    So do those with many, to another one.

    The other tests go one by one to whoever is free. `xdist_group` marks would say the same, but are silently
    without effect in pytest 9.2 with pytest-xdist 3.8 (pytest-xdist's issue 1386).
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(_WITH_MANY_SERVERS):
            return "with many servers"
        return "with a server" if nodeid.startswith(_WITH_A_SERVER) else nodeid
