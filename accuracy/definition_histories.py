"""What the history of each definition says after a recorded rewrite: the answer of `intentls blame --symbol`.

One author writes all files through the engine, another one makes the rewrite, a file at a time. A history that goes
back to the first author names a definition of the old state: that is the answer for the new one.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from accuracy.rewriting import Rewritten
from accuracy.town import AUTHORS, Town
from intentls.core.definitions.lookup import name_line
from intentls.core.text.line_hashes import bare_lines, supports_line_blame
from intentls.engine.blame.definition_blame import DefinitionBlame, blame_definition_at

FIRST, SECOND = AUTHORS[:2]


@dataclass
class Told:
    """By the number of an old definition, the new one that its history is told of. `new`: those said to be new."""

    places: dict[int, int] = field(default_factory=dict)
    new: set[int] = field(default_factory=set)


def told(before: Mapping[str, bytes], done: Rewritten) -> Told:
    """Record both states in a root of their own, and ask for the history of every new definition."""
    with tempfile.TemporaryDirectory() as folder:
        town = Town(Path(folder) / "town")
        for path, data in before.items():
            town.put(FIRST, path, data)
        for path, data in sorted(done.contents.items()):
            if before.get(path) != data:
                town.put(SECOND, path, data)
        workspace = town.workspace
        answers: dict[int, DefinitionBlame] = {}
        for place, one in enumerate(done.new):
            if not supports_line_blame(done.contents[one.path]):
                continue
            line = name_line(one.definition, bare_lines(done.contents[one.path]))
            answer = blame_definition_at(workspace, one.path, line)
            if answer is not None and answer.definition.name == one.definition.name:
                answers[place] = answer
    return _compared(done, answers)


def _compared(done: Rewritten, answers: Mapping[int, DefinitionBlame]) -> Told:
    """The old definition that each history begins with; of overloads the right one, if it is one of them."""
    named: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, one in enumerate(done.old):
        for name in {one.definition.name, one.last_name}:
            named[one.path, name].append(place)
    truth = {new: old for old, new in done.truth.items() if new is not None}
    result = Told()
    for place, answer in answers.items():
        if answer.beginning != "created":
            continue
        first = answer.steps[-1]
        if first.record["intent_id"] != FIRST:
            result.new.add(place)
            continue
        candidates = named.get((first.path, first.step.name), [])
        right = truth.get(place)
        old = right if right in candidates else next(iter(candidates), None)
        if old is not None:
            _keep(result.places, old, place, right)
    return result


def _keep(places: dict[int, int], old: int, new: int, right: int | None) -> None:
    """Two new ones may both go back to an old one: then the wrong one is what counts."""
    if old not in places or right != old:
        places[old] = new
