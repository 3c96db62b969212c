"""A report as one HTML page that needs nothing else: no script, no request, no colour that is not in it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from msgspec import Struct

from intentls.core.report.content import Report
from intentls.core.text.visible import pieces, shortened, visible
from intentls.engine.wire.report import words
from intentls.engine.wire.report.drawing import Colours, coverage_segments, drawn_file, drawn_lane

MOST_FILES = 500
_MOST = 300  # items of any other list
_MAX_TEXT = 600  # characters of one text
_MAX_NAME = 80  # characters of a name where many stand side by side


class Figure(Struct, frozen=True):
    """A number of the first screen, the names behind it, and the section that has more of it ("" for none)."""

    name: str
    value: int
    section: str
    names: Sequence[str] = ()
    is_bad: bool = False

    @property
    def anchor(self) -> str:
        """Where the number leads; "" for nowhere, as of nothing there is no more."""
        return self.section if self.value else ""


def as_html(report: Report) -> str:
    """The page. The same report makes the same text."""
    colours = Colours(report)
    shown = report.files[:MOST_FILES]
    style = _style()
    page = _environment().get_template("page.html")
    return page.render(
        report=report,
        title=f"{words.verdict(report)}: {report.subject.name}",
        heading=words.HEADINGS[report.subject.kind],
        verdict=words.verdict(report),
        explanation=words.explanation(report),
        coverage=words.coverage_sentence(report),
        with_root=words.has_roots(report),
        segments=coverage_segments(report, colours),
        figures=list(_figures(report)),
        lanes=[drawn_lane(lane) for lane in report.timeline.lanes],
        files=[drawn_file(file, colours, words.KIND_NAMES) for file in shown],
        left_files=len(report.files) - len(shown),
        left_lines=sum(file.lines for file in report.files[MOST_FILES:]),
        contributors=words.CONTRIBUTORS,
        changes=words.CHANGES,
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        outside=words.first_of(report.outside, _MOST),
        refusals=words.first_of(report.refusals, _MOST),
        approvals=words.first_of(report.approvals, _MOST),
        unexplained=words.first_of(report.unexplained, _MOST),
        loosened=words.first_of(report.loosened, _MOST),
        findings=words.first_of(report.findings, _MOST),
        attestations=words.first_of(report.attestations, _MOST),
        intents=words.first_of(report.intents, _MOST),
        authors=words.first_of(report.authors, _MOST),
        decisions=words.first_of(report.decisions, _MOST),
        commits=words.first_of(report.commits, _MOST),
        classes=words.first_of(report.classes, _MOST),
    )


def _figures(report: Report) -> Iterator[Figure]:
    """What the first screen counts; a check's numbers only of what was checked."""
    yield Figure("Files", len(report.files), "files")
    yield Figure("People and agents", len(report.authors), "people", [author.name for author in report.authors])
    yield Figure("Exceptions let pass", len(report.approvals), "approvals", report.approvers)
    yield Figure("Attempts out of scope", len(report.outside), "outside")
    yield Figure("Other refusals", len(report.refusals), "refusals")
    if report.subject.kind == "intent":
        return
    people = sorted({one.by for one in report.attestations})
    yield Figure("Attestations", len(report.attestations), "attestations", people)
    unexplained = report.lines - report.explained
    lines = [words.count(unexplained, "line")] if unexplained else []
    yield Figure("Unexplained changes", len(report.unexplained), "unexplained", lines, bool(report.unexplained))
    yield Figure("Loosened rules", len(report.loosened), "loosened", is_bad=bool(report.loosened))
    if report.findings:
        yield Figure("Other findings", len(report.findings), "findings")


def _shown(text: object) -> Markup:
    """Others' text: escaped, on one line, of bounded length, in a direction of its own, nothing in it hidden."""
    parts = (
        Markup('<span class="ch">{}</span>').format(piece) if is_hidden else escape(piece)
        for piece, is_hidden in pieces(shortened(str(text), _MAX_TEXT))
    )
    inside = Markup("").join(parts)
    return Markup("<bdi>{}</bdi>").format(inside) if inside else inside


def _plain(text: object) -> str:
    """The same where no element may stand."""
    return visible(shortened(str(text), _MAX_TEXT))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("intentls.engine.wire.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        shown=_shown,
        brief=lambda text: _shown(shortened(str(text), _MAX_NAME)),
        plain=_plain,
        count=words.count,
        number=lambda number: f"{number:,}",
        when=words.when,
        lines=words.lines_of,
        step=words.step_name,
    )
    return environment


@cache
def _style() -> str:
    loader = _environment().loader
    assert loader is not None
    return loader.get_source(_environment(), "page.css")[0]
