"""Questions that are put to the workspace: posting one and waiting for its answer, listing and answering them."""
