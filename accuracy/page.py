"""The tables of docs/internals/accuracy.md, made from results/*.json: what is published is what was measured."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from accuracy.scores import Confusion, Share

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parent.parent / "docs" / "internals" / "accuracy.md"
_SHOWN = ("DOCUMENTATION", "AST_REFACTOR", "INTENT_EVOLUTION")
_COMMIT_VIEWS = {
    "alone": "one file",
    "set": "with its commit",
    "spaces": "`git diff -w` is empty",
    "tokens": "tokens",
}
_VIEWS = {"alone": "one file", "set": "with its change set", "tokens": "tokens"}
_GIT = ("rebase", "amend", "squash", "cherry-pick", "revert", "stash", "merge", "git mv")
_LANGUAGES = ("language", "class", "precision", "recall")
_COST = ("language", "changes", "median ms", "p95", "p99", "ms per KB")
_ATTRIBUTION = ("after", "lines", "ours right", "unrecorded", "wrong", "git right", "wrong")
_DEFINITIONS = ("definitions after", "how many", "ours found", "wrong", "called new", "git found", "wrong")
_RECALL = ("history", "commits, questions", "rule", "recall of 20", "any", "times the last 20")
_TEAM = ("history", "commits, pull requests", "lines", "right", "nobody", "wrong", "git wrong")
_LANDING = (
    "history",
    "conflicts of ours",
    "false alarms",
    "green by one attest",
    "earlier lines claimed",
    "ledger bytes a line",
)
_SIZE = ("history", "one record for", "records", "changed lines", "bytes a line", "version 0.1", "of that")
_FOLLOWED = {"reformatted": 99.6, "renamed": 99, "moved": 97.5, "moved only": 98, "renamed only": 93}
_UNMEASURED = "not measured"

Results = Mapping[str, Any]
Row = Sequence[str]


def read_results(folder: Path = RESULTS) -> Results:
    """What each part measured last, by the part's name."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}


def tables(results: Results) -> dict[str, str]:
    """Every table that its part has results for, by name."""
    found = {"targets": _table(("what", "target", "measured"), targets(results))}
    if "classes" in results:
        found["classes"] = _table(("split, view", "class", "precision", "recall"), _by_class(results["classes"]))
        found["matrix"] = _matrix(results["classes"]["splits"]["both"]["set"]["code"]["matrix"])
        found["languages"] = _table(_LANGUAGES, _by_language(results["classes"]))
        found["cost"] = _table(_COST, _cost(results["classes"]["cost"]))
    if "commits" in results:
        found |= _commit_tables(results["commits"])
    if "attribution" in results:
        found["attribution"] = _table(_ATTRIBUTION, _attribution(results["attribution"]["rewrites"]))
    if "definitions" in results:
        found["definitions"] = _table(_DEFINITIONS, _definitions(results["definitions"]["rewrites"]))
    if "recall" in results:
        found["recall"] = _table(_RECALL, _recall(results["recall"]["histories"]))
    if "team" in results:
        found["team"] = _table(_TEAM, _team(results["team"]["histories"]))
        found["landing"] = _table(_LANDING, _landing(results["team"]["histories"]))
    if "ledger_size" in results:
        found["size"] = _table(_SIZE, _sizes(results["ledger_size"]["histories"]))
    if "formatters" in results:
        found["formatters"] = _table(
            ("formatter", "files changed", "called formatting"), _formatters(results["formatters"]["formatters"])
        )
    return found


def targets(results: Results) -> list[Row]:
    """What was aimed at, and what came out."""
    rows: list[Row] = []
    formatters = results.get("formatters", {}).get("formatters", ())
    good = sum(row["documentation"] + row["import_order"] for row in formatters)
    total = Share(good, sum(row["pairs"] for row in formatters))
    rows.append(("formatter-only changes called formatting", ">= 99.5 %", _said(total) if total.of else _UNMEASURED))
    classes, commits = results.get("classes"), results.get("commits")
    releases = {view: classes["splits"]["both"][view]["code"] if classes else None for view in ("alone", "set")}
    rows += _aims("releases", releases)
    rows += _aims("commits", {view: commits["splits"]["both"][view] if commits else None for view in ("alone", "set")})
    rewrites = results.get("attribution", {}).get("rewrites", {})
    lines = [found["ours"] for name, found in rewrites.items() if name in _GIT or "format" in name or "black" in name]
    right = Share(sum(row["right"]["hits"] for row in lines), sum(row["right"]["of"] for row in lines))
    rows.append(("lines right after git's rewrites and formatters", "100 %", _said(right) if right.of else _UNMEASURED))
    wrong = sum(found["ours"]["wrong"] for found in rewrites.values())
    rows.append(("lines of a wrong author, all rewrites", "0", str(wrong) if rewrites else _UNMEASURED))
    rows += _followed(results.get("definitions", {}).get("rewrites", {}))
    cost = classes["cost"]["all code"] if classes else None
    times = f"{cost['median_ms']}, {cost['p95_ms']}, {cost['p99_ms']} ms" if cost else _UNMEASURED
    rows.append(("time for a class: median, p95, p99", "15, 120, 400 ms", times))
    cost = commits["commit_cost"] if commits else None
    times = f"{cost['median_ms']}, {cost['p95_ms']}, {cost['most_ms']} ms" if cost else _UNMEASURED
    rows.append(("time for a commit: median, p95, most", "50 files: 3,000 ms", times))
    return rows


def _aims(corpus: str, views: Mapping[str, Results | None]) -> Iterable[Row]:
    for name, precision, recall, alone in (
        ("DOCUMENTATION", 99, 97, None),
        ("AST_REFACTOR", 97, 70, 45),
    ):
        yield f"{corpus}: {name}, precision", f">= {precision} %", _of(views["set"], "precision", name)
        yield f"{corpus}: {name}, recall, change set", f">= {recall} %", _of(views["set"], "recall", name)
        if alone is not None:
            yield f"{corpus}: {name}, recall, one file", f">= {alone} %", _of(views["alone"], "recall", name)


def _commit_tables(commits: Results) -> dict[str, str]:
    return {
        "commits": _table(("part, view", "class", "precision", "recall"), _commit_shares(commits)),
        "commit weights": _table(("view", "class", "of all", "precision", "recall"), _commit_weights(commits)),
        "commit matrix": _matrix(commits["splits"]["both"]["set"]["matrix"]),
        "commit languages": _table(_LANGUAGES, _language_shares(commits["languages"])),
        "commit rules": _table(("label", "rule", "right"), _commit_rules(commits)),
        "commit agreement": _table(("labelled twice", "the same", "kappa"), [_agreement(commits["agreement"])]),
    }


def _commit_shares(commits: Results) -> Iterable[Row]:
    for split, views in commits["splits"].items():
        for view, words in _COMMIT_VIEWS.items():
            for name in _SHOWN:
                yield f"{split}, {words}", name, _of(views[view], "precision", name), _of(views[view], "recall", name)


def _commit_weights(commits: Results) -> Iterable[Row]:
    for view, words in _COMMIT_VIEWS.items():
        for name, row in commits["weighted"][view].items():
            yield words, name, *(f"{100 * row[key]:.1f} %" for key in ("frequency", "precision", "recall"))


def _commit_rules(commits: Results) -> Iterable[Row]:
    for label, rules in commits["dev_rules"].items():
        for rule, (right, number) in rules.items():
            yield label, rule, f"{right} of {number}"


def _agreement(row: Results) -> Row:
    return str(row["of"]), _said(Share(row["hits"], row["of"])), f"{row['kappa']:.2f}"


def _followed(rewrites: Results) -> Iterable[Row]:
    for name, target in _FOLLOWED.items():
        ours = rewrites.get(name, {}).get("ours")
        told = f"{100 * ours['found']:.2f} % of {ours['definitions']:,}" if ours else _UNMEASURED
        yield f"definitions found again, {name}", f">= {target} %", told
    worst = max((rewrites[name]["ours"]["wrong"] for name in _FOLLOWED if name in rewrites), default=None)
    yield "the same, wrongly, the worst of these", "<= 0.3 %", _UNMEASURED if worst is None else f"{100 * worst:.2f} %"
    gone = [row["ours"]["deleted_attached"] for row in rewrites.values() if "deleted_attached" in row["ours"]]
    told = f"{100 * max(gone):.2f} %" if gone else _UNMEASURED
    yield "deleted definitions attached to something else", "<= 2 %", told


def _definitions(rewrites: Results) -> Iterable[Row]:
    for name, found in rewrites.items():
        ours, git = found["ours"], found["git"]
        shares = ours["found"], ours["wrong"], ours["called_new"], git["found"], git["wrong"]
        cells = [f"{100 * share:.2f} %" for share in shares]
        yield name, f"{found['ours']['definitions']:,}", *cells


def _recall(histories: Results) -> Iterable[Row]:
    for name, found in histories.items():
        base = found["rules"]["the last of the whole ledger"]["recall"]
        for rule, row in found["rules"].items():
            size = f"{found['commits']:,}, {found['queries']}"
            yield name, size, rule, f"{row['recall']:.3f}", f"{row['any']:.3f}", f"{row['recall'] / base:.2f}"


def _team(histories: Results) -> Iterable[Row]:
    for name, row in histories.items():
        size = f"{row['commits']}, {row['pulls']}"
        share = f"{100 * row['right'] / row['lines']:.2f} %"
        yield name, size, f"{row['lines']:,}", share, str(row["nobody"]), str(row["wrong"]), str(row["git_wrong"])


def _landing(histories: Results) -> Iterable[Row]:
    for name, row in histories.items():
        green, claimed = f"{row['green']} of {row['attested']}", f"{row['claimed']} of {row['before']:,}"
        size = f"{row['ledger_bytes'] / row['changed_lines']:.0f}"
        yield name, str(row["conflicts"]), str(row["false_alarms"]), green, claimed, size


def _sizes(histories: Results) -> Iterable[Row]:
    for name, found in histories.items():
        for grain, row in found["grains"].items():
            lines, before = row["changed_lines"], row["before"]
            then = ("", "") if before is None else (f"{before / lines:.0f}", f"{100 * row['bytes'] / before:.0f} %")
            yield name, grain, f"{row['records']:,}", f"{lines:,}", f"{row['bytes'] / lines:.0f}", *then


def _of(confusion: Results | None, which: str, name: str) -> str:
    if confusion is None:
        return _UNMEASURED
    found = Confusion.of(confusion["matrix"])
    return _said(found.precision(name) if which == "precision" else found.recall(name))


def _said(share: Share) -> str:
    if share.value is None:
        return "none"
    low, high = share.interval()
    return f"{100 * share.value:.1f} % ({share.hits} of {share.of}; {100 * low:.0f} to {100 * high:.0f})"


def _by_class(results: Results) -> Iterable[Row]:
    parts = {
        **results["splits"],
        "first draw": results["draws"]["random"],
        "second draw": results["draws"]["alike"],
    }
    for part, views in parts.items():
        for view, told in _VIEWS.items():
            scored = views[view]["code"]
            for name in _SHOWN:
                yield f"{part}, {told}", name, _of(scored, "precision", name), _of(scored, "recall", name)


def _by_language(results: Results) -> Iterable[Row]:
    yield from _language_shares(results["splits"]["both"]["set"]["languages"])


def _language_shares(matrices: Mapping[str, Results]) -> Iterable[Row]:
    for language, matrix in sorted(matrices.items()):
        found = Confusion.of(matrix)
        for name in _SHOWN:
            yield language, name, _said(found.precision(name)), _said(found.recall(name))


def _matrix(matrix: Results) -> str:
    names = sorted({name for row in matrix.values() for name in row})
    rows = [(label, *(str(row.get(name, 0)) for name in names)) for label, row in matrix.items()]
    return _table(("is, by hand; called", *names), rows)


def _cost(cost: Results) -> Iterable[Row]:
    for name, row in cost.items():
        yield name, *(str(row[key]) for key in ("changes", "median_ms", "p95_ms", "p99_ms", "ms_per_kb"))


def _attribution(rewrites: Results) -> Iterable[Row]:
    for name, found in rewrites.items():
        ours, gits = found["ours"], found["git"]
        shares = [f"{100 * row['right']['share']:.1f} %" for row in (ours, gits)]
        numbers = (ours["right"]["of"], ours["nobody"], ours["wrong"], gits["wrong"])
        lines, nobody, wrong, gits_wrong = map(str, numbers)
        yield name, lines, shares[0], nobody, wrong, shares[1], gits_wrong


def _formatters(rows: Iterable[Results]) -> Iterable[Row]:
    for row in rows:
        yield (
            row["formatter"],
            str(row["pairs"]),
            _said(Share(row["documentation"] + row["import_order"], row["pairs"])),
        )


def _table(head: Row, rows: Iterable[Row]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def written(page: str, made: Mapping[str, str]) -> str:
    """The page with each table in its place. A table without a place, or a place without its end, is ValueError."""
    for name, table in made.items():
        place = re.compile(rf"(<!-- made by `make accuracy`: {name} -->\n).*?(<!-- end of {name} -->\n)", re.DOTALL)
        found = place.search(page)
        if found is None:
            raise ValueError(f"docs/internals/accuracy.md has no place for the table {name}")
        page = page[: found.end(1)] + table + page[found.start(2) :]
    return page


def main() -> None:
    """Write the tables of docs/internals/accuracy.md, and print what was aimed at beside what came out."""
    made = tables(read_results())
    PAGE.write_text(written(PAGE.read_text("utf-8"), made), "utf-8")
    print(made["targets"])


if __name__ == "__main__":
    main()
