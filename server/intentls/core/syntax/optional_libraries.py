"""The libraries that read syntax trees: the extra `ast`, without which everything else works."""

from __future__ import annotations

INSTALL = "pip install 'intentls[ast]'"
"""The command that brings them, for the sentences that miss one."""
