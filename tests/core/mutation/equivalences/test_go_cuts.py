"""Go that parts a text in two by `strings.Cut` or by `strings.SplitN`, and what only looks like that."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

SPLIT, CUT = 'strings.SplitN(s, "=", 2)', 'strings.Cut(s, "=")'
SAME = [
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; m[kv[0]] = kv[1]; return kv[0]",
     f"k, v, ok := {CUT}; if !ok {{ return s }}; m[k] = v; return k"),
    (f"kv := {SPLIT}; if len(kv) < 2 {{ return kv[0] }}; return kv[0] + kv[1]",
     f"k, v, ok := {CUT}; if !ok {{ return k }}; return k + v"),
    (f"for a() {{ kv := {SPLIT}; if len(kv) == 1 {{ continue }}; b(kv[1]) }}; return s",
     f"for a() {{ _, v, ok := {CUT}; if !ok {{ continue }}; b(v) }}; return s"),
    (f'if kv := {SPLIT}; len(kv) == 2 && kv[1] != "" {{ return kv[1] }}; return s',
     f'if _, v, ok := {CUT}; ok && v != "" {{ return v }}; return s'),
    (f"kv := {SPLIT}; if len(kv) > 1 {{ b(kv[1], kv[1][1:]) }}; return kv[0]",
     f"k, v, ok := {CUT}; if ok {{ b(v, v[1:]) }}; return k"),
    (f"kv := {SPLIT}; if len(kv) >= 2 {{ b(kv[0]) }}; return s", f"k, _, ok := {CUT}; if ok {{ b(k) }}; return s"),
    (f"n := 1; kv := {SPLIT}; if len(kv) != 2 {{ return s }}; return kv[0][n:n]",
     f"n := 1; k, _, ok := {CUT}; if !ok {{ return s }}; return k[n:n]"),
    (f"kv := {SPLIT}; if len(kv) <= 1 {{ return s }}; return kv[0]",
     f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; return kv[0]"),
]  # fmt: skip
OTHER = [
    # The second part is empty or missing.
    (f"kv := {SPLIT}; if len(kv) == 2 {{ b() }}; return kv[1]", f"_, v, ok := {CUT}; if ok {{ b() }}; return v"),
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return kv[1] }}; return kv[1]",
     f"_, v, ok := {CUT}; if !ok {{ return v }}; return v"),
    (f"kv := {SPLIT}; if len(kv) != 2 {{ b() }}; return kv[1]", f"_, v, ok := {CUT}; if !ok {{ b() }}; return v"),
    (f"if kv := {SPLIT}; len(kv) != 2 {{ return s }} else {{ return kv[1] }}",
     f"if _, v, ok := {CUT}; ok {{ return s }} else {{ return v }}"),
    (f"kv := {SPLIT}; if a() && len(kv) == 2 {{ b() }}; return s",
     f"_, v, ok := {CUT}; if a() && ok {{ b(v) }}; return s"),
    (f"kv := {SPLIT}; b(len(kv) == 2); return kv[0]", f"k, _, ok := {CUT}; b(ok); return k"),
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; return kv[0]",
     f"k, ok := {CUT}; if !ok {{ return s }}; return k"),
    # Other parts, other signs, another question.
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; return kv[0]",
     f"_, v, ok := {CUT}; if !ok {{ return s }}; return v"),
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; return kv[0]",
     'k, _, ok := strings.Cut(s, ":"); if !ok { return s }; return k'),
    ('kv := strings.SplitN(s, "", 2); if len(kv) != 2 { return s }; return kv[0]',
     'k, _, ok := strings.Cut(s, ""); if !ok { return s }; return k'),
    ('kv := strings.SplitN(s, "=", 3); if len(kv) != 2 { return s }; return kv[0]',
     f"k, _, ok := {CUT}; if !ok {{ return s }}; return k"),
    (f"kv := {SPLIT}; if len(kv) == 2 {{ return s }}; return kv[0]",
     f"k, _, ok := {CUT}; if !ok {{ return s }}; return k"),
    (f"kv := {SPLIT}; if len(kv) > 2 {{ return s }}; return kv[0]",
     f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; return kv[0]"),
    (f"kv := bytes.{SPLIT[8:]}; if len(kv) != 2 {{ return s }}; return kv[0]",
     f"k, _, ok := bytes.{CUT[8:]}; if !ok {{ return s }}; return k"),
    ('kv := strings.SplitN(s, "=", 3); if len(kv) < 2 { return s }; return kv[0]',
     'kv := strings.SplitN(s, "=", 3); if len(kv) != 2 { return s }; return kv[0]'),
    (f"kv := {SPLIT}; if len(kv) != 2 && a() {{ return s }}; return kv[1]",
     f"_, v, ok := {CUT}; if !ok && a() {{ return s }}; return v"),
    # Other values for the names.
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; return kv[0] + b(ok)",
     f"k, _, ok := {CUT}; if !ok {{ return s }}; return k + b(ok)"),
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; if a() {{ k := b(); c(kv[0], k) }}; return kv[0]",
     f"k, _, ok := {CUT}; if !ok {{ return s }}; if a() {{ k := b(); c(k, k) }}; return k"),
    (f"kv := {SPLIT}; kv = b(kv); if len(kv) < 2 {{ return s }}; return kv[0]",
     f"kv := {SPLIT}; kv = b(kv); if len(kv) != 2 {{ return s }}; return kv[0]"),
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; kv = b(); return kv[0]",
     f"k, _, ok := {CUT}; if !ok {{ return s }}; k = b(); return k"),
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; b(&kv); return kv[0]",
     f"k, _, ok := {CUT}; if !ok {{ return s }}; b(&k); return k"),
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; return T{{k: kv[0]}}",
     f"k, _, ok := {CUT}; if !ok {{ return s }}; return T{{k: k}}"),
    (f"kv := {SPLIT}; if len(kv) != 2 {{ return s }}; return b(len(kv) == 2)",
     f"k, _, ok := {CUT}; if !ok {{ return k }}; return b(ok)"),
    (f"kv := {SPLIT}; if a() {{ return s }}; return kv[0]", f"k, _, _ := {CUT}; if a() {{ return s }}; return k"),
    (f"kv, n := {SPLIT}, 1; if len(kv) != 2 {{ return s }}; return kv[n]",
     f"k, _, ok := {CUT}; if !ok {{ return s }}; return k"),
    ("kv := a.SplitN(s, b, 2); if len(kv) < 2 { return s }; return kv[0]",
     "kv := a.SplitN(s, b, 2); if len(kv) != 2 { return s }; return kv[0]"),
]  # fmt: skip


def _versions(before: str, after: str, more: str = "") -> dict[str, tuple[str, str]]:
    head = 'package p\n\nimport (\n\t"bytes"\n\t"strings"\n)\n\nvar _, _ = bytes.Cut, strings.Cut\n'
    before, after = (f"{head}{more}func f(s string) string {{ {code} }}\n" for code in (before, after))
    return {"a.go": (before, after)}


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_text_that_is_parted_in_two_at_a_sign_is_the_same_either_way(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged(_versions(old, new))["a.go"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_a_text_that_is_parted_or_asked_for_in_another_way_is_another(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        assert judged(_versions(old, new))["a.go"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_a_len_of_the_files_own_is_no_length() -> None:
    verdict = judged(_versions(*SAME[0], more="func len(a []string) int { return 2 }\n"))["a.go"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_a_parted_text_passes() -> None:
    made = 0
    for pair in SAME:
        ((before, after),) = _versions(*pair).values()
        for mutant in mutants(after, random.Random(before), 20, "go"):
            made += 1
            verdict = judged({"a.go": (before, mutant.after)})["a.go"]
            assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made > 50
