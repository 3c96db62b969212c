"""Names of C that a change set renames in the whole repository, and lines that no compiler reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, classes, judged

DOCS, REFACTOR, EVOLUTION = (
    MutationClass.DOCUMENTATION,
    MutationClass.AST_REFACTOR,
    MutationClass.INTENT_EVOLUTION,
)

HEAD = "struct list { int len; };\n#define LEN(a) ((a)->len)\n"
USER = "int f(struct list *a) {\n  return LEN(a) + a->len;\n}\n"


def _renamed(
    old: str, new: str, *extra: tuple[str, str | None, str | None], head: str = HEAD, user: str = USER
) -> dict[str, tuple[str | None, str | None]]:
    files = {"a.h": (head, head.replace(old, new)), "a.c": (user, user.replace(old, new))}
    return {**files, **{path: (before, after) for path, before, after in extra}}


@pytest.mark.parametrize(
    ("old", "new", "head", "user"),
    [
        ("len", "count", HEAD, USER),
        ("LEN", "COUNT", HEAD, USER),
        ("list", "chain", HEAD, USER),
        ("total", "sum_of", "static int total[3], other;\n", "int f(void) { return total[1]; }\n"),
        (
            "size_of",
            "extent",
            "int size_of(int a) {\n  if (a) { return 1; }\n  return 2;\n}\n",
            "int g = size_of(1);\n",
        ),
        ("RED_ONE", "RED_TWO", "enum color { GREEN = f(1), RED_ONE };\n", "int f = RED_ONE;\n"),
        (
            "pair_of",
            "both_of",
            "typedef struct { int a; int b; } pair_of;\n",
            "int f(pair_of *c) { return c->a; }\n",
        ),
        ("on_read", "on_data", "struct a { void (*on_read)(int); };\n", "void f(struct a *b) { b->on_read(1); }\n"),
        ("reader", "source", "typedef int (*reader)(int, char *);\n", "int f(reader a) { return a(1, 0); }\n"),
        ("class", "kind", "struct a { int class; int new; };\n", "int f(struct a *b) { return b->class; }\n"),
        (
            "tally",
            "count_of",
            "#define INLINE(type) static inline type\nINLINE(int) tally(int a) {\n  return a;\n}\n",
            "int f(void) { return tally(1); }\n",
        ),
        ("bits", "flags", "struct a { unsigned bits : 3; };\n", "int f(struct a *b) { return b->bits; }\n"),
    ],
)
def test_a_name_that_all_files_rename_is_a_refactor_of_each(old: str, new: str, head: str, user: str) -> None:
    found = judged(_renamed(old, new, head=head, user=user))
    assert {verdict.mutation_class for verdict in found.values()} == {REFACTOR}
    assert found["a.c"].reasons == (f"rename {old}->{new}",)


def test_two_names_that_are_declared_by_each_other_are_renamed_together() -> None:
    head = "#define ONE two_of(1)\nint two_of(int a) { return a + ONE; }\n"
    versions = {"a.c": (head, head.replace("ONE", "FIRST").replace("two_of", "twice"))}
    assert classes(versions) == {"a.c": REFACTOR}


def test_a_name_in_a_macro_that_only_takes_its_value_is_a_refactor() -> None:
    versions = _renamed("len", "count", head=HEAD + "#define TWICE(a) (2 * (a))\n", user=USER + "int b = TWICE(len);\n")
    assert classes(versions)["a.c"] is REFACTOR


def test_a_file_that_does_more_is_none_and_its_users_are() -> None:
    more = {**_renamed("len", "count"), "b.c": ("int b = 1;\n", "int b = 2;\n"), "a.md": ("len", "count")}
    assert classes(more) == {"a.h": REFACTOR, "a.c": REFACTOR, "b.c": EVOLUTION, "a.md": DOCS}


@pytest.mark.parametrize(
    "extra",
    [
        "int g(void) { return CAT(tree_, len); }",
        "int g(void) { return JOIN(list_, depth); }",
        "#ifdef CAT\n#undef CAT\n#endif\n#if defined(JOIN)\n#endif",
        "#define TREE CAT(tree_, len)\nint g(void) { return h(TREE, list_len); }",
        "char *g = __FILE__;",
    ],
)
def test_a_name_that_no_macro_makes_of_what_it_is_given_is_a_refactor(extra: str) -> None:
    assert set(classes(_pasted(extra)).values()) == {REFACTOR}


def test_where_too_many_files_may_put_it_together_it_is_no_refactor() -> None:
    others = {f"{number}.c": "int b = CAT(1, 2);\n" for number in range(401)}
    assert classes(_pasted(""), others)["a.c"] is REFACTOR
    assert classes({**_pasted("", ""), "a.h": (_CAT, f"{_CAT}int c;\n")}, others)["a.c"] is EVOLUTION


def test_a_macro_of_a_file_that_no_other_one_includes_pastes_nothing_elsewhere() -> None:
    others = {"b.c": "int b = CAT(list_, len);\n", "c.c": '#include "b.c"\n'}
    assert classes(_pasted(""), others)["a.c"] is REFACTOR
    assert classes(_pasted(""), {**others, "d.c": '#include "x/a.c"\n'})["a.c"] is EVOLUTION


class _Silent(Repository):
    """A repository that does not say who has a word."""

    def __init__(self, files: dict[str, str], word: str) -> None:
        super().__init__(files)
        self._word = word

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        return None if self._word in words else super().mentioning(words)


@pytest.mark.parametrize("word", ["define", "PASTE", "b.c"])
def test_where_it_can_not_be_told_what_macros_paste_it_is_no_refactor(word: str) -> None:
    paste = "#define PASTE(a, b) a##b\n"
    others = {"a.h": paste, "b.c": paste, "c.c": "int c = PASTE(list_, len);\n" if word == "b.c" else "int c;\n"}
    assert classes(_pasted("", ""), _Silent({**others, "c.c": "int c;\n"}, "nothing"))["a.c"] is REFACTOR
    assert classes(_pasted("", ""), _Silent(others, word))["a.c"] is EVOLUTION


def test_macros_with_comments_of_several_lines_are_read() -> None:
    others = {"b.h": '#define HINT(a) g(a) /* what it\n   is for */ + 1 // "\n#define OTHER "/*" /* a */\nint b;\n'}
    changed = _renamed("len", "count", user=USER + "int g(int a) { return a; }\n")
    assert set(classes(changed, others).values()) == {REFACTOR}


def test_a_word_in_a_comment_or_in_prose_elsewhere_is_no_use() -> None:
    others = {"b.c": "/* len, count */ int b;\n", "b.md": "len count\n"}
    assert classes(_renamed("len", "count"), others)["a.c"] is REFACTOR


@pytest.mark.parametrize(
    "others",
    [
        {"b.c": 'char *a = "the len of";\n'},
        {"b.c": 'void g(void) { puts("len\\n"); puts("len() failed"); puts("len: no"); }\n'},
        {"ChangeLog": "len\n", "NEWS-1.2": "count\n", "docs/RELEASE-NOTES": "len\n"},
        {"docs/len.3": '.\\" of people\n.TH len 3\n', "docs/count.texi": "\\input texinfo\ncount\n"},
    ],
)
def test_what_people_read_is_no_use_of_a_name(others: dict[str, str]) -> None:
    assert classes(_renamed("len", "count"), others)["a.c"] is REFACTOR


def test_a_text_for_people_that_follows_keeps_nothing_but_its_own_file_from_being_a_refactor() -> None:
    body = 'int len_of(int a) {{ if (a) {{ puts("len_of: {}"); }} return a; }}\n'
    user = "int f(void) { return len_of(1); }\n"
    after = body.format("no a").replace("len_of", "count_of")
    versions = {"a.c": (body.format("no a"), after), "b.c": (user, user.replace("len_of", "count_of"))}
    assert classes(versions) == {"a.c": EVOLUTION, "b.c": REFACTOR}


TREE = "int tree_size(int a, char *b) { return a; }\n"
TREE_USER = "int f(void) { return tree_size(1, 0); }\n"
KEPT = [
    "#define tree_size tree_count\n",
    "#define tree_size(a, b) tree_count(a, b)\n",
    "#define tree_size(a, b) tree_count((a), (b))\n",
    "int tree_size(int x, char *y) { return tree_count(x, y); }\n",
    "#if OLD\nint tree_size(int, char *);\n#endif\nint tree_size(int x, char *y) { tree_count(x, y); }\n",
]


def _kept(more: str, others: Mapping[str, str] | None = None) -> MutationClass:
    """What a user is whose function got another name, where `more` says what the old one is now."""
    after = TREE.replace("size", "count")
    user = (TREE_USER, TREE_USER.replace("size", "count"))
    return classes({"a.c": (TREE, after), "b.c": user, "a.h": ("int b;\n", f"int b;\n{more}")}, others)["b.c"]


@pytest.mark.parametrize("more", KEPT)
def test_the_old_name_may_stay_for_those_who_still_use_it(more: str) -> None:
    assert _kept(more) is REFACTOR
    assert _kept(more, {"c.c": "int g(void) { return tree_size(2, 0); }\n"}) is REFACTOR
    assert _kept(more, {"c.c": 'void *g(void) { return dlsym(0, "tree_size"); }\n'}) is EVOLUTION


@pytest.mark.parametrize(
    "more",
    [
        "#define tree_size\n",
        "#define tree_size(a, b) tree_count(b, a)\n",
        "#define tree_size(a, b) tree_count(a, b) + 1\n",
        "#define tree_size(a, b) tree_sum(a, b)\n",
        "#define SIZE tree_size(1, 0)\n",
        "#define CAT(a, b) a##b\n#define tree_size tree_count\n",
        "int tree_size(int x, char *y) { return tree_count(x + 1, y); }\n",
        "int tree_size(int x, char *y) { log(); return tree_count(x, y); }\n",
        "int tree_size(int x, char *) { return tree_count(x, 0); }\n",
        "int tree_size(int x, char *y) { return tree_count }\n",
        "int (*old)(int, char *) = tree_size;\n",
        "int old = tree_size(1, 0);\n",
        "int tree_size;\n",
        "struct { int tree_size(int); } old = { 1 };\n",
    ],
)
def test_an_old_name_that_is_something_else_now_is_no_refactor(more: str) -> None:
    assert _kept(more) is EVOLUTION


OTHERS = {
    "a use is left": {"b.c": "int g(struct list *a) { return a->len; }\n"},
    "a macro of the new name is there": {"b.h": "#define count 1\n"},
    "a text is it": {"b.c": 'char *a = "len";\n'},
    "a text may be code that declares it": {"b.c": 'char *a = "ffi.cdef[[ int len(int); ]]";\n'},
    "a text may be code that asks for it": {"b.c": 'char *a = "x = lib.len ";\n'},
    "a text for the assembler has it": {"b.c": 'void g(void) { asm("call len"); }\n'},
    "another language has it": {"b.py": "lib.len\n"},
    "it is in a list of exports": {"a.map": "global: len;\n"},
    "a file that can't be split has it": {"b.c": "#error don't /* say\nlen\n"},
    "too many files have it": {f"{number}.c": "int b; /* len */\n" for number in range(61)},
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_name_that_another_file_has_is_no_refactor(name: str) -> None:
    assert classes(_renamed("len", "count"), OTHERS[name])["a.c"] is EVOLUTION


def test_nothing_is_proven_by_a_repository_that_can_not_be_searched() -> None:
    assert classes(_renamed("len", "count"), Repository({}, can_search=False))["a.c"] is EVOLUTION


_SHOW = "#define SHOW(a) #a\n#define SHOW_IT(a, ...) SHOW(a)\n#define CALL(a, b) a(b)\n"
_CAT = "#define CAT(a, b) a##b\n#define JOIN(a, b) CAT(a, b)\n"
_EACH = "#define EACH(X) X(list) X(tree)\n#define ONE(n) int n##_len;\n#define OTHER ONE\n"


def _pasted(extra: str, head: str = _CAT) -> Versions:
    """`list_len` gets another name, where something else may make it."""
    user = f"{head}int list_len;\nint f(void) {{ return list_len; }}\n{extra}\n"
    return {"a.c": (user, user.replace("list_len", "list_size"))}


_PASTE = "#define PASTE(a) list_##a\nint PASTE(len);\nint list_len;\n"
BROKEN: dict[str, Versions] = {
    "one use is left": {
        "a.h": _renamed("len", "count")["a.h"],
        "a.c": (USER, USER.replace("a->len", "a->count") + "int len;"),
    },
    "it is only announced here": {"a.c": ("int one(void);\nint f = one();\n", "int two(void);\nint f = two();\n")},
    "a type is only announced here": {"a.c": ("struct one;\nstruct one *f;\n", "struct two;\nstruct two *f;\n")},
    "it may override what is elsewhere": _renamed("len", "count", head=HEAD + "class B;\n"),
    "it is used at the end of what can't be read": {"a.c": ("int f = {aa", "int f = {bb")},
    "a list of operands is no enumeration": {"a.c": ("f, aa, b;", "f, bb, b;")},
    "its body has no end": {"a.c": ("int aa(int c) { g(", "int bb(int c) { g(")},
    "a name is undefined": {"a.c": ("#undef AA\n#ifdef AA\n#endif\n", "#undef BB\n#ifdef BB\n#endif\n")},
    "the new name was there": _renamed("LEN", "COUNT", ("b.c", "int COUNT;\n", "int COUNT = 1;\n")),
    "a macro of the new name was there": _renamed("len", "count", ("b.c", "#define count\n", "#define count 1\n")),
    "the name is no member alone": _renamed(
        "len",
        "count",
        ("b.c", "int count;\nint len;\n", "int count;\nint count;\n"),
    ),
    "it is declared elsewhere": {
        "a.c": ("int f(void) { return strspn(b); }\n", "int f(void) { return strcspn(b); }\n")
    },
    "it is declared elsewhere, and only named here": {
        "a.c": ("extern int one_of;\nint f = one_of;\n", "extern int two_of;\nint f = two_of;\n"),
    },
    "a product is no declaration": {"a.c": ("int f(int a) { g(a * b); }\n", "int f(int a) { g(a * c); }\n")},
    "a list of values is no enumeration": {"a.c": ("int a[] = {bb, 2};\n", "int a[] = {cc, 2};\n")},
    "what declares it is another now": {
        "a.h": (HEAD, HEAD.replace("int len", "long count").replace("->len", "->count")),
        "a.c": (USER, USER.replace("->len", "->count")),
    },
    "a macro makes a text of it": _renamed("len", "count", head=HEAD + _SHOW, user=USER + "char *b = SHOW(len);\n"),
    "a macro makes a name of a part of it": _renamed("list_len", "list_size", head=_PASTE, user="int a = list_len;\n"),
    "a macro hands it on to one that makes a text of it": _renamed(
        "len", "count", head=HEAD + _SHOW, user=USER + "char *b = SHOW_IT(len, 1);\n"
    ),
    "a macro is given the one that makes a text of it": _renamed(
        "len", "count", head=HEAD + _SHOW, user=USER + "char *b = CALL(SHOW, len);\n"
    ),
    "a macro puts it together": _pasted("int g(void) { return CAT(list_, len); }"),
    "a macro that hands on puts it together": _pasted("int g(void) { return JOIN (list, _len); }"),
    "a macro puts it together of more than two": _pasted(
        "int g(void) { return CAT(list, len); }", "#define CAT(a, b) a ## _ ## b\n"
    ),
    "a macro puts another name together with it": _pasted("int g(void) { return CAT(list_len, gth); }"),
    "a macro is given the one that puts it together": _pasted("int EACH(ONE) b;", _EACH),
    "it is put together under another name": _pasted("int OTHER(list) b;", _EACH),
    "it is put together in what is included": {
        **_pasted('#include "all.def"\n', ""),
        "a.h": ("#define ONE(n) int n##_len;\n", "#define ONE(n) int n##_len;\nint b;\n"),
        "all.def": ("ONE(list)\n", "ONE(list) ONE(tree)\n"),
    },
    "it is put together in what is no code and is included": {
        **_pasted('#include "all.tbl"\n', ""),
        "a.h": ("#define ONE(n) int n##_len;\n", "#define ONE(n) int n##_len;\nint b;\n"),
        "all.tbl": ("ONE(list)\n", "ONE(list) ONE(tree)\n"),
    },
    "it is put together where the file is included": {
        **_pasted("", "#define ONE(n) int n##_len;\n"),
        "b.c": ('#include "a.c"\nONE(list)\n', '#include "a.c"\nONE(list) ONE(tree)\n'),
    },
    "it is numbered": {
        "a.c": (
            "#define AT(a) a##__LINE__\nint AT(one_), one_7, f = one_7;\n",
            "#define AT(a) a##__LINE__\nint AT(one_), one_8, f = one_8;\n",
        )
    },
    "a macro can't be told": _pasted("#define CAT( a##b\n"),
    "a message of the compiler says it": _renamed("len", "count", user=USER + "#error len is bad\n"),
    "the compiler is told about it": _renamed("len", "count", user=USER + "#pragma weak len\n"),
    "it has no body": {"a.c": ("int one } aa; int c = aa;\n", "int one } bb; int c = bb;\n")},
    "its parameters have no end": {"a.c": ("int (*aa)(int; int c = aa;\n", "int (*bb)(int; int c = bb;\n")},
    "a text has it": _renamed("len", "count", user=USER + 'char *b = "len";\n'),
    "a file of the change in another language has it": _renamed("len", "count", ("b.py", "lib.len", "lib.count")),
    "a file of the change can't be split": _renamed("len", "count", ("b.c", "#error don't /*", "#error don't //")),
    "it is a word of the language": {"a.c": ("int f(short a) { return a; }\n", "int f(long a) { return a; }\n")},
    "it is of the library": _renamed(
        "release", "free", head="void release(int a) { b(a); }\n", user="int c = release(1);\n"
    ),
    "it is a label": {"a.c": ("int f() { goto one; one: g(); }\n", "int f() { goto two; two: h(); }\n")},
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_rename_that_is_not_the_same_everywhere_is_no_refactor(name: str) -> None:
    assert classes(BROKEN[name])["a.c"] is EVOLUTION


def test_what_is_too_large_proves_no_name() -> None:
    large = "int b;\n" * 200_000
    assert classes(_renamed("len", "count", ("b.c", large, f"{large} ")))["a.c"] is EVOLUTION


DEAD = [
    ("a();\n#if 0\nb();\n#endif\n", "a();\n"),
    ("a();\n#if 0\n#ifdef C\nb();\n#else\nd();\n#endif\n#endif\n", "a();\n"),
    ("#if 0\nb();\n#else\na();\n#endif\n", "a();\n"),
    (
        "#ifdef B\na();\n#else\nc();\n#endif\n#if 0\n#if 0\nb();\n#endif\n#endif\n",
        "#ifdef B\na();\n#else\nc();\n#endif\n",
    ),
    ("#if 0\nb();\n#endif\n#define A\n", "#if 0\nc();\n#endif\n#define A\n"),
]


@pytest.mark.parametrize(("before", "after"), DEAD)
def test_lines_that_no_compiler_reads_are_a_refactor(before: str, after: str) -> None:
    found = judged({"a.c": (f"void f() {{\n{before}}}\n", f"void f() {{\n{after}}}\n")})["a.c"]
    assert (found.mutation_class, found.reasons) == (REFACTOR, ("lines under #if 0",))


ALIVE = [
    ("#if 1\nb();\n#endif\n", ""),
    ("#if 0\n" * 101 + "b();\n" + "#endif\n" * 101, ""),
    ("#if 0 + 1\nb();\n#endif\n", ""),
    ("#if 0\n#elif A\nb();\n#endif\n", ""),
    ("#if 0\nb();\n#else\na();\n#endif\n", "b();\n"),
    ("#if 0\nb();\n#else\na();\n#else\nc();\n#endif\n", "a();\n"),
    ("#if 0\nb();\n", ""),
    ("#if 0\nb();\n#endif\n#endif\n", "#endif\n"),
    ("#ifdef A\nb();\n#if 0\n#endif\n#else\nc();\n#endif\n", "b();\n"),
]


@pytest.mark.parametrize(("before", "after"), ALIVE)
def test_lines_that_a_compiler_may_read_are_none(before: str, after: str) -> None:
    assert classes({"a.c": (f"d();\n{before}", f"d();\n{after}")}) == {"a.c": EVOLUTION}


def test_lines_that_no_compiler_reads_are_no_reason_where_they_did_not_change() -> None:
    before = "int f(int a) {\n#if 0\n b();\n#endif\n return a; }\n"
    found = judged({"a.c": (before, before.replace("int a", "int c").replace("return a", "return c"))})["a.c"]
    assert found.reasons == ("names of variables in functions",)


def test_lines_that_can_not_be_split_for_certain_are_none() -> None:
    broken = "#if 0\n#endif\n#error don't /* say */\n"
    assert classes({"a.c": (f"d();\n{broken}", f"e();\n{broken}")}) == {"a.c": EVOLUTION}


def test_a_member_may_be_called_as_something_else_is() -> None:
    other = ("b.c", "int count;\nint g(void) { return 1; }\n", "int count;\nint h(void) { return 1; }\n")
    others = {"c.c": "int count_of(int count) { return count; }\n", "d.c": 'char *a = "count";\n'}
    found = classes(_renamed("len", "count", other), others)
    assert (found["a.h"], found["a.c"], found["b.c"]) == (REFACTOR, REFACTOR, EVOLUTION)


NAMESAKES = {
    "a function that one file has for itself": ("static int size_of(void) { return 1; }\nint g = 1;\n", REFACTOR),
    "a function that the whole program sees": ("int size_of(void) { return 1; }\n", EVOLUTION),
    "a function that is only used": ("int g(void) { return size_of(1); }\n", EVOLUTION),
    "a name that a header may have": ("#define size_of 1\n#include <a.h>\nint g = size_of;\n", EVOLUTION),
}


@pytest.mark.parametrize("name", NAMESAKES)
def test_a_file_may_have_a_name_for_itself(name: str) -> None:
    text, expected = NAMESAKES[name]
    head, user = "int size_of(int a) {\n  return a;\n}\n", "int g = size_of(1);\n"
    for old, new in (("size_of", "extent"), ("extent", "size_of")):
        renamed = _renamed(old, new, head=head.replace("size_of", old), user=user.replace("size_of", old))
        assert set(classes(renamed, {"b.c": text}).values()) == {expected}
    assert set(classes(_renamed("size_of", "extent", head=head, user=user), {"b.h": text}).values()) == {EVOLUTION}


def test_a_text_of_a_macro_that_has_the_sign_of_parts_pastes_nothing() -> None:
    """Else whatever is given what the macro is called pastes too, and names that nobody makes are not renamed."""
    others = {"b.h": '#define PATCH "a##b"\n', "b.c": '#include "b.h"\nint g = apply(PATCH, total, sum, of);\n'}
    versions = _renamed("total_x", "sumof", head="int total_x(int a) { return a; }\n", user="int f = total_x(1);\n")
    assert set(classes(versions, others).values()) == {REFACTOR}
    pasting = others | {"c.h": "#define PASTE(a, b) a##b\nint PASTE(sum, of);\n"}
    assert EVOLUTION in classes(versions, pasting).values()
