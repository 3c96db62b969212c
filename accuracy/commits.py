"""How right the mutation classes are on commits of public projects: one file alone, and with its whole commit.

    python -m accuracy.commits [FOLDER]

Fetches the labelled commits once, then needs no network. Writes results/commits.json, and the errors of each part, to
be read, into FOLDER. Without network it says so and leaves the results as they are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import intentls
from accuracy import baseline
from accuracy.commit_corpus import CommitLabel, Project, UnreachableError, history, read_projects, read_second_pass
from accuracy.commit_draw import STRATA, language
from accuracy.scores import Confusion, Share
from intentls.engine.branch_check.classify_commit import classify_commit, classify_contents
from intentls.store.git.commits import ChangedFile, changed_files

RESULTS = Path(__file__).parent / "results"
SPLITS = ("dev", "held-out")
CLASSES = ("DOCUMENTATION", "AST_REFACTOR", "INTENT_EVOLUTION")
Call = Callable[["Prediction"], str]


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is said of one labelled change. `spaces`: only white space changed. Seconds are of processor time."""

    label: CommitLabel
    language: str
    alone: str
    together: str
    reasons: tuple[str, ...]
    likeness: float
    spaces: bool
    seconds: float
    commit_seconds: float


def judge_commit(top: Path, commit: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The class of each file of a commit, with the reasons, as `intentls classify COMMIT` gives them."""
    files = classify_commit(top, commit).files
    return {file.path: (file.mutation_class.value, file.reasons) for file in files}


def predict(projects: Iterable[Project], repository: Callable[[Project], Path]) -> Iterator[Prediction]:
    """Judge every labelled change, commit by commit."""
    for number, project in enumerate(projects, start=1):
        top = repository(project)
        print(f"commits {number} {project.repository}", file=sys.stderr, flush=True)
        for commit in project.commits:
            labels = [label for label in project.labels if label.commit == commit]
            files = {file.path: file for file in changed_files(top, commit)}
            start = _processor()
            together = judge_commit(top, commit)
            seconds = _processor() - start
            for label in labels:
                yield _prediction(top, label, files[label.path], *together[label.path], seconds)


def _processor() -> float:
    """Seconds of processor time, with git's."""
    return sum(os.times()[:4])


def _prediction(
    top: Path, label: CommitLabel, file: ChangedFile, together: str, reasons: tuple[str, ...], commit_seconds: float
) -> Prediction:
    before, after = file.before or b"", file.after or b""
    start = process_time()
    alone = classify_contents(label.path, before, after).mutation_class.value
    seconds = process_time() - start
    tongue = language(label.path) or ""
    likeness = baseline.similarity(tongue, before.decode("utf-8", "replace"), after.decode("utf-8", "replace"))
    spaces = _only_spaces(top, f"{label.commit}^:{file.old_path or file.path}", f"{label.commit}:{file.path}")
    return Prediction(label, tongue, alone, together, reasons, likeness, spaces, seconds, commit_seconds)


def _only_spaces(top: Path, before: str, after: str) -> bool:
    command = ["git", "-C", str(top), "diff", "-w", "--ignore-blank-lines", "--no-ext-diff", before, after]
    return b"\n@@" not in subprocess.run(command, capture_output=True, check=True).stdout


def report(predictions: Sequence[Prediction], second: dict[tuple[str, str, str], str]) -> dict[str, Any]:
    """The results: matrices, shares, weighted shares, agreement; the errors of the development part one by one."""
    dev = _of(predictions, "dev")
    threshold = baseline.tuned((item.language, item.likeness, item.label.mutation_class) for item in dev)
    views: dict[str, Call] = {
        "alone": lambda item: item.alone,
        "set": lambda item: item.together,
        "spaces": lambda item: "DOCUMENTATION" if item.spaces else "INTENT_EVOLUTION",
        "tokens": lambda item: baseline.classify(item.language, item.likeness, threshold),
    }
    return {
        "intentls": intentls.__version__,
        "projects": len({item.label.repository for item in predictions}),
        "commits": len({item.label.key[:2] for item in predictions}),
        "changes": len(predictions),
        "baseline_threshold": threshold,
        "splits": {
            split: {view: _confusion(_of(predictions, split), call).as_json() for view, call in views.items()}
            for split in (*SPLITS, "both")
        },
        "strata": {
            name: _confusion([item for item in predictions if item.label.draw == name], views["set"]).as_json()
            for name in STRATA
        },
        "weighted": {view: _weighted(predictions, call) for view, call in views.items()},
        "languages": {
            name: _confusion([item for item in predictions if item.language == name], views["set"]).matrix()
            for name in sorted({item.language for item in predictions})
        },
        "needs": {
            name: _recall([item for item in predictions if item.label.needs_set == is_set], views["set"])
            for name, is_set in (("file", False), ("set", True))
        },
        "cost": _cost(item.seconds for item in predictions),
        "commit_cost": _cost({item.label.key[:2]: item.commit_seconds for item in predictions}.values()),
        "agreement": _agreement(predictions, second),
        "dev_rules": _rules(dev),
        "dev_errors": [_error(item) for item in dev if item.together != item.label.mutation_class],
        "must_not_happen": [_error(item) for item in predictions if _must_not_happen(item)],
    }


def _of(predictions: Sequence[Prediction], split: str) -> list[Prediction]:
    return [item for item in predictions if split in (item.label.split, "both")]


def _confusion(predictions: Iterable[Prediction], call: Call) -> Confusion:
    return Confusion((item.label.mutation_class, call(item)) for item in predictions)


def _recall(predictions: Sequence[Prediction], call: Call) -> dict[str, Any]:
    return _confusion(predictions, call).recall("AST_REFACTOR").as_json()


def _weighted(predictions: Sequence[Prediction], call: Call) -> dict[str, dict[str, float]]:
    """Shares as of a change drawn from all that could be drawn, every project as often as another."""
    cells: Counter[tuple[str, str]] = Counter()
    for item in predictions:
        cells[item.label.mutation_class, call(item)] += item.label.weight  # type: ignore[assignment]
    shares = {}
    for name in CLASSES:
        called = sum(weight for (_, said), weight in cells.items() if said == name)
        labelled = sum(weight for (label, _), weight in cells.items() if label == name)
        both = cells[name, name]
        shares[name] = {
            "precision": round(both / called, 4) if called else 0.0,
            "recall": round(both / labelled, 4) if labelled else 0.0,
            "frequency": round(labelled / sum(cells.values()), 4),
        }
    return shares


def _cost(seconds: Iterable[float]) -> dict[str, float]:
    times = sorted(1000 * each for each in seconds)
    return {name: round(times[int(share * (len(times) - 1))], 1) for name, share in _PERCENTILES.items()}


_PERCENTILES = {"median_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99, "most_ms": 1.0}


def _agreement(predictions: Sequence[Prediction], second: dict[tuple[str, str, str], str]) -> dict[str, Any]:
    """How often the second reading gave the same label, and Cohen's kappa: the same without what chance gives."""
    pairs = [(item.label.mutation_class, second[item.label.key]) for item in predictions if item.label.key in second]
    same = Share(sum(first == again for first, again in pairs), len(pairs))
    firsts, seconds = Counter(first for first, _ in pairs), Counter(again for _, again in pairs)
    chance = sum(firsts[name] * seconds[name] for name in CLASSES) / len(pairs) ** 2 if pairs else 0.0
    kappa = ((same.value or 0.0) - chance) / (1 - chance) if chance < 1 else 1.0
    return {**same.as_json(), "kappa": round(kappa, 3), "matrix": Confusion(pairs).matrix()}


def _rules(predictions: Sequence[Prediction]) -> dict[str, dict[str, list[int]]]:
    """By label and rule: how many were called right, of how many."""
    counts: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for item in predictions:
        count = counts[item.label.mutation_class].setdefault(item.label.rule, [0, 0])
        count[0] += item.together == item.label.mutation_class
        count[1] += 1
    return {name: dict(sorted(rules.items(), key=lambda rule: -rule[1][1])) for name, rules in sorted(counts.items())}


def _must_not_happen(item: Prediction) -> bool:
    return item.label.mutation_class == "INTENT_EVOLUTION" and {item.alone, item.together} != {"INTENT_EVOLUTION"}


def _error(item: Prediction) -> dict[str, Any]:
    label = item.label
    return {
        "repository": label.repository,
        "commit": label.commit,
        "path": label.path,
        "label": label.mutation_class,
        "rule": label.rule,
        "why": label.why,
        "needs_set": label.needs_set,
        "alone": item.alone,
        "set": item.together,
        "reasons": list(item.reasons[:5]),
    }


def errors(predictions: Sequence[Prediction], split: str) -> str:
    """What went wrong on one part, to be read: grouped by label and rule, the most first."""
    groups: dict[tuple[str, str, str], list[Prediction]] = defaultdict(list)
    for item in _of(predictions, split):
        if item.together != item.label.mutation_class:
            groups[item.label.mutation_class, item.together, item.label.rule].append(item)
    return "".join(
        f"## {label} called {called}, rule {rule}: {len(items)}\n\n" + "".join(map(_told, items)) + "\n"
        for (label, called, rule), items in sorted(groups.items(), key=lambda group: -len(group[1]))
    )


def _told(item: Prediction) -> str:
    label = item.label
    needs = ", needs the commit" if label.needs_set else ""
    return (
        f"- {label.repository} {label.commit[:10]} {label.path}: {label.why}{needs};"
        f" alone {item.alone}; {'; '.join(item.reasons[:3])[:160]}\n"
    )


def main(folder: Path | None = None) -> None:
    """Judge the whole corpus and write results/commits.json."""
    try:
        predictions = list(predict(read_projects(), history))
    except UnreachableError as error:
        print(
            f"commits: {error} can't be fetched, so nothing is measured; the results stay as they are", file=sys.stderr
        )
        return
    (RESULTS / "commits.json").write_text(json.dumps(report(predictions, read_second_pass()), indent=1) + "\n", "utf-8")
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        (folder / f"{split}_commits.md").write_text(errors(predictions, split), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else None)
