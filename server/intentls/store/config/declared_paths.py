"""Which files of a root are declared: by people, to say what may be changed and how strictly."""

from __future__ import annotations

from intentls.core.errors import StoreError
from intentls.core.patterns.protected_paths import IGNORE_FILE, INTENTS_FILE, INTENTS_FOLDER, POLICY_FILE
from intentls.store.fs.intent_names import intent_names
from intentls.store.layout import IGNORE_NAME, ORCHESTRATION, Layout

ALWAYS = (INTENTS_FILE, POLICY_FILE, f"{ORCHESTRATION}/{IGNORE_NAME}", IGNORE_FILE)
"""The declared files whose names are fixed, whether they exist or not."""


def declared_paths(layout: Layout) -> tuple[str, ...]:
    """The root-relative paths of the declared files: `ALWAYS`, and each file of one intent that exists now.

    A folder of intents that can't be listed counts as empty here; reading the configuration says what is wrong.
    """
    try:
        names = intent_names(layout.intents_folder)
    except (OSError, StoreError):
        names = []
    return (*ALWAYS, *(f"{INTENTS_FOLDER}/{name}" for name in names))
