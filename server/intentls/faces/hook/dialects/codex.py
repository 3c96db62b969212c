"""Codex's hooks: Claude Code's format, with Codex's own tools.

A question (`ask`) is taken for a failed hook there, and the call goes on: so nobody is asked, only refused.
"""

from __future__ import annotations

from intentls.faces.hook.dialects.claude_code import ClaudeCode
from intentls.faces.hook.tool_mapping import Toolbox

TOOLBOX = Toolbox(
    edits={"apply_patch": "apply_patch", "Write": "apply_patch", "Edit": "apply_patch"},
    shells=frozenset({"Bash"}),
    reading=frozenset({"Read"}),
    safe=frozenset({"update_plan", "view_image", "web_search"}),
    own_prefixes=("mcp__intentls__",),
)
_NOTHING = frozenset(
    {
        *("PermissionRequest", "PreCompact", "PostCompact"),
        *("SubagentStart", "SubagentStop"),
    }
)

DIALECT = ClaudeCode(TOOLBOX, _NOTHING, asking_modes=frozenset(), advises=False, allows=False)
