"""The intent-driven protocol, as text for an agent's system prompt."""

from __future__ import annotations

from intentls.engine.workspace.engine import Engine

_PROMPT = """\
# Intent-driven protocol

This workspace is governed: every change must answer to an intent declared in .orchestration/active_intents.yaml.

1. Before you change anything, pick the intent that covers the task (list_intents) and call
   select_active_intent(intent_id). It returns an <intent_context> with the intent's owned_scope, constraints,
   acceptance_criteria, related files, recent changes and lessons. Work from that context.
2. Change files only inside owned_scope, and keep to the constraints. Read a file with read_file before you
   edit it: an edit built on content that has changed since is refused.
3. A refusal is final until you do what its action_hint says: select_active_intent, request_scope_expansion,
   choose_another_path, read_file (then redo the edit on the new content), fix_configuration (a person must),
   or retry. Never work around it with another tool or the shell.
4. Declare the mutation_class of your change if you know it (AST_REFACTOR, INTENT_EVOLUTION, BUG_FIX,
   DOCUMENTATION, CONFIGURATION). Every change and every refusal is recorded in an append-only ledger.
5. When the acceptance criteria hold, say so; a person closes the intent.
"""

_FOR_HOOKS = """\
# Intent-driven protocol

This workspace is governed: every change must answer to an intent declared in .orchestration/active_intents.yaml.
Your own tools are judged before they run. In your shell:

1. Before you change anything, pick the intent that covers the task (`intentls list`) and select it (below). You get
   an <intent_context> with its owned_scope, constraints, acceptance_criteria, related files, recent changes and
   lessons. Work from that context.
2. Change files only inside owned_scope, and keep to the constraints. Read a file before you edit it: an edit built on
   content that has changed since is refused.
3. A refusal is final until you do what its action_hint says: select_active_intent (`intentls select`),
   request_scope_expansion (`intentls expand INTENT PATH --reason WHY` asks a person), choose_another_path, read_file
   (then redo the edit on the new content), fix_configuration (a person must), or retry. Never work around it with
   another tool or the shell.
4. Every change and every refusal is recorded in an append-only ledger.
5. When the acceptance criteria hold, say so; a person closes the intent.
"""


def hook_prompt(engine: Engine) -> str:
    """The same for an agent whose own tools are guarded: it names commands; empty where governance is off."""
    return _FOR_HOOKS if any(True for _ in engine.workspaces()) else ""


def protocol_prompt(engine: Engine) -> str:
    """The prompt; empty where governance is off."""
    return _PROMPT if any(True for _ in engine.workspaces()) else ""
