"""Modules that are loaded when something of them is first used: no start waits for what its first answers lack."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LateModule:
    """Stands for the module `name`, whose functions and classes are found when they are called.

    Where it stands, type checkers and the check of the layers see a plain import (`if TYPE_CHECKING`).
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
