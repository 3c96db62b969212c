"""Is a ledger whole? Follows every writer's chain through its archives and its live file, line by line.

What it holds grows with the number of writers and of problems, never with the number of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from intentls.core.ledger.archive_marker import ArchiveMarkers, read_marker
from intentls.core.ledger.deduplication import LineRun, RepeatedLines
from intentls.core.ledger.hash_chain import ChainLink, NewestLine, line_hash, parse, read_link, strip_end
from intentls.core.ledger.integrity_problems import MAX_PROBLEMS, IntegrityProblem, IntegrityReport, ProblemKind


class _Chain(Struct):
    """What is known of one writer. `top` is its highest number so far."""

    top: int = 0
    top_hash: str | None = None
    top_line: int = 0
    gaps: list[tuple[int, int]] = field(default_factory=list)  # numbers not seen yet, half-open
    # Around each gap: the hash of the number before it, the hash cited by the one behind it; and their lines.
    ends: dict[int, tuple[str, int]] = field(default_factory=dict)
    wants: dict[int, tuple[str | None, int]] = field(default_factory=dict)
    again: set[str] = field(default_factory=set)  # hashes of the lines whose number had been seen before
    repeated: RepeatedLines = field(default_factory=RepeatedLines)


class Verifier:
    """Feed it every line in order, then `finish`. Blank lines are passed over.

    A ledger of several files is read file by file, archives first: `begin`, its lines, `end`. What an earlier file
    holds may come again, unchanged; so may, within a file, what stood behind a cut, since a merge of two branches
    that were both archived brings it twice. Inside here lines are counted through all files.
    """

    def __init__(self) -> None:
        self.records = 0
        self._chains: dict[str, _Chain] = {}
        self._report = IntegrityReport()
        self._markers = ArchiveMarkers()
        self._base = 0  # how many lines stand before the present file
        self._last_line = 0
        # Runs that came again: which of them may, only markers tell that are still to come.
        self._again: list[tuple[str, LineRun]] = []
        # Ends of runs that may, each to be compared with what first had its number.
        self._ends: dict[tuple[str, int], list[LineRun]] = {}
        # Numbers that came twice: the first line is forgotten by then, so a second reading tells what it was.
        self._twice: dict[tuple[str, int], tuple[str, int] | None] = {}

    @property
    def needs_second_look(self) -> bool:
        """Whether `look_again` must be fed all lines once more, before `finish`."""
        self._judge_runs()
        return bool(self._twice or self._ends)

    def begin(self, archive: str | None) -> None:
        """The lines that follow are those of an archive, or (None) of the live file; so too for the second look."""
        self._base = self._report.begin(archive, self._last_line)

    def end(self, archive: str | None, content_hash: str | None = None, error: str = "") -> None:
        """That was all of it. `content_hash` is an archive's; without one `error` says why it can't be read."""
        for writer, chain in self._chains.items():
            self._end_run(writer, chain.repeated.close())
            chain.repeated = RepeatedLines(chain.top)
        if archive is not None:
            self._markers.add_archive(archive, content_hash)
            if content_hash is None:
                message = f"This archive can't be read: {error}"
                self._report.add(self._last_line, ProblemKind.ARCHIVE_DAMAGED, message, archive)

    def feed(self, number: int, raw: bytes) -> None:
        """Line `number` (from 1) of the file, with or without its end."""
        line = strip_end(raw)
        self._last_line = number = self._base + number
        if not line.strip():
            return
        link = read_link(line)
        if link is None:
            self._without_link(number, line)
            return
        self.records += 1
        if (marker := read_marker(line)) is not None:
            self._markers.add(marker, number)
        chain = self._chains.get(link.writer)
        if chain is None:
            chain = self._chains[link.writer] = _Chain()
        hash_ = line_hash(line)
        if link.seq == chain.top + 1 and link.prev == chain.top_hash:
            chain.top, chain.top_hash, chain.top_line = link.seq, hash_, number
        elif link.seq > chain.top:
            self._ahead(chain, link, hash_, number)
        else:
            self._behind(chain, link, hash_, number)

    def look_again(self, number: int, raw: bytes) -> None:
        """The second reading: settles whether a number that came twice is a copy or another record."""
        number += self._base
        line = strip_end(raw)
        link = read_link(line)
        if link is None:
            return
        key = (link.writer, link.seq)
        for run in self._ends.pop(key, ()):
            if run.line_hash != line_hash(line):
                self._report_fork(link, number, run.line)
        if key not in self._twice:
            return
        hash_, first = line_hash(line), self._twice[key]
        if first is None or (first[0] == hash_ and first[1] <= self._base):
            self._twice[key] = (hash_, number)  # in each file it may stand once
        elif first[0] == hash_:
            message = f"{_name(link)} stands in {self._report.place(first[1])} already."
            self._report.add(number, ProblemKind.DUPLICATED, message)
        else:
            self._report_fork(link, first[1], number)

    def finish(
        self, newest: Mapping[str, NewestLine], elsewhere: Callable[[str], bool] = lambda _: False
    ) -> tuple[IntegrityProblem, ...]:
        """All problems by line. `newest` is what this machine knows it wrote last, by writer.

        `elsewhere` is asked, with a record's id and then with its line's hash, whether a record that is missed at a
        chain's end is kept in another place (another branch).
        """
        for writer, chain in self._chains.items():
            for first, after in chain.gaps:
                cited, line = chain.wants[after - 1]
                self._miss(writer, first, after, line)
                if (cut := self._markers.cut_at(writer, after - 1)) is not None and cut[0] != cited:
                    message = f"What this record says was archived is not what {self._report.place(line)} goes on from."
                    self._report.add(cut[1], ProblemKind.EDITED, message)
        for writer, (reach, line) in self._markers.reaches().items():
            self._miss(writer, self._top(writer) + 1, reach + 1, line)
        for writer, known in newest.items():
            self._check_newest(writer, known, elsewhere)
        self._check_archives()
        return self._report.problems()

    def _without_link(self, number: int, line: bytes) -> None:
        if parse(line) is None:
            message = "This is no record: it was cut off while being written, or damaged."
            self._report.add(number, ProblemKind.TORN, message)
        else:
            self.records += 1
            message = "This record is in no chain: something else than intentls wrote it."
            self._report.add(number, ProblemKind.FOREIGN, message)

    def _ahead(self, chain: _Chain, link: ChainLink, hash_: str, number: int) -> None:
        """A number beyond the top: right behind it with another `prev`, or after a gap."""
        if link.seq == chain.top + 1:
            if link.prev not in chain.again:
                self._check_link(chain.top_hash, chain.top_line, link.prev, number)
        else:
            if chain.top_hash is not None:
                chain.ends[chain.top] = (chain.top_hash, chain.top_line)
            chain.gaps.append((chain.top + 1, link.seq))
            chain.wants[link.seq - 1] = (link.prev, number)
        chain.top, chain.top_hash, chain.top_line = link.seq, hash_, number

    def _behind(self, chain: _Chain, link: ChainLink, hash_: str, number: int) -> None:
        """A number that should have come earlier: it fills a gap, or it came twice."""
        seq = link.seq
        gap = next(((first, after) for first, after in chain.gaps if first <= seq < after), None)
        moved = chain.repeated.is_moved(seq)
        if gap is None:
            is_newest = (seq, hash_) == (chain.top, chain.top_hash)
            self._end_run(link.writer, chain.repeated.add(link, hash_, number, moved=moved, verified=is_newest))
            if seq == chain.top and not is_newest:
                chain.again.add(hash_)  # the writer may go on from here: a fork
            return
        if seq > self._markers.reach(link.writer):  # what was archived may come again from another branch
            self._report.add(number, ProblemKind.REORDERED, f"{_name(link)} stands behind later ones of its writer.")
        chain.gaps.remove(gap)
        chain.gaps.extend(part for part in ((gap[0], seq), (seq + 1, gap[1])) if part[0] < part[1])
        before, behind = chain.ends.pop(seq - 1, None), chain.wants.pop(seq, None)
        if before is not None:
            self._check_link(before[0], before[1], link.prev, number)
        elif seq == 1:
            self._check_link(None, number, link.prev, number)
        else:
            chain.wants[seq - 1] = (link.prev, number)
        if behind is not None:
            self._check_link(hash_, number, behind[0], behind[1])
        else:
            chain.ends[seq] = (hash_, number)

    def _check_link(self, hash_: str | None, line: int, cited: str | None, by: int) -> None:
        """`cited`, in line `by`, must be the hash of `line`; None if the chain begins there."""
        if hash_ == cited:
            return
        if hash_ is None:
            self._report.add(by, ProblemKind.EDITED, "This first record of a writer cites one before it.")
        else:
            message = f"This is not the content that {self._report.place(by)} was chained to."
            self._report.add(line, ProblemKind.EDITED, message)

    def _end_run(self, writer: str, run: LineRun | None) -> None:
        if run is None:
            return
        if run.moved:
            self._compare_later(writer, run)
        elif len(self._again) < MAX_PROBLEMS:
            self._again.append((writer, run))
        else:
            self._report.add(run.line, ProblemKind.DUPLICATED, f"Record {run.last} of writer {writer} comes again.")

    def _judge_runs(self) -> None:
        for writer, chain in self._chains.items():
            self._end_run(writer, chain.repeated.close())
        for writer, run in self._again:
            if self._markers.is_behind_cut(writer, run.first):
                self._compare_later(writer, run)
                continue
            for seq in range(run.first, min(run.last + 1, run.first + MAX_PROBLEMS - len(self._twice))):
                self._twice[writer, seq] = None
        self._again = []

    def _compare_later(self, writer: str, run: LineRun) -> None:
        self.records -= len(run)
        if run.verified:
            return
        if len(self._ends) < MAX_PROBLEMS:
            self._ends.setdefault((writer, run.last), []).append(run)
        else:
            message = f"Record {run.last} of writer {writer} comes again, and there is too much of that to compare."
            self._report.add(run.line, ProblemKind.DUPLICATED, message)

    def _miss(self, writer: str, first: int, after: int, line: int) -> None:
        """Numbers that are not there: a missing archive may have had them."""
        first = self._markers.explain(writer, first, after)
        if first < after:
            message = f"{_range(first, after)} of writer {writer} is missing before this line."
            self._report.add(line, ProblemKind.REMOVED, message)

    def _check_newest(self, writer: str, known: NewestLine, elsewhere: Callable[[str], bool]) -> None:
        top = max(self._top(writer), self._markers.reach(writer))
        chain = self._chains.get(writer, _Chain())
        if top < known.seq:
            # Of a record that went into an archive before it was ever committed, its marker has only the hash.
            if not (elsewhere(known.record_id) or elsewhere(known.line_hash)):
                gone = _range(top + 1, known.seq + 1)
                message = f"{gone} of writer {writer}, written on this machine, is missing after this line."
                self._report.add(chain.top_line or self._last_line, ProblemKind.CUT, message)
        elif chain.top == known.seq and known.line_hash not in (chain.top_hash, *chain.again):
            self._report.add(chain.top_line, ProblemKind.EDITED, "This is not the content that was written here.")

    def _check_archives(self) -> None:
        for marker, line in self._markers.missing():
            message = f"The archive {marker.file} is not there, which holds {marker.records} records. Restore it."
            self._report.add(line, ProblemKind.ARCHIVE_MISSING, message)
        for marker, line in self._markers.contradicted():
            message = f"The archive {marker.file} does not hold what this record says of it."
            self._report.add(line, ProblemKind.ARCHIVE_DAMAGED, message)

    def _top(self, writer: str) -> int:
        chain = self._chains.get(writer)
        return 0 if chain is None else chain.top

    def _report_fork(self, link: ChainLink, first: int, number: int) -> None:
        message = (
            f"{_name(link)} stands in {self._report.place(first)} with other content: "
            "two copies of one workspace wrote under the same name, or one of the lines is forged."
        )
        self._report.add(number, ProblemKind.FORKED, message)


def _name(link: ChainLink) -> str:
    return f"Record {link.seq} of writer {link.writer}"


def _range(first: int, after: int) -> str:
    return f"Record {first}" if after - first == 1 else f"Each of records {first} to {after - 1}"
