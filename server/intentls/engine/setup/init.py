"""Making a folder a root, or completing one."""

from __future__ import annotations

import os
from pathlib import Path

from intentls.core.errors import ConfigurationError
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.workspace.configuration import ADVICE as LINKED
from intentls.store.fs.path_resolution import find_root
from intentls.store.layout import Layout
from intentls.store.setup.scaffold import ScaffoldStep, scaffold


def initialise(root: Path) -> tuple[ScaffoldStep, ...]:
    """Add what `root` (resolved) needs and lacks; done twice, the second time changes nothing.

    Raises ConfigurationError where the ledger has records but the intents are gone: that root is invalid, and an
    example in their place would let through what they did not. Raises StoreError where the disk refuses.
    """
    layout = Layout(root)
    if layout.orchestration.is_symlink():
        raise ConfigurationError(LINKED)
    if not os.path.lexists(layout.intents) and find_root(root) == root:  # then it is the ledger that makes it a root
        raise ConfigurationError(
            f"{INTENTS_FILE} is gone, but the ledger has records. Restore it from version control "
            "or write it by hand: an example would not say what they were made for."
        )
    return scaffold(layout)
