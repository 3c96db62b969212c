"""What killed runs of a root left in their layers, for the next run or review to settle."""

from __future__ import annotations

import logging

from intentls.store.confinement.inside import is_inside_run
from intentls.store.confinement.run_directory import RunDirectory
from intentls.store.layout import Layout

log = logging.getLogger(__name__)


def left_behind(layout: Layout) -> list[RunDirectory]:
    """Their directories, each locked; none inside of a run, and none where they can't be looked at."""
    if is_inside_run(layout.root):
        return []
    try:
        return list(RunDirectory.left_behind(layout))
    except OSError:
        log.warning("what killed runs left can't be looked at", exc_info=True)
        return []
