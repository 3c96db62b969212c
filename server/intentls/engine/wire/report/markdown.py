"""A report as Markdown: a comment of a pull request, which is edited in place, and a job's summary.

A forge takes only so much. Each form has its limits: of characters for one text, of items for one list, of bytes for
all. No section takes more than its share, so that none pushes out the others; what does not fit is counted or named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.branch.findings import BranchFinding
from intentls.core.ledger.record_json import UNTRACKED
from intentls.core.report.content import Approval, Attempt, FileReport, LineKind, Report
from intentls.engine.wire.report import words
from intentls.engine.wire.report.markdown_text import code, prose

MARKER = "<!-- intentls report -->"
"""The first line of a comment, which forges do not show: by it the comment is found again."""

_BAR = 20  # characters
_RESERVE = 800  # bytes for the sentence that names what is left out; a section is not begun in less
_SHARE = 5  # no section takes more than this part of the whole

_Item = TypeVar("_Item")


class Limits(Struct, frozen=True):
    """How much a form may hold. `size`: bytes in UTF-8, the strictest way in which a forge may count."""

    size: int
    text: int
    items: int
    files: int


COMMENT = Limits(size=65_000, text=240, items=15, files=25)  # a comment may have 65,536 characters
SUMMARY = Limits(size=1_000_000, text=600, items=200, files=500)  # a job's summary may have 1 MiB


class Section(Struct, frozen=True):
    """A part of the text. `title` names it where it is left out; one without a title is always there."""

    title: str
    lines: tuple[str, ...]
    is_folded: bool = False


def as_markdown(report: Report) -> str:
    """The comment, beginning with `MARKER`."""
    return _joined(MARKER, _Writer(report, COMMENT).sections(), COMMENT)


def as_summary(report: Report) -> str:
    """The job's summary."""
    return _joined("", _Writer(report, SUMMARY).sections(), SUMMARY)


def _joined(marker: str, sections: Iterable[Section], limits: Limits) -> str:
    text, left_out = f"{marker}\n" if marker else "", list[str]()
    for section in sections:
        free = limits.size - _RESERVE - _size(text)
        if section.title and (left_out or free < _RESERVE):
            left_out.append(section.title)
        else:
            text += _block(_cut(section, min(free, limits.size // _SHARE)) if section.title else section)
    if left_out:
        text += f"\nLeft out here, to stay within what the forge takes: {', '.join(left_out)}. The page has them.\n"
    return text


def _cut(section: Section, budget: int) -> Section:
    """The section with the lines that fit into so many bytes; a sentence counts the others."""
    kept, used = list[str](), len(section.title) + 100  # what stands around the lines
    for line in section.lines:
        used += _size(line) + 1
        if used > budget:
            rest = words.count(len(section.lines) - len(kept), "line")
            return replace(section, lines=(*kept, "", f"And {rest} more, which the page has."))
        kept.append(line)
    return section


def _block(section: Section) -> str:
    lines = "\n".join(section.lines)
    if not section.title:
        return f"{lines}\n"
    if section.is_folded:
        return f"\n<details><summary>{section.title}</summary>\n\n{lines}\n\n</details>\n"
    return f"\n#### {section.title}\n\n{lines}\n"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


class _Writer:
    """Writes the sections of one report within limits."""

    def __init__(self, report: Report, limits: Limits) -> None:
        self.report, self.limits = report, limits
        self.with_root = words.has_roots(report)

    def sections(self) -> Iterator[Section]:
        """All that have something to say, what a reviewer must see first."""
        report = self.report
        yield Section("", tuple(self._head()))
        yield Section("", tuple(self._figures()))
        if report.coverage:
            yield Section("Coverage by intent", tuple(self._coverage()))
        yield from self._list("Attempts out of scope", report.outside, self._attempt)
        yield from self._list("Refused for other reasons", report.refusals, self._attempt)
        yield from self._list("Let pass by a person", report.approvals, self._approval)
        yield from self._list("Unexplained changes", report.unexplained, self._finding)
        yield from self._list("Loosened rules", report.loosened, self._finding)
        yield from self._list("Other findings", report.findings, self._finding)
        yield from self._list(
            "Attestations",
            report.attestations,
            lambda one: (
                f"{self._prose(one.by)} vouched for {self._code(one.path)} ({one.state}), "
                f"changed by {self._prose(one.author)}: {self._prose(one.reason)}"
            ),
        )
        yield from self._criteria()
        yield from self._list(
            "Decisions about intents",
            report.decisions,
            lambda one: (
                f"{words.when(one.timestamp)}: {self._code(one.intent_id)} {words.step_name(one)} by "
                f"{self._prose(one.who)}{self._because(one.reason)}"
            ),
            folded=True,
        )
        if report.classes:
            yield Section("What kind of changes", tuple(self._classes()), is_folded=True)
        yield from self._list("Files", report.files, self._file, folded=True, most=self.limits.files)
        yield from self._list(
            "Commits",
            report.commits,
            lambda one: f"{words.when(one.timestamp)} {self._code(one.commit[:12])} {self._prose(one.subject)}",
            folded=True,
        )

    def _list(
        self,
        title: str,
        items: Sequence[_Item],
        line: Callable[[_Item], str],
        *,
        folded: bool = False,
        most: int | None = None,
    ) -> Iterator[Section]:
        if not items:
            return
        shown, left_out = words.first_of(items, self.limits.items if most is None else most)
        lines = [f"- {line(item)}" for item in shown]
        if left_out:
            lines.append(f"- and {left_out:,} more")
        yield Section(f"{title} ({len(items):,})", tuple(lines), is_folded=folded)

    def _head(self) -> Iterator[str]:
        report, subject = self.report, self.report.subject
        yield f"### intentls: {words.verdict(report)}"
        yield ""
        name = f"{words.HEADINGS[subject.kind]} {self._code(subject.name)}"
        if subject.head:
            name += f" (`{subject.base[:12] if subject.base else 'the first commit'} to {subject.head[:12]}`)"
        yield f"{name}. {words.explanation(report)}"
        yield ""
        yield f"**{words.coverage_sentence(report)}**"
        for note in report.notes:
            yield ""
            yield self._prose(note)

    def _figures(self) -> Iterator[str]:
        report = self.report
        numbers = [
            words.count(len(report.files), "file"),
            words.count(len(report.authors), "author"),
            words.count(len(report.approvals), "exception let pass", "exceptions let pass"),
            words.count(len(report.outside), "attempt out of scope", "attempts out of scope"),
            words.count(len(report.refusals), "other refusal"),
        ]
        if report.subject.kind != "intent":
            lines = words.count(report.lines - report.explained, "line")
            numbers += [
                words.count(len(report.attestations), "attestation"),
                f"{words.count(len(report.unexplained), 'unexplained change')} ({lines})",
                words.count(len(report.loosened), "loosened rule"),
            ]
        yield ""
        yield " · ".join(numbers)

    def _coverage(self) -> Iterator[str]:
        report = self.report
        intents = {(one.root, one.intent_id): one for one in report.intents}
        yield "| intent | | lines | files | by |"
        yield "| --- | --- | ---: | ---: | --- |"
        shown, left_out = words.first_of(report.coverage, self.limits.items)
        for share in shown:
            intent = intents.get((share.root or "", share.intent_id or ""))
            filled = max(1, _BAR * share.lines // report.lines)
            bar = "█" * filled + "░" * (_BAR - filled)
            if share.kind is not LineKind.RECORD:
                yield f"| {words.KIND_NAMES[share.kind]} | {bar} | {share.lines:,} | | |"
                continue
            label = code(words.share_name(share, with_root=self.with_root), self.limits.text, in_table=True)
            name = "" if intent is None else prose(intent.name, self.limits.text, in_table=True)
            by = "" if intent is None else ", ".join(prose(who, 80, in_table=True) for who in intent.authors[:4])
            files = "" if intent is None else f"{intent.files:,}"
            yield f"| {label} {name} | {bar} | {share.lines:,} | {files} | {by} |"
        if left_out:
            yield f"| and {left_out:,} more | | {sum(share.lines for share in report.coverage[len(shown) :]):,} | | |"

    def _classes(self) -> Iterator[str]:
        yield "| mutation class | changes | settled | declared | lines |"
        yield "| --- | ---: | ---: | ---: | ---: |"
        for one in self.report.classes[: self.limits.items]:
            name = code(one.mutation_class, self.limits.text, in_table=True)
            yield f"| {name} | {one.changes:,} | {one.settled:,} | {one.declared:,} | {one.lines:,} |"

    def _criteria(self) -> Iterator[Section]:
        all_ = [(intent, criterion) for intent in self.report.intents for criterion in intent.criteria]
        yield from self._list(
            "Acceptance criteria",
            all_,
            lambda one: (
                f"{self._code(one[0].intent_id)} {self._prose(one[1].criterion)}: {self._prose(one[1].result)}"
                + (f" (accepted by {self._prose(one[1].by)})" if one[1].by else "")
            ),
        )

    def _attempt(self, one: Attempt) -> str:
        what = "Done all the same" if one.went_ahead else "Refused"
        return (
            f"{what}: {self._code(one.code)} {self._paths(one.paths)} by {self._prose(one.who)} "
            f"{self._under(one.intent_id)}{self._times(one.count)}. {self._prose(one.message)}"
        )

    def _approval(self, one: Approval) -> str:
        reason = self._because(one.reason) or " (no reason is on record)"
        return (
            f"{self._prose(one.by)} let {self._code(one.code)} pass for {self._prose(one.who)} "
            f"{self._under(one.intent_id)}: {self._paths(one.paths)}{self._times(one.count)}{reason}"
        )

    def _finding(self, one: BranchFinding) -> str:
        lines = f" {words.lines_of(one.lines)}" if one.lines else ""
        return f"{one.level.value} `{one.code.value}` {self._code(one.path)}{lines}: {self._prose(one.message)}"

    def _file(self, one: FileReport) -> str:
        owners = ", ".join(
            f"{self._code(owner.intent_id) if owner.intent_id else words.KIND_NAMES[owner.kind]} "
            f"{self._prose(owner.who)} {owner.lines:,}".replace("  ", " ")
            for owner in one.owners[:4]
        )
        old = f" from {self._code(one.old_path)}" if one.old_path else ""
        marks = f" **{words.count(one.findings, 'finding')}**" if one.findings else ""
        lines = f", {words.count(one.lines, 'line')}" if one.lines else ""
        return f"{self._code(one.path)} {words.CHANGES[one.change]}{old}{lines}{marks}{f': {owners}' if owners else ''}"

    def _paths(self, paths: Sequence[str]) -> str:
        shown, left_out = words.first_of(paths, 4)
        names = ", ".join(map(self._code, shown)) or "no file"
        return f"{names} and {left_out:,} more files" if left_out else names

    def _under(self, intent_id: str) -> str:
        return "under no intent" if intent_id == UNTRACKED else f"under {self._code(intent_id)}"

    def _because(self, reason: str) -> str:
        return f": {self._prose(reason)}" if reason else ""

    def _times(self, number: int) -> str:
        return f", {number:,} times" if number > 1 else ""

    def _code(self, text: object) -> str:
        return code(text, self.limits.text)

    def _prose(self, text: object) -> str:
        return prose(text, self.limits.text)
