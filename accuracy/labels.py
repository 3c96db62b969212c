"""The labels given by hand: labels.jsonl, by the rule of LABELLING.md."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from accuracy.corpus import FileChange

LABELS = Path(__file__).parent / "labels.jsonl"


@dataclass(frozen=True, slots=True)
class Label:
    """What a file change is. `needs_set`: it shows only together with the other files of its step.

    `draw` is `random`, or `alike` for the second draw.
    """

    change: FileChange
    mutation_class: str
    needs_set: bool
    why: str
    draw: str = "random"


def read_labels(path: Path = LABELS) -> tuple[Label, ...]:
    """Every label, in the order of the drawing."""
    return tuple(_label(json.loads(line)) for line in path.read_text("utf-8").splitlines())


def _label(entry: dict[str, str]) -> Label:
    names = ("repository", "package", "before", "after", "path", "split")
    change = FileChange(**{name: entry[name] for name in names})
    return Label(change, entry["label"], entry["needs"] == "set", entry["why"], entry.get("draw", "random"))
