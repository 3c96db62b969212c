"""Why an edit did not land, and what stands of it then."""

from __future__ import annotations

from intentls.core.errors import StoreError


class TargetChanged(StoreError):
    """A file is no longer what the edit was made for. Nothing of the edit stands."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} changed while it was being edited. Read it again and retry.")
        self.path = path


class EditLapsed(StoreError):
    """What allowed the edit was over when it landed, as after this process was stopped. Nothing of the edit stands."""


class UnsettledEdit(StoreError):
    """An edit was begun and can be neither finished nor undone: the disk refuses both."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(
            f"{str(reason).rstrip('.')}. The edit was begun and could not be undone: "
            "it is settled and recorded as soon as the disk can be written again."
        )
