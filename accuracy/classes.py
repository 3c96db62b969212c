"""How right the mutation classes are, against labels given by hand: one file alone, and with its change set.

    python -m accuracy.classes

Fetches the pinned releases once (see releases.py), then needs no network. Writes results/classes.json.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import intentls
from accuracy import baseline
from accuracy.corpus import FileChange, Step, step_of
from accuracy.labels import Label, read_labels
from accuracy.scores import Confusion
from intentls.engine.branch_check.classify_commit import Classification, classify_commit, classify_contents

RESULTS = Path(__file__).parent / "results"
SPLITS = ("dev", "held-out")


@dataclass(frozen=True, slots=True)
class Predicted:
    """What was said of one labelled change. `seconds` of processor time, for the file alone."""

    label: Label
    alone: str
    together: str
    reasons: tuple[str, ...]
    likeness: float
    seconds: float
    size: int


def predict(
    labels: Sequence[Label], step: Callable[[FileChange], Step], told: Callable[[str], None]
) -> list[Predicted]:
    """Judge every labelled change, step by step; `told` hears what is at work."""
    steps: dict[tuple[str, str, str], list[Label]] = defaultdict(list)
    for label in labels:
        steps[label.change.step].append(label)
    found: list[Predicted] = []
    for number, (name, members) in enumerate(steps.items(), start=1):
        told(f"{number}/{len(steps)} {name[0]} {name[2][:12]}")
        found += _predicted(members, step(members[0].change))
    return found


def _predicted(members: Sequence[Label], step: Step) -> Iterable[Predicted]:
    together = {file.path: file for file in _whole(step).files}
    for label in members:
        path = label.change.path
        before, after = step.before[path], step.after[path]
        start = process_time()
        alone = classify_contents(path, before, after)
        seconds = process_time() - start
        in_set = together[path]
        likeness = baseline.similarity(label.change.language, before.decode(), after.decode())
        yield Predicted(
            label,
            alone.mutation_class.value,
            in_set.mutation_class.value,
            in_set.reasons,
            likeness,
            seconds,
            len(before) + len(after),
        )


def _whole(step: Step) -> Classification:
    """The step as one commit of a repository made for it, so that files that moved are seen as git sees them.

    Files that did not change are left out: a commit is judged by what it changed.
    """
    changed = step.changed()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _git(root, "init", "--quiet")
        _commit(root, {path: step.before[path] for path in changed if path in step.before})
        for path in step.before.keys() - step.after.keys():
            (root / path).unlink()
        _commit(root, {path: step.after[path] for path in changed if path in step.after})
        return classify_commit(root, "HEAD")


def _commit(root: Path, files: dict[str, bytes]) -> None:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    _git(root, "add", "--all", "--force")
    _git(root, "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "--quiet", "--allow-empty", "-m", "step")


def _git(root: Path, *arguments: str) -> None:
    # Bytes as they are, whatever the user's configuration says of line ends, hooks and signatures.
    plain = ["-c", "core.autocrlf=false", "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"]
    subprocess.run(["git", *plain, *arguments], cwd=root, check=True, stdout=subprocess.DEVNULL)


def report(predictions: Sequence[Predicted]) -> dict[str, Any]:
    """The results: matrices and shares by split, view and language; cost; what went wrong on the development set."""
    dev = [one for one in predictions if one.label.change.split == "dev"]
    threshold = baseline.tuned((one.label.change.language, one.likeness, one.label.mutation_class) for one in dev)
    views: dict[str, Callable[[Predicted], str]] = {
        "alone": lambda one: one.alone,
        "set": lambda one: one.together,
        "tokens": lambda one: baseline.classify(one.label.change.language, one.likeness, threshold),
    }
    return {
        "intentls": intentls.__version__,
        "baseline_threshold": threshold,
        "splits": {
            split: {view: _scored(_of(predictions, split), say) for view, say in views.items()}
            for split in (*SPLITS, "both")
        },
        "draws": {
            draw: {
                view: _scored([one for one in predictions if one.label.draw == draw], say)
                for view, say in views.items()
            }
            for draw in ("random", "alike")
        },
        "cost": _cost(predictions),
        "dev_misses": [_miss(one) for one in dev if one.together != one.label.mutation_class],
    }


def _of(predictions: Sequence[Predicted], split: str) -> list[Predicted]:
    return [one for one in predictions if split in (one.label.change.split, "both")]


def _scored(predictions: Sequence[Predicted], say: Callable[[Predicted], str]) -> dict[str, Any]:
    def confusion(some: Iterable[Predicted]) -> Confusion:
        return Confusion((one.label.mutation_class, say(one)) for one in some)

    code = [one for one in predictions if one.label.change.language not in ("prose", "settings")]
    languages = sorted({one.label.change.language for one in code})
    by_language = {
        name: confusion(one for one in code if one.label.change.language == name).matrix() for name in languages
    }
    return {"all": confusion(predictions).as_json(), "code": confusion(code).as_json(), "languages": by_language}


def _cost(predictions: Sequence[Predicted]) -> dict[str, Any]:
    piles: dict[str, list[Predicted]] = defaultdict(list)
    for one in predictions:
        piles[one.label.change.language].append(one)
        if one.label.change.language not in ("prose", "settings"):
            piles["all code"].append(one)
    return {name: _cost_of(piles[name]) for name in sorted(piles)}


def _cost_of(own: Sequence[Predicted]) -> dict[str, Any]:
    times = sorted(1000 * one.seconds for one in own)

    def percentile(share: float) -> float:
        return round(times[min(len(times) - 1, int(share * len(times)))], 1)

    return {
        "changes": len(own),
        "median_ms": percentile(0.5),
        "p95_ms": percentile(0.95),
        "p99_ms": percentile(0.99),
        "ms_per_kb": round(sum(times) / (sum(one.size for one in own) / 1024), 2),
    }


def _miss(one: Predicted) -> dict[str, Any]:
    change = one.label.change
    return {
        "package": change.package,
        "step": f"{change.before} -> {change.after}",
        "path": change.path,
        "label": one.label.mutation_class,
        "why": one.label.why,
        "needs_set": one.label.needs_set,
        "alone": one.alone,
        "set": one.together,
        "reasons": list(one.reasons[:5]),
    }


def misses(predictions: Sequence[Predicted], split: str) -> str:
    """What went wrong on one split, to be read: false refactors and documentation first."""
    wrong = [one for one in predictions if one.label.change.split == split and one.together != one.label.mutation_class]
    wrong.sort(key=lambda one: (one.together == "INTENT_EVOLUTION", one.label.mutation_class))
    return "".join(map(_told, wrong))


def _told(one: Predicted) -> str:
    change, label = one.label.change, one.label
    needs = "; needs the set" if label.needs_set else ""
    return (
        f"- {change.package} {change.before[:9]} -> {change.after[:9]} {change.path}\n"
        f"  label {label.mutation_class} ({label.why}{needs}),"
        f" alone {one.alone}, set {one.together}: {'; '.join(one.reasons[:3])[:200]}\n"
    )


def main(folder: Path | None = None) -> None:
    """Judge the whole corpus and write results/classes.json; each split's misses, to be read, into `folder`."""
    predictions = predict(read_labels(), step_of, lambda text: print("classes", text, file=sys.stderr))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "classes.json").write_text(json.dumps(report(predictions), indent=1) + "\n", "utf-8")
    if folder is None:
        return
    for split in SPLITS:
        (folder / f"{split}_misses.md").write_text(misses(predictions, split), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else None)
