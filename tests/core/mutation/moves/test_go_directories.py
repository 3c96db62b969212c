"""Packages of Go that move to another directory or are called otherwise: proven if all who import them follow."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
MODULE = {"go.mod": "module example.com/m\n"}
LIVE = "package live\n\nfunc Open() int { return 1 }\n"
TEST = 'package live_test\n\nimport "example.com/m/a/live"\n\nfunc TestOpen(t *T) { live.Open() }\n'
USER = 'package u\n\nimport (\n\t"os"\n\n\t"example.com/m/a/live"\n)\n\nfunc f() { os.Exit(live.Open()) }\n'

Files = dict[tuple[str, str], tuple[str, str]]
"""By the paths before and after, the contents before and after."""


Texts = dict[str, str]


def _verdicts(files: Files, others: Texts | None = None, added: Texts | None = None) -> list[FileClass]:
    edits = [
        FileVersions(new, Change.RENAME if old != new else Change.MODIFY, before.encode(), after.encode(), old)
        for (old, new), (before, after) in files.items()
    ]
    edits += [FileVersions(path, Change.ADD, None, text.encode()) for path, text in (added or {}).items()]
    return [*classify_change(edits, others=Repository(MODULE if others is None else others))]


def _moved(
    old: str = "a/live", new: str = "b/c/live", text: str = LIVE, user: str = USER, now: str | None = None
) -> Files:
    """A package that goes to another directory, and one file that uses it."""
    follows = user.replace(f"/m/{old}".rstrip("/"), f"/m/{new}".rstrip("/")) if now is None else now
    place = f"{old}/".lstrip("/"), f"{new}/".lstrip("/")
    tests = [TEST.replace("m/a/live", f"m/{path}".rstrip("/")) for path in (old, new)]
    return {
        (f"{place[0]}live.go", f"{place[1]}live.go"): (text, text),
        (f"{place[0]}live_test.go", f"{place[1]}live_test.go"): (tests[0], tests[1]),
        ("u/u.go", "u/u.go"): (user, follows),
    }


def test_a_package_that_moved_is_followed_by_who_imports_it() -> None:
    one, test, user = _verdicts(_moved())
    assert {one.mutation_class, test.mutation_class, user.mutation_class} == {REFACTOR}
    assert one.reasons == ("moved from a/live/live.go",)
    assert user.reasons == ("follows example.com/m/b/c/live",)


def _classes(files: Files, others: Texts | None = None, added: Texts | None = None) -> set[str]:
    found = {verdict.mutation_class for verdict in _verdicts(files, others, added)}
    return {name.value for name in found - {MutationClass.FILE_CREATION}}


@pytest.mark.parametrize(
    ("files", "others"),
    [
        (_moved(), {**MODULE, "x/x.go": 'package x\n\nimport "example.com/m/a/live/sub"\n'}),
        (_moved(), {**MODULE, "README.md": "It lies in a/live.\n", "x.go": "package x\n\n// As in a/live.\n"}),
        (_moved(), {}),  # what follows tells what stands before the directory
        (_moved("live", "x/live", user=USER.replace("/a/", "/")), {**MODULE, "Makefile": "live: x/live/live.go\n"}),
        (_moved("live", "", user=USER.replace("/a/", "/"), now=USER.replace("/a/live", "")), MODULE),
        (_moved(user=USER.replace('"example', 'l "example').replace("live.Open", "l.Open")), MODULE),
        (_moved(text=LIVE.replace("1", 'len("../a")')), MODULE),  # only a test is run where it lies
        ({key: _moved()[key] for key in [*_moved()][:1]}, {}),
    ],
)
def test_a_directory_is_found_by_its_module(files: Files, others: Texts) -> None:
    assert _classes(files, others) == {"AST_REFACTOR"}


LEFT = {
    "a test that stays in it": {"a/live/other_test.go": "package live_test\n"},
    "a file that was in the new one": {"b/c/live/other.go": "package live\n"},
    "an import of the old path": {"x.go": 'package x\n\nimport "example.com/m/a/live"\n'},
    "a program that builds the old path": {"x.go": 'package x\n\nvar a = run("build", "./a/live")\n'},
    "a script that names the old path": {"Makefile": "test:\n\tgo test ./a/live/...\n"},
    "a flag that names the old path": {"x.yml": "ldflags: -X example.com/m/a/live.Version=1\n"},
    "another module there": {"b/go.mod": "module example.com/b\n"},
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_or_asks_for_the_old_place_keeps_a_package_from_being_proven(name: str) -> None:
    assert _classes(_moved(), {**MODULE, **LEFT[name]}) == {"INTENT_EVOLUTION"}


def test_the_package_of_a_whole_repository_is_what_others_import() -> None:
    assert _classes(_moved("", "live", user=USER.replace("/a/live", ""))) == {"INTENT_EVOLUTION"}


def test_a_package_that_becomes_that_of_its_repository_is_followed_only_beside_its_module() -> None:
    files = _moved("live", "", user=USER.replace("/a/", "/"), now=USER.replace("/a/live", ""))
    assert _classes(files, {}) == {"INTENT_EVOLUTION"}


def test_nothing_is_proven_without_a_search() -> None:
    edits = [FileVersions("b/live.go", Change.RENAME, LIVE.encode(), LIVE.encode(), "a/live.go")]
    found = classify_change(edits, others=Repository(MODULE, can_search=False))
    assert [verdict.mutation_class for verdict in found] == [EVOLUTION]


@pytest.mark.parametrize(
    ("files", "added"),
    [
        ({**_moved(), ("a/live/x.go", "d/x.go"): (LIVE, LIVE)}, {}),  # one of its files goes elsewhere
        ({**_moved(), ("d/x.go", "b/c/live/x.go"): (LIVE, LIVE)}, {}),  # another one comes
        ({**_moved(), ("a/live/x.go", "a/live/x.go"): (LIVE, f"{LIVE}\n")}, {}),
        (_moved(), {"a/live/new.go": LIVE}),
        (_moved(), {"x.sh": "go vet ./a/live\n"}),
        (_moved(text=LIVE.replace("package live", "")), {}),
        (_moved(text=f"{LIVE}\n//go:embed x\nvar x string\n"), {}),
        (_moved(text=f"{LIVE}\nfunc g() {{ runtime.Caller(0) }}\n"), {}),
        (_moved("a/live", "b/call", text="package main\n"), {}),
        ({("a/x_test.go", "b/x_test.go"): (f'{LIVE}var a = "testdata"\n',) * 2}, {}),
        ({("a/x_test.go", "b/x_test.go"): (f'{LIVE}var a = "../x"\n',) * 2}, {}),
    ],
)
def test_a_package_that_is_not_whole_or_knows_its_place_does_not_move(files: Files, added: Texts) -> None:
    assert "INTENT_EVOLUTION" in _classes(files, added=added)


def test_what_goes_with_a_directory_of_another_name_is_none_of_what_tests_read() -> None:
    text = f'{LIVE}var a = "testdata/x"\n'
    files = {("a/x_test.go", "b/x_test.go"): (text, text), ("ab/x.txt", "bc/x.txt"): ("1", "1")}
    assert _verdicts(files)[0].mutation_class is EVOLUTION


def test_what_tests_read_may_go_with_them() -> None:
    text = f'{LIVE}var a = "testdata/x"\n'
    files = {("a/x_test.go", "b/x_test.go"): (text, text), ("a/testdata/x.txt", "b/testdata/x.txt"): ("1", "1")}
    assert _verdicts(files)[0].mutation_class is REFACTOR


def _named(user: str, now: str, text: str = LIVE, new: str = "internal/share", old: str = "internal/live") -> Files:
    renamed = text.replace("package live", "package share")
    user, now = user.replace("a/live", old), now.replace("a/live", old)
    return {(f"{old}/x.go", f"{new}/x.go"): (text, renamed), ("u/u.go", "u/u.go"): (user, now)}


FOLLOWED = USER.replace("a/live", "internal/share").replace("live.Open", "share.Open")


def test_a_package_that_is_called_otherwise_is_so_for_who_imports_it() -> None:
    field = "func g() { x.live = 1 }\n"
    one, user = _verdicts(_named(USER + field, FOLLOWED + field))
    assert (one.mutation_class, user.mutation_class) == (REFACTOR, REFACTOR)
    assert one.reasons == ("moved from internal/live/x.go", "follows package share")


def test_a_package_may_be_called_otherwise_in_its_place() -> None:
    place = "internal/live"
    files = _named(USER, USER.replace("live.Open", "share.Open"), new=place)
    test = TEST.replace("a/live", place)
    files[f"{place}/x_test.go", f"{place}/x_test.go"] = (
        test,
        test.replace("live_test", "share_test").replace("live.Open", "share.Open"),
    )
    one, user, tests = _verdicts(files)
    assert {one.mutation_class, user.mutation_class, tests.mutation_class} == {REFACTOR}
    assert one.reasons == ("follows package share",)


def test_the_name_of_a_package_that_others_may_import_is_a_part_of_what_they_use() -> None:
    assert "INTENT_EVOLUTION" in _classes(_named(USER, FOLLOWED, old="a/live"))


@pytest.mark.parametrize(
    ("user", "now", "text"),
    [
        (USER, FOLLOWED.replace("share.Open", "other.Open"), LIVE),
        (f"{USER}var share = 1\n", f"{FOLLOWED}var share = 1\n", LIVE),
        (f"{USER}func g(live T) {{ live.Open() }}\n", f"{FOLLOWED}func g(live T) {{ share.Open() }}\n", LIVE),
        (USER, FOLLOWED, f'{LIVE}var a = fmt.Sprintf("%T", b)\n'),
        (USER, FOLLOWED, LIVE.replace("live", "main")),
    ],
)
def test_a_name_that_means_something_else_too_is_none_of_a_package(user: str, now: str, text: str) -> None:
    assert "INTENT_EVOLUTION" in _classes(_named(user, now, text))


@pytest.mark.parametrize(("old", "new"), [("1 }", "2 }"), ("int { return 1 }", "bool { return 1 }")])
def test_a_change_on_the_way_is_no_move(old: str, new: str) -> None:
    files = _moved()
    files["a/live/live.go", "b/c/live/live.go"] = LIVE, LIVE.replace(old, new)
    assert _verdicts(files)[0].mutation_class is EVOLUTION
