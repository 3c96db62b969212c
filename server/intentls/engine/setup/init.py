"""Making a folder a root, or completing one."""

from __future__ import annotations

import os
from pathlib import Path

from intentls.core.errors import ConfigurationError
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.intents.lessons import record_older_lessons
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.config.policy_parser import parse_policy
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.intent_names import may_hold_intents
from intentls.store.fs.path_resolution import find_root
from intentls.store.layout import LINKED, MAX_BYTES, ORCHESTRATION, Layout
from intentls.store.setup.move_over import move_over
from intentls.store.setup.scaffold import ScaffoldOutcome, ScaffoldStep, scaffold

_LESSONS = f"{ORCHESTRATION}/AGENT.md"


def initialise(root: Path) -> tuple[ScaffoldStep, ...]:
    """Add what `root` (resolved) needs and lacks; done twice, the second time changes nothing.

    An older repository is moved over: its tracked ledger becomes a segment (`store.setup.move_over`), and the lessons
    of an AGENT.md that git lets go of become records.

    Raises ConfigurationError where the ledger has records but the intents are gone: that root is invalid, and an
    example in their place would let through what they did not. Raises StoreError where the disk refuses.
    """
    layout = Layout(root)
    if layout.orchestration.is_symlink():
        raise ConfigurationError(LINKED)
    declares = os.path.lexists(layout.intents) or may_hold_intents(layout.intents_folder)
    if not declares and find_root(root) == root:  # then it is the ledger that makes it a root
        raise ConfigurationError(
            f"{INTENTS_FILE} is gone, but the ledger has records. Restore it from version control "
            "or write it by hand: an example would not say what they were made for."
        )
    try:
        commit_derived = parse_policy(read_bounded(layout.policy, MAX_BYTES)).policy.commit_derived
    except OSError:
        commit_derived = False
    steps = (*scaffold(layout, commit_derived=commit_derived), *move_over(layout, commit_derived=commit_derived))
    if any(step.path == _LESSONS and step.outcome is ScaffoldOutcome.REMOVED for step in steps):
        record_older_lessons(Workspace(layout, Headless("cli", (root,))))  # git takes the file away from colleagues
    return steps
