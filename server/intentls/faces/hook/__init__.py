"""The hooks of coding agents: one event in, one answer out, in each agent's own dialect."""

from __future__ import annotations

AGENTS = ("claude-code", "cursor", "codex", "gemini", "cline")
"""The agents whose dialect is spoken, as the command line names them."""

DEFAULT_TIMEOUT_S = 8.0
"""When to give up and refuse: below the ten seconds that `init` has agents give their hooks."""

MOST_BYTES = 64 * 1024 * 1024
"""Of an event: a file's whole content may be in it."""
