"""YAML documents: positions, limits, and nothing that can bring the reader down."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from intentls.core.diagnostic import Span
from intentls.store.yaml import composer
from intentls.store.yaml.document import MAX_BYTES, YamlDocument, compose
from intentls.store.yaml.nodes import (
    MAX_PROBLEMS,
    NOT_TEXT,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    YamlLineIndex,
    plain_data,
)
from tests.support.cost_growth import assert_linear


def only(data: str | bytes) -> tuple[str, Span, str]:
    """Code, span and message of the one problem of a document."""
    document = compose(data.encode() if isinstance(data, str) else data)
    (diagnostic,) = document.diagnostics(document.problems)
    return diagnostic.code, diagnostic.span, diagnostic.message


def value(text: str, *path: str | int) -> tuple[YamlDocument, Node]:
    """The document and the node at `path`."""
    document = compose(text.encode())
    assert not document.problems
    node = document.root
    for step in path:
        if isinstance(node, MappingNode):
            node = node.get(str(step))
        else:
            assert isinstance(node, SequenceNode)
            node = node.items[int(step)]
    assert node is not None
    return document, node


def written(text: str, *path: str | int) -> str:
    """The text that the node at `path` covers."""
    document, node = value(text, *path)
    return document.text[node.start : node.end]


class TestPositions:
    def test_a_value_covers_its_quotes(self) -> None:
        """A quoted value's range includes the quotes."""
        assert written("a: 'x' # c\n", "a") == "'x'"

    def test_an_anchor_or_tag_is_not_part_of_the_value(self) -> None:
        """Replacing a value leaves its anchor and its tag alone."""
        assert written("a: &s PENDING\nb: &l # c\n  - x\nc: !!str 7\n", "a") == "PENDING"
        assert written("a: &s PENDING\nb: &l # c\n  - x\nc: !!str 7\n", "b") == "- x"
        assert written("a: &s PENDING\nb: &l # c\n  - x\nc: !!str 7\n", "c") == "7"
        assert written("a: &s\nb: 1\n", "a") == ""
        assert written("a: &m {b: 1}\n", "a") == "{b: 1}"

    def test_a_block_list_ends_with_its_last_item(self) -> None:
        """Comments and blank lines behind a list are not part of it."""
        assert written("a:\n  - x\n  # c\n  - y\n\n# tail\n\nb: 1\n", "a") == "- x\n  # c\n  - y"

    def test_a_block_text_ends_with_its_last_line(self) -> None:
        """Blank lines behind a block scalar are not part of its range."""
        assert written("a: |\n  t\n  u\n\n\nb: 1\n", "a") == "|\n  t\n  u"

    def test_a_mapping_ends_where_its_last_value_ends(self) -> None:
        """Also where the last key has no value."""
        assert written("a:\n  b: 1\n  c:\n\n", "a") == "b: 1\n  c:"

    def test_columns_count_code_points(self) -> None:
        """An emoji before a value counts as one column."""
        document, node = value('{"😀😀": é, b: x}', "b")
        assert document.span(node) == Span(0, 13, 0, 14)

    @pytest.mark.parametrize("foreign", ["\x85", "\u2028", "\u2029"])
    def test_only_lsp_line_ends_count(self, foreign: str) -> None:
        """What YAML 1.1 alone takes for a line end does not shift the lines below it."""
        document, node = value(f"a: 'x{foreign}y'\nb: z\n", "b")
        assert document.span(node) == Span(1, 3, 1, 4)

    def test_all_lsp_line_ends_count(self) -> None:
        """A lone carriage return, CRLF and a newline each end a line."""
        document, node = value("a: 1\rb: 2\r\nc: 3\nd: 4", "d")
        assert document.span(node) == Span(3, 3, 3, 4)

    def test_a_byte_order_mark_is_not_part_of_the_text(self) -> None:
        """Editors hide it, so columns don't count it; it is kept to be written back."""
        document = compose(b"\xef\xbb\xbfa: [")
        assert document.bom == b"\xef\xbb\xbf"
        assert document.text == "a: ["
        assert document.diagnostics(document.problems)[0].span == Span(0, 4, 0, 4)

    def test_a_flow_pair_without_braces_is_a_mapping(self) -> None:
        """`[id: X]` holds a mapping that covers the pair only."""
        assert written("[id: X, z]", 0) == "id: X"

    def test_the_tree_is_the_same_without_libyaml(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where PyYAML comes without its C parser, every value and position is the same."""
        text = (
            '# c\n---\n"é😀": &a [x, "y" , {k: w, l: v}]\r\n? k\n: - - q\n  - |\n    t\n\n'
            "b: *a\nc:\n- d: 1\n  e:\n- >-\n  f\nn:\n"
        )
        fast = compose(text.encode())
        monkeypatch.setattr(composer, "_Loader", yaml.SafeLoader)
        assert compose(text.encode()).root == fast.root
        assert fast.root is not None


class TestPlainScalars:
    @pytest.mark.parametrize("text", ["a", "2026-02-18", "2026-02-18T10:00:00Z", "1.2.3", "INT-001", "y", "=", "<<"])
    def test_text_stays_text(self, text: str) -> None:
        """Dates and versions are text, whatever YAML 1.1 makes of them."""
        assert plain_data(text) == text

    @pytest.mark.parametrize(("text", "data"), [("0", 0), ("-12", -12), ("+7", 7), ("true", True), ("False", False)])
    def test_digits_and_booleans_are_values(self, text: str, data: object) -> None:
        """Decimal integers, true and false mean the same to every YAML reader."""
        assert plain_data(text) is data or plain_data(text) == data

    @pytest.mark.parametrize("text", ["", "~", "null", "Null", "NULL"])
    def test_nothing_is_null(self, text: str) -> None:
        """The spellings of null."""
        assert plain_data(text) is None

    @pytest.mark.parametrize(
        "text",
        [
            "007",
            "08",
            "0x1F",
            "0b1",
            "0o7",
            "1_000",
            "1:30",
            "1.5",
            ".5",
            "1e3",
            "-.inf",
            ".nan",
            "yes",
            "On",
            "NO",
            "9" * 400,
        ],
    )
    def test_what_readers_disagree_on_is_neither_text_nor_number(self, text: str) -> None:
        """A value that YAML 1.1 and 1.2 read differently has to be quoted."""
        assert plain_data(text) == NOT_TEXT


class TestRefusals:
    def test_too_large_is_refused_before_parsing(self) -> None:
        """More than 4 MiB are not read; 4 MiB are."""
        assert only(b"#" * (MAX_BYTES + 1))[0] == "too-large"
        assert not compose(b"#" * MAX_BYTES).problems

    @pytest.mark.parametrize(
        ("data", "span"),
        [
            (b"\xff\xfea", Span(0, 0, 0, 1)),
            (b"a: 1\nb: \xc3\xa9\xe9\n", Span(1, 4, 1, 5)),
            (b"\xef\xbb\xbfa\xff", Span(0, 1, 0, 2)),
            (b"a: \xf0\x9f\x98", Span(0, 3, 0, 4)),
            (b"a: \xed\xa0\x80", Span(0, 3, 0, 4)),
        ],
    )
    def test_the_first_byte_that_is_not_utf8_is_shown(self, data: bytes, span: Span) -> None:
        """Line and column of the first bad byte, in code points."""
        code, where, message = only(data)
        assert (code, where) == ("not-utf8", span)
        assert "UTF-8" in message

    @pytest.mark.parametrize(
        ("text", "span"),
        [
            ("a: 😀\nb: [x\nc: d", Span(2, 1, 2, 2)),
            ('a: "😀" b', Span(0, 7, 0, 8)),
            ("a: 1\n\tb: 2", Span(1, 0, 1, 1)),
            ("a: @x", Span(0, 3, 0, 4)),
            ("a: 'x\u2028y'\n\nb: @q", Span(2, 3, 2, 4)),
            ("a: x\rb: @q", Span(1, 3, 1, 4)),
            ("a: b: c", Span(0, 4, 0, 5)),
            ("a: 'x", Span(0, 5, 0, 5)),
        ],
    )
    def test_a_syntax_error_is_shown_where_the_parser_stops(self, text: str, span: Span) -> None:
        """Exact, also behind an emoji and behind characters that only YAML takes for line ends."""
        assert only(text)[:2] == ("yaml-syntax", span)

    @pytest.mark.parametrize(
        ("text", "advice"),
        [
            ("- **/x", "must stand in quotes"),
            ("- *.py", "must stand in quotes"),
            ("- !{a,b}/x", "must stand in quotes"),
            ("- !src/**", "must stand in quotes"),
            ("- @x", "begins with @ must stand in quotes"),
            ("a:\n\t- x", "not with tabs"),
            ("a: b: c", "': '"),
            ("a: [", "brackets"),
        ],
    )
    def test_messages_teach(self, text: str, advice: str) -> None:
        """The usual slips get advice on what to write."""
        assert advice in only(text)[2]

    @pytest.mark.parametrize("character", ["\0", "\x01", "\x7f", "\x9f", "\ufffe", "\uffff"])
    def test_control_characters_are_shown(self, character: str) -> None:
        """A NUL or another control character is a diagnostic at its place."""
        code, span, message = only(f"é: 1\nb: x{character}y\n")
        assert (code, span) == ("yaml-syntax", Span(1, 4, 1, 5))
        assert f"U+{ord(character):04X}" in message

    def test_a_second_byte_order_mark_is_refused(self) -> None:
        """It would silently become part of the first key."""
        assert only(b"\xef\xbb\xbf\xef\xbb\xbfa: 1")[:2] == ("yaml-syntax", Span(0, 0, 0, 1))

    def test_half_a_surrogate_pair_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An escape that no text can hold is a diagnostic, with either parser."""
        assert only('a: "\\ud800"')[0] == "yaml-syntax"
        monkeypatch.setattr(composer, "_Loader", yaml.SafeLoader)
        assert only('a: "\\ud800"')[:2] == ("yaml-syntax", Span(0, 3, 0, 11))
        assert not compose('a: "é"'.encode()).problems

    def test_duplicate_keys_are_shown_at_the_second_key(self) -> None:
        """In every mapping, also where the keys are quoted differently; the first is named."""
        code, span, message = only('x:\n  a: 1\n  b: 2\n  "a": 3\n')
        assert (code, span) == ("duplicate-key", Span(3, 2, 3, 5))
        assert "line 2" in message

    def test_every_repetition_is_shown(self) -> None:
        """Three equal keys are two diagnostics, and the first value counts."""
        document = compose(b"a: 1\na: 2\na: 3\n")
        assert [problem.start for problem in document.problems] == [5, 10]
        assert document.root is not None
        assert document.root.data == {"a": 1}

    @pytest.mark.parametrize(
        ("text", "span"),
        [
            ("a: !!python/object/apply:os.system ['x']", Span(0, 3, 0, 34)),
            ("a: !foo b", Span(0, 3, 0, 7)),
            ("- !src/**\n", Span(0, 2, 0, 9)),
            ("a: !!int 5", Span(0, 3, 0, 8)),
            ("a: !!str [b]", Span(0, 3, 0, 8)),
            ("b: 1\n<<: {a: 1}", Span(1, 0, 1, 2)),
            ("[a]: b", Span(0, 0, 0, 3)),
            ("x: &a k\n*a : b", Span(1, 0, 1, 2)),
            ("a: 1\n---\nb: 1", Span(1, 0, 1, 3)),
        ],
    )
    def test_unsupported_yaml_is_shown(self, text: str, span: Span) -> None:
        """Foreign tags, merge keys, keys that are no names, second documents."""
        assert only(text)[:2] == ("unsupported-yaml", span)

    def test_standard_tags_are_fine(self) -> None:
        """`!!str 007` is the text 007; so is a quoted `<<`."""
        document, _ = value("a: !!str 007\nb: ! 8\nc: !!seq [x]\nd: !!map {x: y}\n'<<': 1\n")
        assert document.root is not None
        assert document.root.data == {"a": "007", "b": "8", "c": ["x"], "d": {"x": "y"}, "<<": 1}

    def test_a_document_end_and_a_start_marker_are_fine(self) -> None:
        """One document may be framed by --- and ..."""
        assert not compose(b"%YAML 1.2\n---\na: 1\n...\n").problems


class TestAliases:
    def test_an_alias_has_the_value_and_its_own_place(self) -> None:
        """A plain alias repeats the value; it is shown where it stands."""
        document, node = value("a: &x [p, q]\nb: *x\n", "b")
        assert node.data == ["p", "q"]
        assert node.alias
        assert document.text[node.start : node.end] == "*x"

    def test_an_unknown_alias_is_shown(self) -> None:
        """An alias without an anchor is most likely a glob without quotes."""
        assert only("a: [b, *src]")[:2] == ("yaml-syntax", Span(0, 7, 0, 11))

    def test_a_value_that_contains_itself_is_refused(self) -> None:
        """It would unfold without end."""
        assert only("a: &a [*a]")[:2] == ("alias-bomb", Span(0, 7, 0, 9))

    def test_billion_laughs_are_refused(self) -> None:
        """Nine levels of nine aliases are never unfolded."""

        def laugh(levels: int) -> None:
            lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
            lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
            assert only("\n".join(lines))[0] == "alias-bomb"

        assert_linear(laugh, 10)

    def test_one_long_text_many_times_is_refused(self) -> None:
        """A megabyte repeated a thousand times is a bomb as well."""
        assert only("a: &a " + "x" * 1_000_000 + "\nb: [" + "*a," * 1000 + "]")[0] == "alias-bomb"

    def test_aliases_can_not_nest_deeper_than_text(self) -> None:
        """A chain of anchors that each wrap the last one hits the depth limit."""
        lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 200)]
        code, _, message = only("\n".join(lines))
        assert code == "unsupported-yaml"
        assert "levels" in message


class TestNoFileBringsItDown:
    @pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "{? "])
    def test_deep_nesting_is_a_diagnostic(self, opening: str) -> None:
        """Megabytes of opening brackets end quickly and without a stack overflow."""
        for depth in (150, 1_100, 1_000_000):  # libyaml may count as well, and begins at another place to tell
            code, _, message = only(opening * depth)
            assert (code, "levels" in message) == ("unsupported-yaml", True), depth
        assert_linear(lambda size: compose((opening * size).encode()), 250_000)

    def test_too_many_values_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A file of very many tiny values is not read to its end; the diagnostic says where that is."""
        monkeypatch.setattr(composer, "MAX_NODES", 1000)
        code, span, _ = only("a:\n" + "- x\n" * 1100)
        assert code == "too-large"
        assert span == Span(998, 2, 998, 3)

    def test_a_hundred_levels_are_fine(self) -> None:
        """The limit itself can be used."""
        assert not compose(b"[" * 100 + b"]" * 100).problems
        assert compose(b"[" * 101 + b"]" * 101).problems

    @given(st.text(alphabet=st.sampled_from("ab1&*!|>-?:,[]{}#'\"%@` \t\n\r\x85\u2028\ufeff\x00😀~<.\\"), max_size=60))
    @settings(max_examples=400, deadline=None)
    def test_any_text_is_read_or_reported(self, text: str) -> None:
        """Whatever is in a file, reading ends with a tree or a problem, each inside the text."""
        document = compose(text.encode())
        for problem in document.problems:
            assert 0 <= problem.start <= problem.end <= len(document.text) + 3
        if document.root is not None:
            assert 0 <= document.root.start <= document.root.end <= len(document.text)

    @given(st.binary(max_size=40))
    @settings(deadline=None)
    def test_any_bytes_are_read_or_reported(self, data: bytes) -> None:
        """Nothing raises."""
        compose(data)

    def test_no_more_diagnostics_than_anybody_reads(self) -> None:
        """A thousand diagnostics at most, in the file's order."""
        document = compose(b"a: 1\n" * 3000)
        diagnostics = document.diagnostics(document.problems)
        assert len(diagnostics) == MAX_PROBLEMS
        assert list(diagnostics) == sorted(diagnostics, key=lambda diagnostic: diagnostic.span)


def test_a_line_index_answers_for_every_offset() -> None:
    """Offsets map to lines and columns, the end of the text included."""
    index = YamlLineIndex("a\r\nb\r\n")
    assert [index.position(n) for n in range(7)] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0)]


def test_a_scalar_knows_whether_it_is_written() -> None:
    """`key:` has a value that is nowhere."""
    document, node = value("a:\nb: ''\n", "a")
    assert isinstance(node, ScalarNode)
    assert node.start == node.end == 2
    assert document.text[2] == "\n"
