"""Definitions of Go that move between the files of a package: refactors in both, if they mean the same there."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.corpora import CORPORA
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

LOAD = "func load() { os.Exit(limit) }\n"
HEAD = 'package p\n\nimport "os"\n\n'
REST = "func run() { os.Clearenv(); load() }\n"
OTHER = "func other() { os.Getpid() }\n"


def _moved(definition: str = LOAD, source: str = HEAD, target: str = HEAD) -> dict[str, tuple[str | None, str | None]]:
    """A definition that goes from p/a.go, with this head, to p/b.go."""
    return {
        "p/a.go": (f"{source}{definition}\n{REST}", f"{source}{REST}"),
        "p/b.go": (f"{target}{OTHER}", f"{target}{OTHER}\n{definition}"),
    }


@pytest.mark.parametrize(
    "definition",
    [
        LOAD,
        "func (c *City) load() { os.Exit(limit) }\n",
        "type (\n\tCity struct { name string }\n\tTown = City\n)\n",
        "const (\n\tone = iota\n\ttwo\n)\n",
        f"//go:noinline\n{LOAD}",
        'var load = &Command{Use: "load", Run: other, Args: func() int { return 1 }}\n',
    ],
)
def test_what_went_to_another_file_of_its_package_is_a_refactor_of_both(definition: str) -> None:
    assert set(classes(_moved(definition)).values()) == {REFACTOR}


@pytest.mark.parametrize(
    ("head", "suffix"),
    [(f"//go:build x\n// +build x\n\n{HEAD}", ""), (HEAD, "_linux"), (f"//go:build !y\n\n{HEAD}", "_linux_amd64_test")],
)
def test_what_went_to_a_file_that_is_built_for_the_same_is_a_refactor_of_both(head: str, suffix: str) -> None:
    """Whoever has the one file has the other."""
    moved = {path.replace(".go", f"{suffix}.go"): texts for path, texts in _moved(source=head, target=head).items()}
    assert set(classes(moved).values()) == {REFACTOR}


@pytest.mark.parametrize(("one", "other"), [("_linux_amd64", "_linux"), ("_linux_amd64", "_linux_arm64"), ("", "_js")])
def test_what_went_to_a_file_that_other_systems_have_is_none(one: str, other: str) -> None:
    moved = _moved()
    found = classes({f"p/a{one}.go": moved["p/a.go"], f"p/b{other}.go": moved["p/b.go"]})
    assert set(found.values()) == {MutationClass.INTENT_EVOLUTION}


def test_what_went_to_a_file_whose_build_tag_came_with_it_is_none() -> None:
    moved = _moved()
    before, after = moved["p/b.go"]
    found = classes({**moved, "p/b.go": (before, f"//go:build x\n\n{after}")})
    assert set(found.values()) == {MutationClass.INTENT_EVOLUTION}


def test_an_import_of_one_file_alone_whose_name_can_not_be_told_is_none_of_what_moved() -> None:
    """The other file would not compile without it, nor with two of a name."""
    assert set(classes(_moved(source=HEAD.replace('"os"', '"os"\nimport "x/go-fs"'))).values()) == {REFACTOR}


TIMELESS = [
    "var load int\n",
    "var load = 5 * time.Second\n",
    'var load = errors.New("a")\n',
    'var load = []string{"a", `b`}\n',
    'var load = map[string]City{"a": {Name: 1}}\n',
    "var load = &City{Name: -1}\n",
    'var load = []byte("a")\n',
    "var load = func() { os.Getpid() }\n",
    'var load, another = regexp.MustCompile("a"), true\n',
]
TIMED = [
    "var load = another\n",
    "var load = os.Args\n",
    "var load = City{Name: another}\n",
    "var load = map[string]int{another: 1}\n",
    "var load = [2]int{another: 1}\n",
    "var load = []int{another}\n",
    "var load = errors.New(another)\n",
    "var load = <-another\n",
    "var load = os.Getpid()\n",
    'var load, another = errors.New("a"), os.Getpid()\n',
]
MANY = 'package p\n\nimport (\n\t"errors"\n\t"os"\n\t"regexp"\n\t"time"\n)\n\n'


@pytest.mark.parametrize("definition", TIMELESS)
def test_a_variable_goes_to_another_file_if_nothing_can_tell_when_it_gets_its_value(definition: str) -> None:
    assert set(classes(_moved(definition, MANY, MANY)).values()) == {REFACTOR}


@pytest.mark.parametrize("definition", TIMED)
def test_a_variable_whose_value_may_depend_on_others_stays(definition: str) -> None:
    assert set(classes(_moved(definition, MANY, MANY)).values()) == {EVOLUTION}
    foreign = MANY.replace('"errors"', '"x/errors"')
    assert set(classes(_moved(TIMELESS[2], foreign, foreign)).values()) == {EVOLUTION}


def test_one_of_a_group_goes_for_itself() -> None:
    group = "var (\n\tone = 1\n\tload = 2\n)\nconst (\n\tthree = 3\n\tfour = 4\n)\n"
    versions: Versions = {
        "p/a.go": (f"{HEAD}{group}{REST}", f"{HEAD}var one = 1\nconst (\n\tthree = 3\n)\n{REST}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{HEAD}{OTHER}\nvar (\n\tload = 2\n)\nconst four = 4\n"),
    }
    assert set(classes(versions).values()) == {REFACTOR}
    counted = "const (\n\tone = iota\n\tload\n)\n"
    versions = {
        "p/a.go": (f"{HEAD}{counted}{REST}", f"{HEAD}const one = 0\n{REST}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{HEAD}{OTHER}\nconst load = iota\n"),
    }
    assert EVOLUTION in classes(versions).values()


def test_the_reasons_say_what_moved_and_where() -> None:
    found = judged(_moved())
    assert found["p/a.go"].reasons == ("moved load to p/b.go",)
    assert found["p/b.go"].reasons == ("moved load from p/a.go",)


def test_the_imports_that_a_move_takes_go_with_it() -> None:
    versions: Versions = {
        "p/a.go": (f"{HEAD}{LOAD}", "package p\n\nfunc run() {}\n"),
        "p/b.go": ("package p\n\nfunc run() {}\n", f"{HEAD}{LOAD}"),
    }
    found = judged(versions)
    assert {verdict.mutation_class for verdict in found.values()} == {REFACTOR}
    assert found["p/a.go"].reasons == ("moved load to p/b.go", "moved run from p/b.go")


def test_a_move_to_a_new_file_and_out_of_one_that_goes_is_a_refactor_of_what_stays() -> None:
    came = {"p/a.go": _moved()["p/a.go"], "p/c.go": (None, f"{HEAD}{LOAD}")}
    assert classes(came)["p/a.go"] is REFACTOR
    gone = {"p/b.go": _moved()["p/b.go"], "p/c.go": (f"{HEAD}{LOAD}", None)}
    assert classes(gone)["p/b.go"] is REFACTOR


def test_a_definition_that_moves_may_follow_a_rename() -> None:
    pairs = {path: (old, new.replace("limit", "bound")) for path, (old, new) in _moved().items() if old and new}
    pairs["p/c.go"] = ("package p\nconst limit = 1\nvar x = limit\n", "package p\nconst bound = 1\nvar x = bound\n")
    assert set(classes(pairs).values()) == {REFACTOR}


_LOAD_ELSEWHERE = LOAD.replace("limit", "other")
BROKEN: dict[str, Versions] = {
    "its name stands for another import there": _moved(target=HEAD.replace('"os"', '"x/os"')),
    "its name stands for no import there": _moved(target="package p\n\n"),
    "the names of two imports can't be told": _moved(
        source=HEAD.replace('"os"', '"os"\nimport "x/go-fs"'), target=HEAD.replace('"os"', '"os"\nimport "y/go-fs"')
    ),
    "an import has another name than its path": _moved(source=HEAD.replace('"os"', '"x/os.v1"')),
    "names come from anywhere": _moved(source=HEAD.replace("import", 'import . "y"\nimport')),
    "it is run in the order of the files": _moved("func init() { os.Exit(1) }\n"),
    "a tool is told something of what stays": {
        "p/a.go": (f"{HEAD}//go:noinline\n{LOAD}\n{REST}", f"{HEAD}//go:noinline\n{REST}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{HEAD}{OTHER}\n{LOAD}"),
    },
    "a tool is told something of it no more": {
        "p/a.go": (f"{HEAD}//go:noinline\n{LOAD}\n{REST}", f"{HEAD}{REST}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{HEAD}{OTHER}\n{LOAD}"),
    },
    "it does something else there": {
        "p/a.go": _moved()["p/a.go"],
        "p/b.go": (f"{HEAD}{OTHER}", f"{HEAD}{OTHER}\n{_LOAD_ELSEWHERE}"),
    },
    "the other file is in another package": {
        "p/a.go": _moved()["p/a.go"],
        "q/b.go": _moved()["p/b.go"],
    },
    "the other file has another package clause": _moved(target=HEAD.replace("package p", "package q")),
    "the other file is a test": {"p/a.go": _moved()["p/a.go"], "p/b_test.go": _moved()["p/b.go"]},
    "the other file is for one system": {"p/a.go": _moved()["p/a.go"], "p/b_linux.go": _moved()["p/b.go"]},
    "the other file has a build tag": _moved(target=f"//go:build x\n\n{HEAD}"),
    "the other file has C": _moved(target=HEAD.replace("import", 'import "C"\nimport')),
    "a value is computed": _moved("var load = os.Getpid()\n"),
    "it came twice": {**_moved(), "p/c.go": (f"{HEAD}", f"{HEAD}{LOAD}")},
    "more than it went": {
        "p/a.go": (f"{HEAD}{LOAD}\n{REST}", f"{HEAD}{REST.replace('load()', 'load(); load()')}"),
        "p/b.go": (f"{HEAD}{OTHER}", f"{HEAD}{OTHER.replace('Getpid', 'Getuid')}\n{LOAD}"),
    },
    "an import comes to the package": {
        "p/a.go": (f"{HEAD}{LOAD}\n{REST}", f"{HEAD}{REST}"),
        "p/b.go": (f"{HEAD}{OTHER}", f'{HEAD}import _ "net/http/pprof"\n{OTHER}\n{LOAD}'),
    },
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_move_that_may_mean_something_else_is_no_refactor(name: str) -> None:
    found = classes(BROKEN[name])
    other = next(path for path in found if path.endswith(("b.go", "b_test.go", "b_linux.go")))
    assert found[other] is EVOLUTION


def test_the_other_half_must_be_in_the_change() -> None:
    assert classes({"p/a.go": _moved()["p/a.go"]})["p/a.go"] is EVOLUTION
    assert classes({"p/b.go": _moved()["p/b.go"]})["p/b.go"] is EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_behaviour_mutant_passes_in_either_file_of_a_move() -> None:
    function = CORPORA["go"].partition("func parse")[2].partition("\n}\n")[0]
    definition = f"func parse{function}\n}}\n"
    source = CORPORA["go"].replace(definition, "")
    head = 'package atlas\n\nimport (\n\t"strings"\n)\n\n'
    target = f"{head}{definition}"
    right: Versions = {"p/a.go": (CORPORA["go"], source), "p/b.go": (head + OTHER, f"{target}{OTHER}")}
    assert set(classes(right).values()) == {REFACTOR}
    chance = random.Random("moved")
    made = 0
    for mutant in mutants(source, chance, 40, "go"):
        made += 1
        assert classes({**right, "p/a.go": (CORPORA["go"], mutant.after)})["p/a.go"] is EVOLUTION, mutant
    for mutant in mutants(target, chance, 40, "go"):
        made += 1
        found = classes({**right, "p/b.go": (head + OTHER, f"{mutant.after}{OTHER}")})
        assert EVOLUTION in found.values(), mutant
    assert made > 50
