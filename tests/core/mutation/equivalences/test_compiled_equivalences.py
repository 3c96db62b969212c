"""Go, Java, Rust and C that is written in another way and does the same is a refactor; a change beside it never is."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

BRANCHES = "branches in another form"
WRITTEN = "the same written in another way"
UNUSED = "unused variables"
LOCALS = "names of variables in functions"
MOVED = "moved functions"
STATICS = "names of what no other file sees"
VOID = "(void) for ()"

Pair = tuple[str, str]
NET = 'import "net/http"\n'
IOUTIL = 'import "io/ioutil"\n'
TIME = 'import "time"\n'
TEXT = 'import "strings"\n'

GO: dict[str, list[Pair]] = {
    WRITTEN: [
        (f"{NET}func f() {{ g(http.MethodGet, 200) }}", f'{NET}func f() {{ g("GET", http.StatusOK) }}'),
        ("func f() { g(string('/')) }", 'func f() { g("/") }'),
        (f"{TIME}func f() {{ g(time.Now().Sub(a)) }}", f"{TIME}func f() {{ g(time.Since(a)) }}"),
        (
            f"{TEXT}func f() {{ g(strings.Replace(a, b, c, -1)) }}",
            f"{TEXT}func f() {{ g(strings.ReplaceAll(a, b, c)) }}",
        ),
        ("func f() { for a, _ := range b { g(a) } }", "func f() { for a := range b { g(a) } }"),
        ("func f() { for _, _ = range b { g() } }", "func f() { for range b { g() } }"),
        ("func f() { var a = g()\nh(a, a) }", "func f() { a := g()\nh(a, a) }"),
        ("func f() { a++ }", "func f() { a += 1 }"),
        ("func f() { a := g()\nif a != nil { h(a) } }", "func f() { if a := g(); a != nil { h(a) } }"),
        ("func f() { a, _ := g()\nif a { h(a) } }", "func f() { if a, _ := g(); a { h(a) } }"),
        ("func f() int { a := 1 << g\nreturn a }", "func f() int { return 1 << g }"),
        (
            "func f() { switch a { case 1: b := g()\nif b { h(b) } } }",
            "func f() { switch a { case 1: if b := g(); b { h(b) } } }",
        ),
        ('func f() { g(1 == a, nil != b, 2 < c, "" >= d) }', 'func f() { g(a == 1, b != nil, c > 2, d <= "") }'),
        ("func f() { for _, a := range b { a := a\ng(a) } }", "func f() { for _, a := range b { g(a) } }"),
        (
            "func f() { for a, b := range c { a := a\nb := b\nif !b.d { b.d = true }\ne[a] = b } }",
            "func f() { for a, b := range c { if !b.d { b.d = true }\ne[a] = b } }",
        ),
    ],
    "os and io for io/ioutil": [
        (
            f"{IOUTIL}func f() {{ ioutil.ReadFile(a)\nioutil.TempDir(b, c)\nioutil.ReadAll(d) }}",
            'import (\n"io"\n"os"\n)\nfunc f() { os.ReadFile(a)\nos.MkdirTemp(b, c)\nio.ReadAll(d) }',
        ),
        (
            'import (\n"os"\nu "io/ioutil"\n)\nfunc f() { os.Exit(1)\nu.TempFile(a, b) }',
            'import "os"\nfunc f() { os.Exit(1)\nos.CreateTemp(a, b) }',
        ),
        (
            f"{IOUTIL}func f() {{ ioutil.ReadFile(a)\nioutil.ReadDir(b) }}",
            'import (\n"io/ioutil"\n"os"\n)\nfunc f() { os.ReadFile(a)\nioutil.ReadDir(b) }',
        ),
    ],
    "any for interface{}": [("func f(a interface{}, b any) {}", "func f(a any, b interface{}) {}")],
    BRANCHES: [
        ("func f() bool { if a == 1 { return true }\nreturn false }", "func f() bool { return a == 1 }"),
        ("func f() bool { if a == b { return false }\nreturn true }", "func f() bool { return a != b }"),
        (
            "func f() bool { if a == 1 && !(b < 2 || c > d) { return true } else { return false } }",
            "func f() bool { return a == 1 && !(b < 2 || c > d) }",
        ),
        ("func f() { if !a { b() } else { c() } }", "func f() { if a { c() } else { b() } }"),
        (
            "func f() { if a { return 1 } else if b { return 2 }\nreturn 3 }",
            "func f() { if a { return 1 }\nif b { return 2 }\nreturn 3 }",
        ),
        ("func f() { for a { if b { continue }\nc() } }", "func f() { for a { if !(b) { c() } } }"),
        ("func f() { if !!a { b() } else { return } }", "func f() { if a { b() } }"),
        ("func f() { if a { if b { c() } } }", "func f() { if a && b { c() } }"),
        (
            "func f() { if a != b { c()\nreturn }\nd := e()\ng(d) }",
            "func f() { if a == b { d := e()\ng(d)\nreturn }\nc() }",
        ),
    ],
}
NOT_GO: list[Pair] = [
    ("func f(a interface{ b() }) {}", "func f(a any) {}"),
    ('import . "b"\nfunc f(a interface{}) {}', 'import . "b"\nfunc f(a any) {}'),
    (f"{NET}func f() {{ http := a\ng(http.MethodGet) }}", f'{NET}func f() {{ http := a\ng("GET") }}'),
    (f"{NET}func f() {{ g(http.MethodGet) }}", f'{NET}func f() {{ g("POST") }}'),
    (f"{NET}func f() {{ g(http.DefaultClient) }}", f"{NET}func f() {{ g(http.DefaultServeMux) }}"),
    ('import "b/http"\nfunc f() { g(http.MethodGet) }', 'import "b/http"\nfunc f() { g("GET") }'),
    ("func f(string func(rune) int) { g(string('/')) }", 'func f(string func(rune) int) { g("/") }'),
    ("func f() { g(string(a)) }", "func f() { g(a) }"),
    (f"{TIME}func f() {{ g(time.Now().Sub(a())) }}", f"{TIME}func f() {{ g(time.Since(a())) }}"),
    (f"{TIME}func f() {{ g(b.Now().Sub(a)) }}", f"{TIME}func f() {{ g(b.Since(a)) }}"),
    (f"{TIME}func f() {{ g(time.Now.Sub(a)) }}", f"{TIME}func f() {{ g(time.Since(a)) }}"),
    (f"{TEXT}func f() {{ g(strings.Replace(a, b, c, 1)) }}", f"{TEXT}func f() {{ g(strings.ReplaceAll(a, b, c)) }}"),
    ("func f() { g(strings.Replace(a, b, c, -1)) }", "func f() { g(strings.ReplaceAll(a, b, c)) }"),
    ("func f() { for _, a := range b { g(a) } }", "func f() { for a := range b { g(a) } }"),
    ("func f() { var a, b = g()\nh(a, b) }", "func f() { a, c := g()\nh(a, b) }"),
    ("func f() { var a int8 = g()\nh(a, a) }", "func f() { a := g()\nh(a, a) }"),
    ("var a = g()\nvar b = h()", "var a = h()\nvar b = g()"),
    ("func f() { a-- }", "func f() { a += 1 }"),
    ("func f() { g(1 < a) }", "func f() { g(a < 1) }"),
    ("func f() { g(1 - a) }", "func f() { g(a - 1) }"),
    ("func f() { g(h() == a) }", "func f() { g(a == h()) }"),
    ("func f() { g(T{} == a()) }", "func f() { g(a() == T{}) }"),
    ("func f() b { if a { return true }\nreturn false }", "func f() b { return a }"),
    ("func f() bool { if a < b { return false }\nreturn true }", "func f() bool { return a >= b }"),
    ("func f() c { if a == 1 && b { return true }\nreturn false }", "func f() c { return a == 1 && b }"),
    (
        "func f() (bool, bool) { if a == 1 { return true, b }\nreturn false, b }",
        "func f() (bool, bool) { return a == 1, b }",
    ),
    *(
        (f"func f() {{ for _, a := range b {{ a := a\n{use} }} }}", f"func f() {{ for _, a := range b {{ {use} }} }}")
        for use in ("g(func() { h(a) })", "g(&a)", "g(&a.b)", "g(a[:])", "a.g()", "g(a.b)", "a[0].g()", "defer a.g()")
    ),
    ("func f() { for a = range b { a := a\ng(a) } }", "func f() { for a = range b { g(a) } }"),
    ("func f() { for a := 0; a < b; a++ { a := a\ng(a) } }", "func f() { for a := 0; a < b; a++ { g(a) } }"),
    ("func f() { for _, a := range b { a := c\ng(a) } }", "func f() { for _, a := range b { g(a) } }"),
    ("func f() { for _, a := range b { g(a)\na := a\nh(a) } }", "func f() { for _, a := range b { g(a)\nh(a) } }"),
    ("func f() { for _, a := range b { a, c := a, d\ng(a, c) } }", "func f() { for _, a := range b { g(a, c) } }"),
    (f"{IOUTIL}func f() {{ ioutil.ReadDir(a) }}", 'import "os"\nfunc f() { os.ReadDir(a) }'),
    (f"{IOUTIL}func f() {{ ioutil.TempFile(a, b) }}", 'import "os"\nfunc f() { os.MkdirTemp(a, b) }'),
    (f"{IOUTIL}func f(os T) {{ ioutil.ReadFile(a) }}", "func f(os T) { os.ReadFile(a) }"),
    (f'{IOUTIL}import "b/os"\nfunc f() {{ ioutil.ReadFile(a) }}', 'import "b/os"\nfunc f() { os.ReadFile(a) }'),
    ('import "b/ioutil"\nfunc f() { ioutil.ReadFile(a) }', 'import "os"\nfunc f() { os.ReadFile(a) }'),
    ('import _ "io/ioutil"\nfunc f() {}', 'import _ "os"\nfunc f() {}'),
    ("func f() { a := g()\nif a { h(a) }\nh(a) }", "func f() { if a := g(); a { h(a) }\nh(a) }"),
    ("func f() { a := g()\ndefer func() { h(a) }()\nreturn a }", "func f() { defer func() { h(a) }()\nreturn g() }"),
    ("func f() { a := g()\nreturn a, a }", "func f() { return g(), g() }"),
    ("func f() { a := g()\nh()\nreturn a }", "func f() { h()\nreturn g() }"),
    (
        "func f() { var err error\nif a { return b }\nx, err := g()\nh(x) }",
        "func f() { var err error\nif !a { x, err := g()\nh(x) } else { return b } }",
    ),
    (
        "func f() { if a { return b } else { x := 1\ng(x) }\nh(x) }",
        "func f() { if a { return b } else { x := 1\ng(x)\nh(x) } }",
    ),
    ("func f() { if a := g(); a { return }\nh() }", "func f() { if a := g(); !a { return }\nh() }"),
    ("const x = 1\nfunc f() { g(x)\nconst x = 2\nh(x) }", "const x = 1\nfunc f() { const x = 2\ng(x)\nh(x) }"),
]

JAVA: dict[str, list[Pair]] = {
    BRANCHES: [
        ("int f() { if (a > 1) { return 1; } else { return 2; } }", "int f() { if (a > 1) { return 1; } return 2; }"),
        (
            "int f() { if (a != 1) { b(); return 1; } int c = d(); e(c); return c; }",
            "int f() { if (a == 1) { int c = d(); e(c); return c; } b(); return 1; }",
        ),
        (
            "void f() { for (int a : b) { if (c > a) continue; g(a); } }",
            "void f() { for (int a : b) if (!(c > a)) g(a); }",
        ),
        ("boolean f() { if (a == 1) { return true; } return false; }", "boolean f() { return a == 1; }"),
        ("boolean f() { if (a == null) { return false; } return true; }", "boolean f() { return a != null; }"),
        ("boolean f() { if (a && b()) { return false; } return true; }", "boolean f() { return !(a && b()); }"),
        ("boolean f() { if (!a) { return true; } return false; }", "boolean f() { return !a; }"),
        (
            "boolean f() { if (a instanceof B) { return true; } return false; }",
            "boolean f() { return a instanceof B; }",
        ),
        ("String f() { if (a != 1) { return b; } return c; }", "String f() { return a == 1 ? c : b; }"),
        ("int f() { if (a) { return 1; } else { return b(); } }", "int f() { return a ? 1 : b(); }"),
        ("List<T> f() { if (a) { return b(); } return c; }", "List<T> f() { return a ? b() : c; }"),
        ("void f() { while (a) { if (!b) { continue; } g(a); } }", "void f() { while (a) { if (b) { g(a); } } }"),
    ],
    WRITTEN: [
        ("int f() { int a = g(); return a; }", "int f() { return g(); }"),
        (
            "int f() { if (b) { int a = g(); return a; } return () -> { c(); }; }",
            "int f() { if (b) { return g(); } return () -> { c(); }; }",
        ),
        ("void f(final int a) { g(a); }", "void f(int a) { g(a); }"),
        ("void f() { final int a = g(); h(a, a); }", "void f() { int a = g(); h(a, a); }"),
        ("void f() { final @B int a; g(a, a); }", "void f() { @B int a; g(a, a); }"),
        ("List<A> b = new ArrayList<A>();", "List<A> b = new ArrayList<>();"),
        ("interface B { public void c(); public static final int D = 1; }", "interface B { void c(); int D = 1; }"),
        ("static enum B { C }", "enum B { C }"),
        ("A(int a) { super(); b = a; }", "A(int a) { b = a; }"),
        (
            "int a[] = b(); void f(String c[]) { int d[]; g(d, d); }",
            "int[] a = b(); void f(String[] c) { int[] d; g(d, d); }",
        ),
        ('String[] a = new String[] {"b"};', 'String[] a = {"b"};'),
        ('String a[] = new String[] {"b"};', 'String[] a = {"b"};'),
        ("@B() @C(value = 1) void f() { }", "@B @C(1) void f() { }"),
        ("void f() { g(a -> { return a.b(); }); }", "void f() { g(a -> a.b()); }"),
        ("private final B b = c(); private final void f() { }", "private B b = c(); private void f() { }"),
        ("void f() { this.g(this.a); this.a = this.<B>h(); }", "void f() { g(a); a = this.<B>h(); }"),
        (
            "void f() { g(new Runnable() { @Override public void run() { h(b); } }); }",
            "void f() { g(() -> h(b)); }",
        ),
        (
            "void f() { g(new Comparator<B>() { public int compare(B a, B b) { return a.c(b); } }); }",
            "void f() { g((a, b) -> a.c(b)); }",
        ),
        (
            "Function<B, C> f = new Function<B, C>() { public C apply(final B a) { h(a); return a.c(); } };",
            "Function<B, C> f = a -> { h(a); return a.c(); };",
        ),
        ("List<B> f() { return new ArrayList<B>(); }", "List<B> f() { return new ArrayList<>(); }"),
    ],
    "fields that only their class sees": [
        ("final B b = c();", "private final B b = c();"),
        ("static private int b = 1; void f() { g(b); }", "static int b = 1; void f() { g(b); }"),
    ],
    UNUSED: [
        ('int f() { String a = "b"; return 1; }', "int f() { return 1; }"),
        ("int f() { List<String> a = new ArrayList<>(); return 1; }", "int f() { return 1; }"),
    ],
}
NOT_JAVA: list[Pair] = [
    ("void f() { g(new Runnable() { public void run() { h(this); } }); }", "void f() { g(() -> h(this)); }"),
    (
        "void f() { g(new Runnable() { public void run() { h(toString()); } }); }",
        "void f() { g(() -> h(toString())); }",
    ),
    ("void f() { g(new Runnable() { public void run() { h(b); } }); }", "void f() { g(() -> h(c)); }"),
    ("void f() { g(new Runnable(b) { public void run() { h(); } }); }", "void f() { g(b -> h()); }"),
    ("void f() { g(new Other() { public void run() { h(); } }); }", "void f() { g(() -> h()); }"),
    ("void f() { g(new Runnable() { int a; public void run() { h(); } }); }", "void f() { g(() -> h()); }"),
    ("void f() { g(new Runnable() { @B public void run() { h(); } }); }", "void f() { g(() -> h()); }"),
    ("void f() { g(new Runnable() { { h(); } }); }", "void f() { g(() -> h()); }"),
    ("void f() { g(new Runnable() { public native void run(); }); }", "void f() { g(() -> h()); }"),
    (
        "void f() { g(new Comparator<B>() { public int compare(B a, B b) { return 1; } }); }",
        "void f() { g((b, a) -> 2); }",
    ),
    ("void f() { g(new Function<B, C>() { public C apply(B... a) { return b; } }); }", "void f() { g(a -> b); }"),
    ("private void f() { }", "void f() { }"),
    ("public int b = 1;", "private int b = 1;"),
    ("protected int b = 1;", "private int b = 1;"),
    ("@C int b = 1;", "@C private int b = 1;"),
    ("int b = 1;", ""),
    ("boolean f() { if (a == 1) { return true; } return false; }", "boolean f() { return a != 1; }"),
    ("Boolean f() { if (a()) { return true; } return false; }", "Boolean f() { return a(); }"),
    ("Object f() { if (a()) { return true; } return false; }", "Object f() { return !a(); }"),
    ("Object f() { if (a) { return b; } return c; }", "Object f() { return a ? b : c; }"),
    ("double f() { if (a) { return b; } return c; }", "double f() { return a ? b : c; }"),
    ("<T> T f() { if (a) { return b; } return c; }", "<T> T f() { return a ? b : c; }"),
    ("A() { if (a) { return; } b(); }", "A() { return; }"),
    (
        "int f() { return g(() -> { if (a) { return b; } return c; }); }",
        "int f() { return g(() -> { return a ? b : c; }); }",
    ),
    ("A(int a) { super(a); b = a; }", "A(int a) { b = a; }"),
    ("int a[], b; void f() { g(b); }", "int[] a, b; void f() { g(b); }"),
    ("Object[] a = new String[] {b};", "Object[] a = {b};"),
    ("Object a = new String[] {b};", "Object a = new Object[] {b};"),
    ("int[] a = new int[1];", "int[] a = {1};"),
    ("@B(name = 1) void f() { }", "@B(1) void f() { }"),
    ("void f() { g(a -> { b(a); }); }", "void f() { g(a -> b(a)); }"),
    ("void f() { g(a -> { c(); return b; }); }", "void f() { g(a -> b); }"),
    ("public final B b = c();", "public B b = c();"),
    ("private final int b = 1;", "private int b = 1;"),
    ("@C private final B b = c();", "@C private B b = c();"),
    ("final void f() { }", "void f() { }"),
    ("void f(int a) { this.a = a; }", "void f(int a) { a = a; }"),
    (
        "void f(Object b) { if (b instanceof C a) { g(this.a); } }",
        "void f(Object b) { if (b instanceof C a) { g(a); } }",
    ),
    ("void f() { g(a -> this.a); }", "void f() { g(a -> a); }"),
    ("void f() { new B() { int a; void g() { h(this.a); } }; }", "void f() { new B() { int a; void g() { h(b); } }; }"),
    ("void f() { B.this.g(); }", "void f() { g(); }"),
    ("List<B> f() { return new ArrayList<C>(d); }", "List<B> f() { return new ArrayList<>(d); }"),
    (
        "List<B> f() { return g(() -> { return new ArrayList<B>(); }); }",
        "List<B> f() { return g(() -> { return new ArrayList<>(); }); }",
    ),
    ("List<B> f() { g(new ArrayList<B>()); return b; }", "List<B> f() { g(new ArrayList<>()); return b; }"),
    ("long f() { int a = g(); return a; }", "long f() { return g(); }"),
    ("int f() { return () -> { int a = g(); return a; }; }", "int f() { return () -> { return g(); }; }"),
    ("int f() { int a = g(); b(a); return a; }", "int f() { b(a); return g(); }"),
    ("int f() { int a; return a; }", "int f() { return a; }"),
    ("int f() { @B int a = g(); return a; }", "int f() { return g(); }"),
    ("abstract int f();", "abstract long f();"),
    ("void f() { final int a = 1; g(b ? a : 'c'); }", "void f() { int a = 1; g(b ? a : 'c'); }"),
    ('void f() { final String a = "b"; g(a + "c" == d); }', 'void f() { String a = "b"; g(a + "c" == d); }'),
    ("void f() { final String a = A; g(a += b, a); }", "void f() { String a = A; g(a += b, a); }"),
    ("List b = new ArrayList<C>(d);", "List b = new ArrayList(d);"),
    ("void f() { var b = new ArrayList<C>(); g(b, b); }", "void f() { var b = new ArrayList<D>(); g(b, b); }"),
    ("void f() { g(new ArrayList<C>()); }", "void f() { g(new ArrayList<>()); }"),
    ("List<A> b = new ArrayList<A>(c);", "List<A> b = new ArrayList<C>(c);"),
    ("List<A> b = new ArrayList<A>() { };", "List<A> b = new ArrayList<>() { };"),
    ("public void f() { }", "void f() { }"),
    ("static class B { }", "class B { }"),
    ("void f() { new B(); class B {} }", "void f() { class B {} new B(); }"),
    ("int f() { Set<String> a = new TreeSet<>(); return 1; }", "int f() { return 1; }"),
    ("int f() { int a = g(); return 1; }", "int f() { return 1; }"),
]

RUST: list[Pair] = [
    ("fn f(a: A) -> B { return a.b(&c.d, 1); }", "fn f(a: A) -> B { a.b(&c.d, 1) }"),
    ("fn f(b: A) -> B { g(); return Ok(S { a: a, b, c: 1 }); }", "fn f(b: A) -> B { g(); Ok(S { a, b, c: 1 }) }"),
    ("fn f(a: A) -> B { let b = S::new((a, 1)); b }", "fn f(a: A) -> B { S::new((a, 1)) }"),
    ("fn f(a: A) -> B { let b = S::new(a); return b; }", "fn f(a: A) -> B { S::new(a) }"),
    ("fn f() { g(); return; }", "fn f() { g(); }"),
    ("fn f() { try!(g()); return; }", "fn f() { try!(g()); }"),
    ("fn f() { if a { if b { c(); } } }", "fn f() { if a && b { c(); } }"),
    ("const A: &'static [&'static str] = &[];", "const A: &[&str] = &[];"),
    ("fn f(a: &(A + Send), b: Box<A>) {}", "fn f(a: &(dyn A + Send), b: Box<dyn A>) {}"),
    ("fn f(b: u8) { match b { 0...9 => g(), _ => h() } }", "fn f(b: u8) { match b { 0..=9 => g(), _ => h() } }"),
    ("impl A { fn f() -> A { A::new(A { b: 1 }) } }", "impl A { fn f() -> Self { Self::new(Self { b: 1 }) } }"),
]
NOT_RUST: list[Pair] = [
    ("fn f() -> A { let k = l(); return a.b().c(); }", "fn f() -> A { let k = l(); a.b().c() }"),
    ("fn f() { try!(g()); return; }", "fn f() { try!(h()); }"),
    ("fn f() { try !(g()); return; }", "fn f() { try !(g()); }"),
    ("fn f() -> A { let k = l(); return try!(g(a)); }", "fn f() -> A { let k = l(); try!(g(a)) }"),
    ("fn f() -> A { let k = l(); return g(&h()); }", "fn f() -> A { let k = l(); g(&h()) }"),
    ("fn f() -> A { let k = l(); return g(h!()); }", "fn f() -> A { let k = l(); g(h!()) }"),
    ("fn f() { if let Some(x) = a { if b { c(); } } }", "fn f() { if let Some(x) = a && b { c(); } }"),
    ("fn f() { if a { if b { c(); } else { d() } } }", "fn f() { if a && b { c(); } else { d() } }"),
    ("fn f() { if a { b(); if c { d(); } } }", "fn f() { if a && c { b(); d(); } }"),
    ("fn f() -> A { let b = g(a); h!(b); b }", "fn f() -> A { h!(b); g(a) }"),
    ("fn f() -> A { let b = g(a)?; b }", "fn f() -> A { g(a)? }"),
    ("fn f() -> A { let b: B = g(a); b }", "fn f() -> A { g(a) }"),
    ("fn f() -> A { let b = g(a); c }", "fn f() -> A { g(a) }"),
    ("fn f() {} const A: fn(&'static str) = b;", "fn f() {} const A: fn(&str) = b;"),
    ("fn f() -> S { S { a: b } }", "fn f() -> S { S { b } }"),
    ("trait A { fn f(); }", "trait A { fn g(); }"),
    ("impl A<T> { fn f() -> A<T> { A::new() } }", "impl A<T> { fn f() -> Self { Self::new() } }"),
    ("impl A { fn f() -> A { h!(A); A::new() } }", "impl A { fn f() -> Self { h!(Self); Self::new() } }"),
    ("impl A { fn f() -> B { B::new() } }", "impl A { fn f() -> Self { Self::new() } }"),
    ("fn f(b: u8) { match b { 0...9 => g(), _ => h() } }", "fn f(b: u8) { match b { 0..=8 => g(), _ => h() } }"),
    ("fn f(a: &A) {}", "fn f(a: &dyn B) {}"),
    ("impl A for B;", "impl A for C;"),
]

C: dict[str, list[Pair]] = {
    LOCALS: [
        ("int f(int a) { int c = a; return g(c, a); }", "int f(int b) { int c = b; return g(c, b); }"),
        (
            "static int f(struct x *a) { for (;;) { int i, j = 1; j = i + a->i; } }",
            "static int f(struct x *a) { for (;;) { int k, j = 1; j = k + a->i; } }",
        ),
        ("int f(int a) {\n#if A\n g(a);\n#endif\n }", "int f(int b) {\n#if A\n g(b);\n#endif\n }"),
        ("int f(void) { int i, *j; j = 1; }", "int f(void) { int i, *k; k = 1; }"),
        ("int f(void) { int i = 1, j = 2; return j; }", "int f(void) { int i = 1, k = 2; return k; }"),
        (
            "int f(int c) { { int i = c; c = i; } { int i = 2; c += i; } return c; }",
            "int f(int c) { { int j = c; c = j; } { int i = 2; c += i; } return c; }",
        ),
        (
            "int f(int c) { int i = 1; { int i = c; c = i; } return i; }",
            "int f(int c) { int i = 1; { int j = c; c = j; } return i; }",
        ),
        (
            "int f(struct a *b) { struct a *c = b; return c->b; }",
            "int f(struct a *b) { struct a *d = b; return d->b; }",
        ),
        (
            "int f(int c) { for (int i = 0; i < c; i++) { g(i); } }",
            "int f(int c) { for (int j = 0; j < c; j++) { g(j); } }",
        ),
        (
            "int f(int c) { int a = c; if (a) { goto a; } a: g(b); }",
            "int f(int c) { int d = c; if (d) { goto a; } a: g(b); }",
        ),
        ("int f(int a) { g(x->made, a); }", "int f(int b) { g(x->made, b); }"),
    ],
    STATICS: [
        ("static int a; int f(int b) { return a + b; }", "static int c; int f(int b) { return c + b; }"),
        (
            "static int a; int f(struct s *b, int a) { return b->a + a; } int g() { return a; }",
            "static int c; int f(struct s *b, int a) { return b->a + a; } int g() { return c; }",
        ),
        (
            "static int *a[2] = { 0 }; struct s { int a; } s = { .a = 1 }; int f() { return *a[0]; }",
            "static int *c[2] = { 0 }; struct s { int a; } s = { .a = 1 }; int f() { return *c[0]; }",
        ),
        (
            "static int a(void) { return 1; } struct s s = { .a = a };",
            "static int c(void) { return 1; } struct s s = { .a = c };",
        ),
        (
            "static int (*a)(int); int f(int b) { for (int a = 0; a < b; a++) { g(a); } return a(b); }",
            "static int (*c)(int); int f(int b) { for (int a = 0; a < b; a++) { g(a); } return c(b); }",
        ),
        ("static int a, b; int f() { return a - b; }", "static int b, a; int f() { return b - a; }"),
        (
            "static int a; struct a *f(struct a *b) { return b + a; }",
            "static int c; struct a *f(struct a *b) { return b + c; }",
        ),
        (
            "static int a; int f() { g(h->a); LOG(h->a); return a; }",
            "static int c; int f() { g(h->a); LOG(h->a); return c; }",
        ),
    ],
    VOID: [
        ("int f() { return 1; }", "int f(void) { return 1; }"),
        ("char *f() { return 1; }", "char *f(void) { return 1; }"),
    ],
    MOVED: [
        (
            "int f(void) { return 1; }\nint g(void) { return 2; }",
            "int g(void) { return 2; }\nint f(void) { return 1; }",
        ),
        (
            "#define A\nint b;\nstatic int f(void);\nint g(void) { f(); }\nstatic int f(void) { h(); }\n#if A",
            "#define A\nint b;\nstatic int f(void) { h(); }\nint g(void) { f(); }\n#if A",
        ),
    ],
}
NOT_C: list[Pair] = [
    ("int f(int c) { return p ? q ? c : a : c; }", "int f(int a) { return p ? q ? a : a : a; }"),
    ("static int a; int f() { return a; }", "static int c; int f() { return a; }"),
    ("static int a, b; int f() { return a - b; }", "static int b, a; int f() { return a - b; }"),
    ("static int a; int f() { int c = 1; return a + c; }", "static int c; int f() { int c = 1; return c + c; }"),
    (
        "static int a; int f() { for (int a = 0; a; a++) { g(a); } }",
        "static int c; int f() { for (int a = 0; a; a++) { g(c); } }",
    ),
    (
        "static int a; int f() { if (b) { int a = 1; } return a; }",
        "static int c; int f() { if (b) { int a = 1; } return a; }",
    ),
    ("static int a; int f() { int b = 1, a = 2; return a; }", "static int c; int f() { int b = 1, a = 2; return c; }"),
    ("static int a; int f() { TYPE a = 2; return a; }", "static int c; int f() { TYPE a = 2; return c; }"),
    ("static int a; static int c; int f() { return a; }", "static int c; static int c; int f() { return c; }"),
    ("extern int a; int f() { return a; }", "extern int c; int f() { return c; }"),
    ("typedef int a; a f() { return 1; }", "typedef int c; c f() { return 1; }"),
    ("int f(int a) { return a; } int b = a;", "int f(int c) { return c; } int b = c;"),
    ("static int a; int f() { asm(1); return a; }", "static int c; int f() { asm(1); return c; }"),
    ("static int a; int f() { LOG(a); return a; }", "static int c; int f() { LOG(c); return c; }"),
    ("static int a; int f() { return in_macro(a); }", "static int made; int f() { return in_macro(made); }"),
    ("static int a;\n#define B a\nint f() { return B; }", "static int c;\n#define B c\nint f() { return B; }"),
    (
        "struct s { int a; }; static int b; int f() { return b; }",
        "struct s { int b; }; static int a; int f() { return a; }",
    ),
    (
        "int f(int c) { if (c) { int i = c; c = i; } return c; }",
        "int f(int c) { if (c) { int i = c; c = j; } return c; }",
    ),
    ("int f(int a) { return g(x, a); }", "int f(int b) { return g(x, a); }"),
    ("int f(int a) { return LOG(a); }", "int f(int b) { return LOG(b); }"),
    ("int f(int a) { assert_that(a); }", "int f(int b) { assert_that(b); }"),
    ("int f(int a) { return in_macro(a); }", "int f(int made) { return in_macro(made); }"),
    ("int f(int c) { { int a = 1; } return g(x, a); }", "int f(int c) { { int b = 1; } return g(x, b); }"),
    ("int f(int c) { return g(x, a); }", "int f(int c) { return g(x, b); }"),
    ("int f(int c) { a = 1; }", "int f(int c) { b = 1; }"),
    ("int f(int c) { x, a = 1; }", "int f(int c) { x, b = 1; }"),
    ("int f(int c) { goto a; a: return 1; }", "int f(int c) { goto b; b: return 1; }"),
    ("int f(int (*a)(int)) { return a(1); }", "int f(int (*b)(int)) { return b(1); }"),
    ("int f(int a) { return g(x->a, a); }", "int f(int b) { return g(x->b, b); }"),
    ("int f(int a, int b) { return g(a, b); }", "int f(int b, int a) { return g(a, b); }"),
    ("int a = 1;", "int b = 1;"),
    ("int f(int a) { return 1; } }", "int f(int a) { return 2; } }"),
    ("int f(int a) { return 1 + 2; }", "int f(int a) { return 1 + 3; }"),
    ("int in_macro() { return 1; }", "int in_macro(void) { return 1; }"),
    ("x = f() { 1 }", "x = f(void) { 1 }"),
    (
        "#define A 1\nint f(void) { return A; }\n#define B\nint g(void) { return 2; }",
        "#define A 1\n#define B\nint f(void) { return A; }\nint g(void) { return 2; }",
    ),
    (
        "int f(void) { return __COUNTER__; }\nint g(void) { return 2; }",
        "int g(void) { return 2; }\nint f(void) { return __COUNTER__; }",
    ),
    ("int g(void);\nint f(void) { return g() + h(); }", "int h(void);\nint f(void) { return g() + h(); }"),
]
MACROS = {"a.h": "#define in_macro(x) \\\n  (made + x)\n"}

MODULE = "mod tests {{ {}\nfn f() -> B {{ B::new() }} }}\nmod g;\nmod h {{}}\n"


def test_an_import_of_go_goes_with_the_unused_function_that_took_it() -> None:
    old = 'package a\nimport "crypto/subtle"\nfunc f() {}\nfunc g() { subtle.Compare(1) }\n'
    verdict = judged({"a.go": (old, "package a\nfunc f() {}\n")})["a.go"]
    assert verdict.mutation_class is MutationClass.AST_REFACTOR
    assert verdict.reasons[-2:] == ("unused private definitions", "unused imports")


@pytest.mark.parametrize("path", ["image/png", "net/http/pprof", "b.c/d/fmt"])
def test_an_import_of_go_that_may_register_something_stays(path: str) -> None:
    old = f'package a\nimport b "{path}"\nfunc f() {{}}\nfunc g() {{ b.C(1) }}\n'
    verdict = judged({"a.go": (old, "package a\nfunc f() {}\n")})["a.go"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize("name", ["_", "."])
def test_an_import_of_go_without_a_name_stays(name: str) -> None:
    old = f'package a\nimport {name} "fmt"\nfunc f() {{}}\n'
    verdict = judged({"a.go": (old, "package a\nfunc f() {}\n")})["a.go"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize("path", ["src/a.rs", "src/lib.rs"])
def test_an_unused_import_of_a_module_in_the_file_may_go(path: str) -> None:
    for one, other in (("use a::B; use a::C;", "use a::B;"), ("use a::{c::D, B};", "use a::B;")):
        for old, new in ((one, other), (other, one)):
            verdict = judged({path: (MODULE.format(old), MODULE.format(new))})[path]
            assert verdict.mutation_class is MutationClass.AST_REFACTOR
            assert verdict.reasons == ("unused imports",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pub " + MODULE.format("use a::B; pub use a::C;"), "pub " + MODULE.format("use a::B;")),
        (MODULE.format("use a::B; use a::C;"), MODULE.format("use a::B; use a::D;")),
        (MODULE.format("use a::B; use a::*;"), MODULE.format("use a::B;")),
        (MODULE.format("use a::B; use a::C as _;"), MODULE.format("use a::B;")),
        (MODULE.format("use a::B; use a::C; use C::D as B;"), MODULE.format("use a::B; use C::D as B;")),
        ("use a::c; use c::D; fn f() -> D {}\n", "use c::D; fn f() -> D {}\n"),
        (
            "mod t { use a::C; mod u { use super::*; fn f(c: C) {} } }\n",
            "mod t { mod u { use super::*; fn f(c: C) {} } }\n",
        ),
    ],
)
def test_an_import_of_rust_that_may_be_used_stays(old: str, new: str) -> None:
    for before, after in ((old, new), (new, old)):
        assert judged({"src/a.rs": (before, after)})["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


def _wrapped(language: str, text: str) -> str:
    if language == "go":
        return f"package a\n{text}\n"
    return f"import java.util.ArrayList;\nclass A {{ {text} }}\n" if language == "java" else f"{text}\n"


def _rows(language: str, table: dict[str, list[Pair]]) -> list[tuple[str, str, str, str]]:
    return [(language, reason, *pair) for reason, pairs in table.items() for pair in pairs]


@pytest.mark.parametrize(
    ("language", "reason", "before", "after"),
    [*_rows("go", GO), *_rows("java", JAVA), *_rows("rs", {WRITTEN: RUST}), *_rows("c", C)],
)
def test_another_way_to_do_the_same_is_a_refactor_and_says_which(
    language: str, reason: str, before: str, after: str
) -> None:
    path = f"a.{language}"
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (_wrapped(language, old), _wrapped(language, new))}, MACROS)[path]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert reason in verdict.reasons


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        *(("go", *pair) for pair in NOT_GO),
        *(("java", *pair) for pair in NOT_JAVA),
        *(("rs", *pair) for pair in NOT_RUST),
        *(("c", *pair) for pair in NOT_C),
    ],
)
def test_what_only_looks_like_the_same_stays_behaviour(language: str, before: str, after: str) -> None:
    path = f"a.{language}"
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (_wrapped(language, old), _wrapped(language, new))}, MACROS)[path]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.parametrize(
    "other",
    [
        "type any int",
        "func any() {}",
        "var (\n\tany = 1\n)",
        "func g() { any, b := h() }",
        "func g[any int](a any) {}",
        None,
    ],
)
def test_any_stays_where_it_may_be_something_else(other: str | None) -> None:
    text = "package a\nfunc f(a interface{}) {}\n"
    known = {"b.go": "package a\nfunc g(a any, b []any) (any, error) { return any(b), nil }\n"}
    others = Repository(known if other is None else {"b.go": f"package a\n{other}\n"})
    unsearched = Repository({}, can_search=False)
    after = text.replace("interface{}", "any")
    verdicts = [judged({"a.go": (text, after)}, where)["a.go"].mutation_class for where in (others, unsearched)]
    kept = MutationClass.AST_REFACTOR if other is None else MutationClass.INTENT_EVOLUTION
    assert verdicts == [kept, MutationClass.INTENT_EVOLUTION]


def test_a_name_of_c_is_not_followed_where_the_macros_of_the_repository_are_not_known() -> None:
    before, after = C[LOCALS][0]
    verdict = judged({"a.c": (before, after)}, Repository({}, can_search=False))["a.c"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


def test_a_name_of_c_is_followed_in_a_function_that_no_tree_is_made_of() -> None:
    before = "int f(int a) { @ a; }\n"
    verdicts = [
        judged({"a.c": (before, after)})["a.c"] for after in (before.replace("a", "b"), before.replace("@", "!"))
    ]
    assert [verdict.reasons[0] for verdict in verdicts] == [LOCALS, "line 1 may do something else than before"]


def test_where_no_tree_is_made_of_a_file_of_c_the_line_is_told_that_differs() -> None:
    """Not one with another comment, and not one that no grammar can read and every compiler can."""
    before = "/* one */\nint f(int a @) {\n  // two\n  return g(a);\n}\n"
    after = before.replace("one", "1").replace("two", "2").replace("g(", "h(")
    assert judged({"a.c": (before, after)})["a.c"].reasons == ("line 4 may do something else than before",)
    assert judged({"a.c": (before, after.replace("f(", "f(\n"))})["a.c"].reasons == (
        "line 2 may do something else than before",
    )
    macro = "int a;\n#define SHOW(a) \\\n  #a (a)\n@\n"
    assert judged({"a.h": (macro, macro.replace("a (", "a("))})["a.h"].reasons == (
        "line 3 may do something else than before",
    )
    assert judged({"a.c": (before, f"{after}\n#error don't /* say\n")})["a.c"].reasons == ("line 2 does not parse",)
