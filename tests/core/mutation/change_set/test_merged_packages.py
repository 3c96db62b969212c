"""Packages of Go whose files do the same together: what was taken out of one stands in another."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from intentls.core.mutation import classify
from intentls.core.mutation.change_set import merged_packages
from intentls.core.mutation.change_set.whole_repository import light_of
from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.compare import Light
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.syntax.canonicalize import NodeBudget
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Versions, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
HEAD = "package p\n\n"
LOG = f'{HEAD}import "log"\n\n'
SHOP = "type shop struct{ count int }\n\n"
LONG = "func (s *shop) run() {\n\ts.count++\n\tlog.Print(s.count)\n\ts.parse(s.count)\n}\n"
SHORT = "func (s *shop) run() {\n\ts.openAll()\n\ts.parse(s.count)\n}\n"
OPEN = "func (s *shop) openAll() {\n\ts.count++\n\tlog.Print(s.count)\n}\n"
KEPT = "func kept() {\n\tlog.Print(1)\n}\n"
ELSE = LOG.replace('"log"', '"example.com/log"')
ASKED = "func asked() {\n\tlog.Print(2)\n}\n"
OTHER = "func other() int { return 1 }\n"


def _taken_out(before: str = "", after: str = "", target: str = HEAD, now: str = LOG, taken: str = OPEN) -> Versions:
    """What was taken out of p/a.go, with this around it there, to p/b.go with its head before and now."""
    return {
        "p/a.go": (f"{LOG}{SHOP}{before}{LONG}", f"{HEAD}{SHOP}{after}{SHORT}"),
        "p/b.go": (f"{target}{OTHER}", f"{now}{OTHER}\n{taken}"),
    }


def _classes(versions: Versions, others: dict[str, str] | None = None) -> dict[str, MutationClass]:
    return {path: verdict.mutation_class for path, verdict in judged(versions, others or {}).items()}


NEW_FILE = {**_taken_out(), "p/b.go": (None, f"{LOG}{OPEN}")}
SAME: dict[str, Versions] = {
    "a method of another file": _taken_out(),
    "a method of a new file": NEW_FILE,
    "in files that load what has no order": _taken_out("var a = f()\n\n", "var a = f()\n\n"),
    "beside what only asks the compiler": {
        "p/a.go": (f"{LOG}{SHOP}var _ Runner = (*shop)(nil)\n\n{LONG}", f"{HEAD}{SHOP}{SHORT}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{LOG}{OTHER}\nvar _ Runner = (*shop)(nil)\n\n{OPEN}"),
    },
    "an import whose path has its name": {
        "p/a.go": (f"{LOG.replace('log', 'example.com/go-log')}{SHOP}{LONG}", f"{HEAD}{SHOP}{SHORT}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{LOG.replace('log', 'example.com/go-log')}{OTHER}\n{OPEN}"),
    },
    "back into it": {path: versions[::-1] for path, versions in _taken_out().items()},
}


@pytest.mark.parametrize("name", SAME)
def test_what_was_taken_out_to_another_file_is_a_refactor_of_both(name: str) -> None:
    found = judged(SAME[name], {})
    for verdict in found.values():
        assert verdict.mutation_class in (REFACTOR, MutationClass.FILE_CREATION), verdict.reasons
    assert found["p/a.go"].reasons[0] == "what stands in a.go and b.go does the same together"


def test_files_that_are_built_for_the_same_are_read_as_one() -> None:
    built = {path: (f"//go:build x\n\n{one}", f"//go:build x\n\n{two}") for path, (one, two) in _taken_out().items()}
    assert {verdict.mutation_class for verdict in judged(built, {}).values()} == {REFACTOR}


OTHER_WAYS: dict[str, Versions] = {
    "it does something else there": _taken_out(taken=OPEN.replace("s.count++", "s.count--")),
    "the other file does something else": {
        **_taken_out(),
        "p/b.go": (f"{HEAD}{OTHER}", f"{LOG}{OTHER.replace('1', '2')}\n{OPEN}"),
    },
    "a name of an import is another package there": _taken_out(now=LOG.replace('"log"', '"example.com/log"')),
    "a name of an import may be another package there": _taken_out(
        now=LOG.replace('import "log"', 'import "log"\nimport "example.com/log/v2"')
    ),
    "a name of an import is declared in the other file": {
        **_taken_out(),
        "p/b.go": (f"{HEAD}{OTHER}", f"{LOG}{OTHER}\n{OPEN}\nfunc log() {{}}\n"),
    },
    "an import may be called as it likes": {
        "p/a.go": (f"{LOG.replace('log', 'example.com/go-x')}{SHOP}{LONG}", f"{HEAD}{SHOP}{SHORT}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{LOG.replace('log', 'example.com/go-x')}{OTHER}\n{OPEN}"),
    },
    "a name of an import is another package in the other file": {
        "p/a.go": (f"{LOG}{SHOP}{KEPT}{LONG}", f"{LOG}{SHOP}{KEPT}{SHORT}"),
        "p/b.go": (f"{ELSE}{ASKED}", f"{ELSE}{ASKED}\n{OPEN}"),
    },
    "an import without a name comes": _taken_out(now=LOG.replace('import "log"', 'import "log"\nimport _ "expvar"')),
    "an import gives names that it does not say": _taken_out(now=LOG.replace('"log"', '. "log"')),
    "what is computed when it begins comes later": {
        "p/a.go": (f"{LOG}{SHOP}var a = f()\n\n{LONG}", f"{HEAD}{SHOP}{SHORT}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{LOG}{OTHER}\nvar a = f()\n\n{OPEN}"),
    },
    "what begins stands in another file": {
        "p/a.go": (f"{LOG}{SHOP}func init() {{ f() }}\n\n{LONG}", f"{HEAD}{SHOP}{SHORT}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{LOG}{OTHER}\nfunc init() {{ f() }}\n\n{OPEN}"),
    },
    "the other file has a build tag": _taken_out(target=f"//go:build x\n\n{HEAD}", now=f"//go:build x\n\n{LOG}"),
    "names of the linker": _taken_out(now=f"{LOG}//go:linkname b c\n"),
    "the other file is another package": _taken_out(target="package q\n\n", now=LOG.replace("package p", "package q")),
    "the other file is for one system": {
        "p/a.go": _taken_out()["p/a.go"],
        "p/b_linux.go": _taken_out()["p/b.go"],
    },
    "the other file is a test": {"p/a.go": _taken_out()["p/a.go"], "p/b_test.go": _taken_out()["p/b.go"]},
    "the other file stands elsewhere": {"p/a.go": _taken_out()["p/a.go"], "q/b.go": _taken_out()["p/b.go"]},
    "a file does not parse": _taken_out(now=f"{LOG}func ( {{\n"),
}


@pytest.mark.parametrize("name", OTHER_WAYS)
def test_what_may_mean_something_else_in_the_other_file_stays_behaviour(name: str) -> None:
    assert _classes(OTHER_WAYS[name])["p/a.go"] is EVOLUTION


def test_another_file_that_has_the_name_keeps_it_from_being_taken_in() -> None:
    assert _classes(_taken_out(), {"p/c.go": f"{HEAD}func (t *tree) run() {{ t.openAll() }}\n"})["p/a.go"] is EVOLUTION


def test_packages_that_are_too_large_are_judged_file_by_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merged_packages, "MAX_BYTES", 200)
    assert _classes(_taken_out())["p/a.go"] is EVOLUTION


def test_without_the_repository_no_files_are_taken_together() -> None:
    edits = [
        FileVersions(path, Change.MODIFY, (before or "").encode(), (after or "").encode())
        for path, (before, after) in _taken_out().items()
    ]
    assert {verdict.mutation_class for verdict in classify_change(edits)} == {EVOLUTION}


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_what_was_taken_out_passes() -> None:
    """What stands in the one file or in the other one is changed."""
    chance, made = random.Random("merged packages"), 0
    right = _taken_out()
    for path, (before, after) in right.items():
        for mutant in mutants(after or "", chance, 40, "go"):
            made += 1
            assert EVOLUTION in _classes({**right, path: (before, mutant.after)}).values(), mutant
    assert made > 20


def _of_packages(count: int) -> Versions:
    return {path.replace("p/", f"p{index}/"): texts for index in range(count) for path, texts in _taken_out().items()}


def test_packages_of_one_change_are_read_together_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(edits: Sequence[FileVersions], others: RepositoryText, budget: NodeBudget) -> Light:
        asked.append(len(edits))
        return light_of(edits, others, budget)

    monkeypatch.setattr(classify, "light_of", counted)
    found = _classes(_of_packages(5))
    assert set(found.values()) == {REFACTOR}
    assert asked == [10, 5]  # the files, then the packages: not one time for each order of them


def test_a_package_that_does_something_else_leaves_the_others_as_they_are() -> None:
    versions = _of_packages(2)
    before, after = versions["p1/b.go"]
    found = _classes({**versions, "p1/b.go": (before, str(after).replace("count++", "count--"))})
    assert {path for path, found_class in found.items() if found_class is REFACTOR} == {"p0/a.go", "p0/b.go"}
