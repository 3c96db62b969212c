"""Names of C that one file has for itself, and renamed: others may have the old one, or the new one, too."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
OTHERS = {"b.c": "static int load(void) { return 1; }\nint go(void) { return load() + read_it(); }\n"}


def _class(text: str, names: tuple[str, str], others: dict[str, str] | Repository = OTHERS) -> MutationClass:
    old, new = names
    path = "src/a.c"
    return judged({path: (text, text.replace(old, new))}, others)[path].mutation_class


STATIC = "#include <stdio.h>\nstatic int load(void) { return 2; }\nint run(void) { return load(); }\n"
MACRO = "#include <stdio.h>\n#define load 2\nint run(void) { return load; }\n"
TYPE = "struct load { int b; };\nint run(struct load *c) { return c->b; }\n"


@pytest.mark.parametrize("text", [STATIC, MACRO, TYPE])
def test_what_a_file_has_for_itself_may_have_another_name(text: str) -> None:
    assert _class(text, ("load", "read_it")) is REFACTOR
    assert _class(text, ("load", "read_it"), {**OTHERS, "b.md": "load\n"}) is REFACTOR


def test_a_static_name_may_be_that_of_a_variable_of_a_header() -> None:
    """A file can't have both, so it does not include this one. A type of that name is the file's own as well."""
    known = {**OTHERS, "a.h": "int load;\n"}
    assert [_class(text, ("load", "read_it"), known) for text in (STATIC, TYPE)] == [REFACTOR, EVOLUTION]


@pytest.mark.parametrize(
    ("text", "others"),
    [
        (STATIC.replace("static ", ""), OTHERS),
        (STATIC, {**OTHERS, "Makefile": "a.o: -Dread_it=1\n"}),
        (STATIC, {**OTHERS, "c.c": '#include "a.c"\nint load;\n'}),
        (STATIC, {**OTHERS, "c.c": "#define CALL(x) lo##x\n#define ALSO load ## x\n"}),
        (STATIC.replace("load()", "SHOW(load())"), {**OTHERS, "c.h": "#define SHOW(x) puts(#x)\n"}),
        (STATIC.replace("#include <stdio.h>\n", "") + "#include <stdio.h>\n", OTHERS),
        (STATIC.replace("load", "_load"), OTHERS),
        (STATIC, Repository({}, can_search=False)),
    ],
)
def test_what_others_may_know_keeps_its_name(text: str, others: dict[str, str] | Repository) -> None:
    old = "_load" if "_load" in text else "load"
    assert _class(text, (old, "read_it"), others) is EVOLUTION


def test_all_uses_have_to_follow() -> None:
    after = STATIC.replace("load(void)", "read_it(void)")
    assert judged({"src/a.c": (STATIC, after)}, OTHERS)["src/a.c"].mutation_class is EVOLUTION
    taken = STATIC + "static int read_it;\n"
    assert judged({"src/a.c": (taken, taken.replace("load", "read_it"))}, OTHERS)["src/a.c"].mutation_class is EVOLUTION


class _OnlyMacros(Repository):
    """One that finds macros, and too many files for all else."""

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        return {} if tuple(words) == ("define",) else None


def test_a_name_that_too_many_files_have_is_not_followed() -> None:
    assert _class(STATIC, ("load", "read_it"), _OnlyMacros({})) is EVOLUTION
