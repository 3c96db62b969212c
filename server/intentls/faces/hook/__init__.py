"""The hooks of coding agents: one event in, one answer out, in each agent's own dialect."""

from __future__ import annotations

AGENTS = ("claude-code", "cursor", "codex", "gemini", "cline", "opencode", "copilot")
"""The agents that have a dialect here, as the command line names them."""

DEFAULT_TIMEOUT_S = 8.0
"""After this time the hook refuses: less than the ten seconds that `init` has agents give their hooks."""

SHORT_WAIT_S = 5.0
"""As long waits a hook for a person's answer that was not told how long its agent waits for it (`--wait`)."""

MAX_EVENT_BYTES = 64 * 1024 * 1024
"""The largest event: it may hold a file's whole content."""


class HookOptions:
    """How an agent called its hook.

    `always`: in words also where silence lets the tool run, for agents that take silence for a failure. `goes_on`: the
    agent's run is to go on after a refusal. `wait_s`: how much longer than usual it may take where a person is asked.
    """

    def __init__(self, always: bool = False, goes_on: bool = False, wait_s: float | None = None) -> None:
        self.always = always
        self.goes_on = goes_on
        self.wait_s = wait_s
