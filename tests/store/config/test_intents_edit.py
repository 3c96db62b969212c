"""Edits of active_intents.yaml: only what must change changes, in every layout a person may have chosen."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from intentls.core.diagnostic import Span
from intentls.core.errors import ConfigurationError, InvalidArgument, InvalidGlob
from intentls.core.intents.intent import Status
from intentls.store.config.intents_edit import YamlEdit, add_globs, add_intent, apply, set_status
from intentls.store.config.intents_parser import IntentsFile, parse_intents
from intentls.store.yaml.edit import quote

HEAD = "active_intents:\n"


def parse(text: str) -> IntentsFile:
    """The file, read; it must be valid to be edited."""
    file = parse_intents(text.encode())
    assert file.valid, file.diagnostics
    return file


def after_status(text: str, intent_id: str = "A", status: Status = Status.DONE) -> str:
    """The text after `set_status`."""
    return apply(text, set_status(parse(text), intent_id, status))


def after_globs(text: str, *globs: str, intent_id: str = "A") -> str:
    """The text after `add_globs`."""
    return apply(text, add_globs(parse(text), intent_id, globs))


def after_intent(text: str, *globs: str, name: str = "New") -> str:
    """The text after `add_intent`."""
    return apply(text, add_intent(parse(text), "N", name, globs))


class TestSetStatus:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("- id: A\n  status: TODO # now\n", "- id: A\n  status: DONE # now\n"),
            ("- id: A\n  status: 'TODO'\n", "- id: A\n  status: 'DONE'\n"),
            ('- id: A\n  "status": "TODO"\n', '- id: A\n  "status": "DONE"\n'),
            ("- id: A\n  status: &s TODO\n", "- id: A\n  status: &s DONE\n"),
            ("- id: A\n  status: !!str TODO\n", "- id: A\n  status: !!str DONE\n"),
            ("- id: A\n  status: >-\n    TODO\n  name: x\n", "- id: A\n  status: DONE\n  name: x\n"),
            ("- id: A\n  status:\n    TODO\n", "- id: A\n  status:\n    DONE\n"),
            ("- id: A\n  status:   # c\n", "- id: A\n  status: DONE   # c\n"),
            ("- id: A\n  status:", "- id: A\n  status: DONE"),
            ("- id: A\n  status: &s\n", "- id: A\n  status: &s DONE\n"),
            ("- id: A\n  status: ~\n", "- id: A\n  status: DONE\n"),
            ("- {id: A, status: TODO}\n", "- {id: A, status: DONE}\n"),
            ("- {id: A, status: , name: x}\n", "- {id: A, status: DONE, name: x}\n"),
            ("- {id: A, status}\n", "- {id: A, status: DONE}\n"),
            ("- ? id\n  : A\n  ? status\n  : TODO\n", "- ? id\n  : A\n  ? status\n  : DONE\n"),
        ],
    )
    def test_a_status_is_replaced_as_it_is_written(self, before: str, after: str) -> None:
        """Quotes, comments, anchors and layout stay."""
        assert after_status(HEAD + before) == HEAD + after

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("- id: A\n", "- id: A\n  status: DONE\n"),
            ("- id: A", "- id: A\n  status: DONE"),
            (
                "- id: A # c\n  name: x # d\n  agent: y\n",
                "- id: A # c\n  name: x # d\n  status: DONE\n  agent: y\n",
            ),
            ("    - id: A\n", "    - id: A\n      status: DONE\n"),
            ("-    id: A\n", "-    id: A\n     status: DONE\n"),
            ("-\n  id: A\n", "-\n  id: A\n  status: DONE\n"),
            ("- &a\n  id: A\n", "- &a\n  id: A\n  status: DONE\n"),
            ("- &k id: A\n", "- &k id: A\n  status: DONE\n"),
            ("- name: |\n    x\n    y\n\n  id: A\n", "- name: |\n    x\n    y\n  status: DONE\n\n  id: A\n"),
            ("- name:\n  id: A\n", "- name:\n  status: DONE\n  id: A\n"),
            ("- ? id\n  : A\n", "- ? id\n  : A\n  status: DONE\n"),
            ("- {id: A}\n", "- {id: A, status: DONE}\n"),
            ("- {id: A, name: , agent: x}\n", "- {id: A, name: , status: DONE, agent: x}\n"),
            ('- {"id": "A"}\n', '- {"id": "A", "status": "DONE"}\n'),
            ("- {id: A, # c\n   agent: x}\n", "- {id: A, status: DONE, # c\n   agent: x}\n"),
        ],
    )
    def test_a_missing_status_is_added(self, before: str, after: str) -> None:
        """Behind the name, or the id; JSON stays JSON."""
        assert after_status(HEAD + before) == HEAD + after

    def test_a_pair_in_a_flow_list_gets_braces(self) -> None:
        """`[id: A]` is an intent as well."""
        assert after_status("active_intents: [id: A]\n") == "active_intents: [{id: A, status: DONE}]\n"

    def test_an_alias_is_replaced_for_this_intent_only(self) -> None:
        """The other intents keep their value."""
        text = HEAD + "- {id: B, status: &s TODO}\n- {id: A, status: *s}\n"
        assert after_status(text) == HEAD + "- {id: B, status: &s TODO}\n- {id: A, status: DONE}\n"

    def test_a_value_that_others_share_is_refused(self) -> None:
        """Changing it would change another intent; the message says what to do."""
        text = HEAD + "- {id: A, status: &s TODO}\n- {id: B, status: *s}\n"
        with pytest.raises(ConfigurationError, match="by hand"):
            after_status(text)

    def test_the_edit_says_where_it_is(self) -> None:
        """In offsets and in lines, both over the text as the editor has it."""
        edit = set_status(parse(HEAD + "- id: A\r\n  name: 😀\r\n  status: TODO\r\n"), "A", Status.BLOCKED)
        assert edit == YamlEdit(Span(3, 10, 3, 14), 46, 50, "BLOCKED")


class TestAddGlobs:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("[a]", "[a, src/**]"),
            ('["a"]', '["a", "src/**"]'),
            ("['a', 'b' ]", "['a', 'b', 'src/**' ]"),
            ("[a,]", "[a, src/**,]"),
            ("[a] # c", "[a, src/**] # c"),
            ("&x [a]", "&x [a, src/**]"),
            ("[]", '["src/**"]'),
            ("[ ]", '["src/**" ]'),
            ("[ # c\n  ]", '["src/**" # c\n  ]'),
            ("~", '["src/**"]'),
            ("", '["src/**"]'),
            ("[\n    a,\n    b\n  ]", "[\n    a,\n    b,\n    src/**\n  ]"),
            ("[\n    a,\n    b,\n  ]", "[\n    a,\n    b,\n    src/**,\n  ]"),
            ("[\n    a, # c\n    b # d, e\n  ]", "[\n    a, # c\n    b, # d, e\n    src/**\n  ]"),
            ("[\n    a,\n    b, # d\n  ]", "[\n    a,\n    b, # d\n    src/**,\n  ]"),
            ("[\n    a\n    ,\n  ]", "[\n    a, src/**\n    ,\n  ]"),
            ("[a,\n    b]", "[a,\n    b, src/**]"),
            ("\n    - a", "\n    - a\n    - src/**"),
            ("\n  - a", "\n  - a\n  - src/**"),
            (
                "\n    - 'a' # c\n    # d\n    - \"b\" # e",
                '\n    - \'a\' # c\n    # d\n    - "b" # e\n    - "src/**"',
            ),
            ("\n    - |-\n      a", '\n    - |-\n      a\n    - "src/**"'),
            (" # c\n  -   a", " # c\n  -   a\n  - src/**"),
            ("&x\n    - a", "&x\n    - a\n    - src/**"),
        ],
    )
    @pytest.mark.parametrize("tail", ["\n", "\n  name: x\n", "\n\n# end\n", "\n- id: B\n  owned_scope: [q]\n"])
    def test_a_glob_joins_the_list_as_it_is_written(self, before: str, after: str, tail: str) -> None:
        """In the style of its neighbours, whatever follows."""
        start = f"{HEAD}- id: A\n  owned_scope: "
        assert after_globs(start + before + tail, "src/**") == start + after + tail

    def test_a_missing_scope_is_added(self) -> None:
        """Behind the status, the name or the id."""
        assert after_globs(HEAD + "- id: A\n  status: TODO\n  agent: x\n", "b", "a b", "c") == (
            HEAD + '- id: A\n  status: TODO\n  owned_scope: ["b", "a b", "c"]\n  agent: x\n'
        )
        assert after_globs(HEAD + "- {id: A}", "b") == HEAD + '- {id: A, owned_scope: ["b"]}'

    def test_several_globs_each_get_a_line_where_the_others_have_one(self) -> None:
        """In order."""
        text = f"{HEAD}- id: A\n  owned_scope: [\n    a\n  ]\n"
        assert after_globs(text, "b", "c") == f"{HEAD}- id: A\n  owned_scope: [\n    a,\n    b,\n    c\n  ]\n"
        text = f"{HEAD}- id: A\n  owned_scope: [\n    a,\n  ]\n"
        assert after_globs(text, "b", "c") == f"{HEAD}- id: A\n  owned_scope: [\n    a,\n    b,\n    c,\n  ]\n"

    def test_globs_that_are_there_are_left_out(self) -> None:
        """And so are repetitions; with nothing left the edit changes nothing."""
        text = f"{HEAD}- id: A\n  owned_scope: [a, b]\n"
        assert after_globs(text, "b", "c", "c") == f"{HEAD}- id: A\n  owned_scope: [a, b, c]\n"
        assert after_globs(text, "a") == text
        assert after_globs(text) == text

    def test_a_shared_list_is_not_changed_for_others(self) -> None:
        """An intent that uses an alias gets a list of its own."""
        text = HEAD + "- {id: B, owned_scope: &s [a]}\n- id: A\n  owned_scope: *s # c\n"
        assert after_globs(text, "b") == (
            HEAD + '- {id: B, owned_scope: &s [a]}\n- id: A\n  owned_scope: ["a", "b"] # c\n'
        )
        with pytest.raises(ConfigurationError, match="by hand"):
            after_globs(text, "b", intent_id="B")

    @pytest.mark.parametrize(
        "glob",
        [
            "*.py",
            "**",
            "!x/**",
            "{a,b}/c",
            "[ab]c",
            "a b",
            "a: b",
            "a #b",
            "'q'",
            '"q"',
            "\\*",
            "007",
            "on",
            "é/😀",
            "a\u2028b",
            "- a",
            "@x",
            "a\x85b",
            "\tb",
            "~",
            "a,b",
            "null",
            "a\ufeffb",
            "\x7f",
        ],
    )
    @pytest.mark.parametrize("before", ["[a]", "['a']", '["a"]', "\n  - a", "\n  - 'a'", "[]"])
    def test_a_glob_is_quoted_where_yaml_needs_it(self, glob: str, before: str) -> None:
        """Every glob comes back as it was given."""
        after = after_globs(f"{HEAD}- id: A\n  owned_scope: {before}\n", glob)
        assert parse(after).intents["A"].scope.patterns[-1] == glob

    def test_a_bad_glob_is_refused(self) -> None:
        """Before anything is edited."""
        file = parse(HEAD + "- {id: A, owned_scope: [a]}\n")
        with pytest.raises(InvalidGlob):
            add_globs(file, "A", ["../x"])
        with pytest.raises(InvalidArgument, match="UTF-8"):
            add_globs(file, "A", ["a\udc80"])


INTENT = '- id: N\n    name: New\n    status: PENDING\n    owned_scope: ["src/**"]'
FLOW = '{id: N, name: New, status: PENDING, owned_scope: ["src/**"]}'


class TestAddIntent:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("", f"active_intents:\n  {INTENT}\n"),
            ("# c", f"# c\nactive_intents:\n  {INTENT}\n"),
            ("---\n", f"---\nactive_intents:\n  {INTENT}\n"),
            ("---", f"---\nactive_intents:\n  {INTENT}\n"),
            ("null\n", f"active_intents:\n  {INTENT}\n"),
            ("--- ~\n", f"--- \nactive_intents:\n  {INTENT}\n"),
            ("{}", f"{{active_intents: [{FLOW}]}}"),
            ("{x: 1}\n", f"{{x: 1, active_intents: [{FLOW}]}}\n"),
            ("x: 1\n# c\n", f"x: 1\nactive_intents:\n  {INTENT}\n# c\n"),
            ("active_intents:", f"active_intents:\n  {INTENT}"),
            ("active_intents:   # c\n", f"active_intents: # c\n  {INTENT}\n"),
            ("active_intents: []\n", f"active_intents:\n  {INTENT}\n"),
            ("active_intents: [] # c\nx: 1\n", f"active_intents: # c\n  {INTENT}\nx: 1\n"),
            ("active_intents: ~\n", f"active_intents:\n  {INTENT}\n"),
            ("active_intents: [ # c\n  ]\n", f"active_intents: [{FLOW} # c\n  ]\n"),
            ("{active_intents: []}", f"{{active_intents: [{FLOW}]}}"),
            ("{active_intents: }", f"{{active_intents: [{FLOW}]}}"),
            ("active_intents: [{id: A}]", f"active_intents: [{{id: A}}, {FLOW}]"),
            ("active_intents:\n  - id: A\n\n# c\n", f"active_intents:\n  - id: A\n  {INTENT}\n\n# c\n"),
            ("active_intents:\n  - id: A", f"active_intents:\n  - id: A\n  {INTENT}"),
            (
                "active_intents:\n  - id: A\n    description: |\n      x",
                f"active_intents:\n  - id: A\n    description: |\n      x\n  {INTENT}",
            ),
            (
                "active_intents:\r\n  - id: A\r\n",
                f"active_intents:\n  - id: A\n  {INTENT}\n".replace("\n", "\r\n"),
            ),
        ],
    )
    def test_an_intent_is_appended(self, before: str, after: str) -> None:
        """To a list of any style, and to a file that has none yet."""
        assert after_intent(before, "src/**") == after

    def test_it_takes_the_indentation_of_the_list(self) -> None:
        """Also where dashes are not indented."""
        assert after_intent("active_intents:\n- id: A\n") == (
            "active_intents:\n- id: A\n- id: N\n  name: New\n  status: PENDING\n"
        )

    @pytest.mark.parametrize(
        "name",
        ["", "a: b", "yes", "007", "'q'", "x\ny", "né 😀", "- x", "a #b", "Build the (new) API", "[a], {b}"],
    )
    def test_any_name_is_written_so_that_it_reads_back(self, name: str) -> None:
        """Quoted where YAML needs it, in block and in flow style."""
        for text in ("", "{active_intents: []}"):
            assert parse(after_intent(text, name=name)).intents["N"].name == name

    def test_a_byte_order_mark_stays_where_it_is(self) -> None:
        """Offsets are those of the text without it."""
        file = parse_intents(b"\xef\xbb\xbfactive_intents: []\n")
        edit = add_intent(file, "N", "New", status=Status.TODO)
        data = file.encode(apply(file.text, edit))
        assert data == b"\xef\xbb\xbfactive_intents:\n  - id: N\n    name: New\n    status: TODO\n"

    @pytest.mark.parametrize("intent_id", ["", "A B", "A\tB", "A\n", "A\u00a0B", "A\u2028B", "A\x00"])
    def test_an_id_that_can_not_be_is_refused(self, intent_id: str) -> None:
        """Empty, with white space or with control characters."""
        with pytest.raises(InvalidArgument, match="intent_id"):
            add_intent(parse(""), intent_id, "x")

    def test_an_id_that_is_taken_is_refused(self) -> None:
        """Ids are unique."""
        with pytest.raises(InvalidArgument, match="already"):
            add_intent(parse(HEAD + "- id: A\n"), "A", "x")

    def test_a_list_behind_an_alias_is_refused(self) -> None:
        """Nobody can say whether the other place should grow as well."""
        with pytest.raises(ConfigurationError, match="by hand"):
            after_intent("x: &l [{id: A}]\nactive_intents: *l\n")


class TestRefusals:
    def test_an_unknown_intent_is_an_argument_error(self) -> None:
        """It names the argument."""
        with pytest.raises(InvalidArgument, match=r"intent_id: there is no intent B"):
            set_status(parse(HEAD + "- id: A\n"), "B", Status.DONE)

    def test_a_file_with_errors_is_not_edited(self) -> None:
        """First correct it."""
        file = parse_intents(b"active_intents:\n- id: A\n  name: 5\n")
        for edit in (
            lambda: set_status(file, "A", Status.DONE),
            lambda: add_globs(file, "A", ["a"]),
            lambda: add_intent(file, "B", "b"),
        ):
            with pytest.raises(ConfigurationError, match="errors"):
                edit()

    def test_an_intent_behind_an_alias_is_not_edited(self) -> None:
        """Its text stands somewhere else."""
        with pytest.raises(ConfigurationError, match="alias"):
            after_status("x: &i {id: A}\nactive_intents: [*i]\n")

    def test_what_can_not_be_edited_in_place_is_refused_not_broken(self) -> None:
        """A document end behind an empty document leaves no place that is safe to guess."""
        with pytest.raises(ConfigurationError, match="by hand"):
            after_intent("---\n...\n")


@pytest.mark.parametrize("style", ["", "'", '"'])
@example(value="a?")
@given(value=st.text(st.characters(blacklist_categories=["Cs"]), max_size=20))
@settings(max_examples=150, deadline=None)
def test_a_quoted_text_reads_back_as_itself(style: str, value: str) -> None:
    """In block and in flow context, for any text YAML can hold."""
    written = quote(value, style)
    assert yaml.safe_load(f"a: {written}\nb: [{written}, {{c: {written}}}]") == {
        "a": value,
        "b": [value, {"c": value}],
    }
    assert len(written.splitlines()) == 1


# A generator of layouts: one intents file, written in as many ways as people do.


@dataclass(frozen=True)
class Layout:
    """How one intent is written."""

    style: str  # block | flow | flow-lines
    scope: str  # missing | null | tilde | empty | flow | flow-lines | flow-comma | block | block-flush
    status: str  # missing | plain | ' | "
    quote: str  # of globs
    key_quote: str
    comments: bool
    id_last: bool
    description: bool


LAYOUTS = st.builds(
    Layout,
    style=st.sampled_from(["block", "block", "flow", "flow-lines"]),
    scope=st.sampled_from(
        ["missing", "null", "tilde", "empty", "flow", "flow-lines", "flow-comma", "block", "block-flush"]
    ),
    status=st.sampled_from(["missing", "null", "", "'", '"']),
    quote=st.sampled_from(["", "'", '"']),
    key_quote=st.sampled_from(["", "'", '"']),
    comments=st.booleans(),
    id_last=st.booleans(),
    description=st.booleans(),
)


def scope_text(layout: Layout, pad: str, note: str) -> str | None:
    """The text behind `owned_scope:`; `pad` indents the keys."""
    one, two = (f"{layout.quote}{glob}{layout.quote}" for glob in ("src/a*.py", "docs/é.md"))
    block = {
        "block": f"{note}\n{pad}  - {one}{note}\n{pad}  # between\n{pad}  - {two}{note}",
        "block-flush": f"{note}\n{pad}- {one}\n\n{pad}- {two}{note}",
    }
    flow = {
        "missing": None,
        "null": "",
        "tilde": " ~",
        "empty": " []",
        "flow": f" [{one}, {two}]",
        "flow-lines": f" [{note}\n{pad}    {one},{note}\n{pad}    {two}{note}\n{pad}  ]",
        "flow-comma": f" [\n{pad}    {one},\n{pad}    {two},{note}\n{pad}  ]",
    }
    if layout.scope in block:
        return block[layout.scope] if layout.style == "block" else flow["flow"]
    return flow[layout.scope]


def intent_text(layout: Layout, number: int, dash: str) -> str:
    """One item of `active_intents`, without a final line end."""
    pad = dash + "  "
    note = " # note, with: [signs]" if layout.comments and layout.style == "block" else ""
    entries = [("id", f" I{number}"), ("name", ' "😀 name"')]
    if layout.status != "missing":
        word = "" if layout.status == "null" else f" {layout.status}TODO{layout.status}"
        entries.append(("status", word))
    scope = scope_text(layout, pad, note)
    if scope is not None:
        entries.append(("owned_scope", scope))
    if layout.description and layout.style == "block":
        entries.append(("description", f" |\n{pad}  text: x\n{pad}    # not a comment"))
    if layout.id_last:
        entries.append(entries.pop(0))
    keyed = [f"{layout.key_quote}{key}{layout.key_quote}:{value}" for key, value in entries]
    if layout.style == "block":
        lines = [line + (note if "\n" not in line and "[" not in line else "") for line in keyed]
        return f"{dash}- " + f"\n{pad}".join(lines)
    keyed = [entry + " " if entry.endswith(":") else entry for entry in keyed]
    return f"{dash}- {{" + (f",\n{pad}  " if layout.style == "flow-lines" else ", ").join(keyed) + "}"


@st.composite
def files(draw: st.DrawFn) -> tuple[str, int]:
    """A file and the number of its intents."""
    layouts = draw(st.lists(LAYOUTS, min_size=1, max_size=3))
    dash = draw(st.sampled_from(["", "  ", "    "]))
    between = draw(st.sampled_from(["", "\n", f"{dash}# between intents\n"]))
    items = f"\n{between}".join(intent_text(layout, n, dash) for n, layout in enumerate(layouts))
    head = draw(st.sampled_from(["", "# top\n", "---\n", "x: &anchor [1, 2]\ny: *anchor\n"]))
    tail = draw(st.sampled_from(["\n", "", "\n\n# end\n", "\nother:\n  - 1\n"]))
    text = f"{head}active_intents:{draw(st.sampled_from(['', ' # list']))}\n{items}{tail}"
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))), len(layouts)


def loaded(text: str) -> Any:
    """The file as PyYAML itself reads it: independent of our reader. Final line ends are dropped."""
    data = yaml.safe_load(text)
    for intent in data["active_intents"]:
        if "description" in intent:
            intent["description"] = intent["description"].rstrip("\n")
    return data


def check_layout(before: str, after: str) -> None:
    """Every old line is still there (but for those that the edit touches), with the file's own line ends."""
    if "\r\n" in before:
        assert "\n" not in after.replace("\r\n", "")
    old, new = before.splitlines(), after.splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    touched = [(i1, i2) for tag, i1, i2, _, _ in matcher.get_opcodes() if tag in ("replace", "delete")]
    assert sum(i2 - i1 for i1, i2 in touched) <= 1
    assert after.count("#") >= before.count("#")
    assert after.endswith(("\n", "\r\n")) == before.endswith(("\n", "\r\n"))


@given(files(), st.sampled_from(list(Status)), st.data())
@settings(max_examples=250, deadline=None)
def test_a_status_can_be_set_in_every_layout(file: tuple[str, int], status: Status, data: st.DataObject) -> None:
    """Read by another reader, the file says the same but for this status."""
    text, count = file
    number = data.draw(st.integers(0, count - 1))
    after = after_status(text, f"I{number}", status)
    wanted = loaded(text)
    wanted["active_intents"][number]["status"] = status.value
    assert loaded(after) == wanted
    check_layout(text, after)


@given(
    files(),
    st.lists(st.sampled_from(["a/**", "*.py", "!x", "b c", "d:e", "{f,g}", "[h]"]), min_size=1, unique=True),
    st.data(),
)
@settings(max_examples=250, deadline=None)
def test_globs_can_be_added_in_every_layout(file: tuple[str, int], globs: list[str], data: st.DataObject) -> None:
    """Read by another reader, the file says the same but for the longer scope."""
    text, count = file
    number = data.draw(st.integers(0, count - 1))
    after = after_globs(text, *globs, intent_id=f"I{number}")
    wanted = loaded(text)
    intent = wanted["active_intents"][number]
    intent["owned_scope"] = [*(intent.get("owned_scope") or []), *globs]
    assert loaded(after) == wanted
    check_layout(text, after)


@given(files(), st.sampled_from(["Plain name", "a: b", "yes", "é 'q'"]))
@settings(max_examples=150, deadline=None)
def test_an_intent_can_be_added_in_every_layout(file: tuple[str, int], name: str) -> None:
    """Read by another reader, the list is longer by one."""
    text, _ = file
    after = after_intent(text, "a/**", name=name)
    wanted = loaded(text)
    wanted["active_intents"].append({"id": "N", "name": name, "status": "PENDING", "owned_scope": ["a/**"]})
    assert loaded(after) == wanted
    check_layout(text, after)


def test_the_proof_catches_a_wrong_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an edit ever came out wrong, it would be refused instead of written."""
    from intentls.store.config import intents_edit

    wrong = YamlEdit(Span(0, 0, 0, 0), 0, 0, "# x\n")
    monkeypatch.setattr(intents_edit, "set_value", lambda *_: wrong)
    file = parse(HEAD + "- {id: A, status: TODO}\n")
    with pytest.raises(ConfigurationError, match="near line 1"):
        set_status(file, "A", Status.DONE)
    assert set_status(file, "A", Status.TODO) == replace(wrong)
