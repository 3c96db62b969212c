"""Whatever a path, a name, a reason or a message holds, a report only shows it: on the page and in Markdown."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from intentls.core.report.content import Report
from intentls.engine.wire.report.html import as_html
from intentls.engine.wire.report.markdown import MARKER, as_markdown, as_summary
from intentls.engine.wire.report.markdown_text import prose
from tests.support.hostile_report import report_of
from tests.support.hostile_texts import HOSTILE

TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "main",
        "footer",
        "section",
        "div",
        "span",
        "p",
        "h1",
    ),
    *(
        "h2",
        "h3",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "a",
        "b",
        "strong",
        "code",
        "bdi",
        "details",
        "summary",
        "table",
        "thead",
    ),
    *("tbody", "tr", "th", "td", "svg", "rect"),
}
ATTRIBUTES = {
    *("class", "id", "lang", "charset", "content", "name", "http-equiv", "href", "scope", "tabindex", "role", "open"),
    *("aria-label", "aria-labelledby", "aria-hidden", "viewbox", "preserveaspectratio", "x", "y", "width", "height"),
    "fill",
}
VOID = {"meta", "rect"}
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
# What forges would make something of: mentions, references, addresses, commits, smileys.
_TELLING = re.compile(
    r"@|#\w|://|www\.|GH-|[0-9a-f]{7,}|(?<!\w):[a-z+-][\w+-]*:|[<>`|\\$~^*_\[\]{}]|[a-z]+-[0-9]|[0-9]{7,}",
    re.IGNORECASE,
)


class Outline(HTMLParser):
    """The elements of a page, without the ones that only hold others' text; fails where they do not nest."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if ("class", "ch") not in attrs:
            self.elements.append((tag, tuple(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def shape(page: str) -> list[tuple[str, tuple[str, ...]]]:
    """The elements with the names of their attributes; a text may be empty, so its own element does not count."""
    return [(tag, tuple(name for name, _ in attrs)) for tag, attrs in Outline(page).elements if tag != "bdi"]


HARMLESS = shape(as_html(report_of("x")))


def page_problem(text: str) -> str | None:
    """What a page with `text` at every place does but show it; None if nothing."""
    page = as_html(report_of(text))
    outline = Outline(page)
    if extra := {tag for tag, _ in outline.elements} - TAGS:
        return f"elements {extra}"
    if names := {name for _, attrs in outline.elements for name, _ in attrs} - ATTRIBUTES:
        return f"attributes {names}"
    if not all(str(value).startswith("#") for _, attrs in outline.elements for name, value in attrs if name == "href"):
        return "a link that leaves the page"
    if hidden := HIDDEN & {unicodedata.category(character) for character in outline.text.replace("\n", "")}:
        return f"hidden characters {hidden}"
    page.encode("utf-8")
    return "another outline" if text.strip() and shape(page) != HARMLESS else None  # of no text some sentences say so


def test_the_page_only_shows_what_others_wrote() -> None:
    """It has the elements that it has with a harmless text, no attribute of theirs, and nothing hidden."""
    problems = {text: page_problem(text) for text in HOSTILE}
    assert {text: problem for text, problem in problems.items() if problem is not None} == {}


def test_the_outline_finds_what_is_not_escaped() -> None:
    """The search itself: an element, an attribute or a link too many is found."""
    page = as_html(report_of("x"))
    assert shape(page.replace("<bdi>x</bdi>", "<b>x</b>", 1)) != HARMLESS
    assert "img" in {tag for tag, _ in Outline(page.replace("<bdi>x</bdi>", "<img></img>", 1)).elements}


def test_the_policy_of_the_page_allows_its_style_sheet_alone() -> None:
    """By its hash; no element has a style of its own, which the policy would not let count."""
    page = as_html(report_of("x"))
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in page
    assert " style=" not in page
    assert "url(" not in style
    assert "@import" not in style


MARKDOWN = MarkdownIt("gfm-like", {"html": True, "linkify": True})
_OURS = re.compile(r"<details><summary>[\w (),]+</summary>\n?|</details>\n?|<!-- intentls report -->\n?")


def tokens(text: str) -> list[Token]:
    """All tokens, those inside of lines too."""
    all_: list[Token] = []
    for token in MARKDOWN.parse(text):
        all_ += [token, *(token.children or [])]
    return all_


def markdown_problem(made: str, text: str, harmless: list[str]) -> str | None:
    """What Markdown with `text` at every place does but show it; None if nothing."""
    parsed = tokens(made)
    if kinds := {token.type for token in parsed} & {
        "link_open",
        "image",
        "fence",
        "code_block",
        "hr",
        "s_open",
        "em_open",
    }:
        return f"{kinds}"
    for token in parsed:
        if token.type in ("html_block", "html_inline") and not _OURS.fullmatch(token.content):
            return f"an element: {token.content}"
        if token.type == "text" and _TELLING.search(token.content):
            return f"plain: {token.content}"
        if token.type in ("text", "code_inline") and HIDDEN & {unicodedata.category(one) for one in token.content}:
            return f"hidden: {token.content}"
    is_same = [token.type for token in MARKDOWN.parse(made)] == harmless
    return None if is_same or not text.strip() or "Left out here" in made else "other blocks"


@pytest.mark.parametrize(("form", "texts"), [(as_markdown, HOSTILE), (as_summary, HOSTILE[::5])])
def test_markdown_only_shows_what_others_wrote(form: Callable[[Report], str], texts: tuple[str, ...]) -> None:
    """No link, no picture, no element but ours; the blocks of a harmless text; plain text that forges leave alone."""
    harmless = [token.type for token in MARKDOWN.parse(form(report_of("x")))]
    problems = {text: markdown_problem(form(report_of(text)), text, harmless) for text in texts}
    assert {text: problem for text, problem in problems.items() if problem is not None} == {}


def test_a_comment_has_one_marker() -> None:
    """The first line, whatever the report says: a marker in a name does not count, as it does not begin a comment."""
    for text in ("<!-- intentls report -->", "x\n<!-- intentls report -->"):
        lines = as_markdown(report_of(text)).splitlines()
        assert [number for number, line in enumerate(lines) if line.startswith(MARKER)] == [0]
        assert not [line for line in as_summary(report_of(text)).splitlines() if line.startswith(MARKER)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Fix the login (urgent!), 3 lines.", "Fix the login (urgent!), 3 lines."),
        ("ask @ada (or #12)", "ask `@ada` (or `#12`)"),
        ("deadbeef is a word", "`deadbeef` is a word"),
        ("see a.b and c|d now", "see `a.b` and `c|d` now"),
        ("*a* _b_ c", "`*a* _b_` c"),
        ("tick ` here", "tick `` ` `` here"),
        ("well-known, Ada's", "well-known, Ada's"),
        ("... !", "`... !`"),
        ("1. one 2. two", "`1`. one 2. two"),
        ("a\u202eb", "`a[U+202E]b`"),
        ("", ""),
    ],
)
def test_plain_words_stay_plain(text: str, shown: str) -> None:
    """So that a reason reads as it was written; all else is code."""
    assert prose(text, 200) == shown
