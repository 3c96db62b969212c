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
