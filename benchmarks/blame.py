"""Who wrote each line of a file, in a ledger of many records: `intent.blame` and a hover, through the server.

The file has 300 lines and a thousand recorded edits, which stand evenly among the records of other files. A round is a
server that has just started and knows nothing of the file: its first blame, then ten times a recorded edit, a blame
and a hover; and another server, for the first hover. There is no index of the ledger in the first round, as after a
clone, and one in the others. Rounds of both kinds are in the figures of the first blame.

What `intentls map --rebuild` costs is looked at in a ledger of a thousand files.
"""

from __future__ import annotations

import json
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.client import SERVE, Client
from benchmarks.ledger import is_indexed, record
from benchmarks.repositories import repository, settle
from benchmarks.rows import Pair, Row, Scale
from benchmarks.timing import elapsed
from intentls.core.ledger.hash_chain import line_hash, link
from intentls.store.layout import Layout

FILE = "src/d0000/f00.py"
LINES, EDITS = 300, 1_000
FIRST_S, NEXT_S = 0.2, 0.005
FEW, MANY = 100_000, 1_000_000


@dataclass(frozen=True)
class Round:
    """Seconds: of the first blame and of the first hover, and the medians of those after each edit."""

    first_blame: float
    first_hover: float
    next_blame: float
    next_hover: float


_known: dict[int, list[Round] | Exception] = {}
"""By the number of records: making a million takes longer than all rounds, and four rows look at them. Or why not."""


def rounds(scale: Scale, records: int) -> list[Round]:
    """The rounds in a ledger of so many records, measured once a run."""
    if records not in _known:
        try:
            _known[records] = _rounds(scale, records)
        except Exception as error:  # noqa: BLE001  the row that comes first raises it, too
            _known[records] = error
    measured = _known[records]
    if isinstance(measured, Exception):
        raise measured
    return measured


def _rounds(scale: Scale, records: int) -> list[Round]:
    root = edited(scale, records, scale.of(full=EDITS, quick=4))
    measured = []
    for number in range(scale.of(full=6, quick=1)):
        scale.say(f"{records} records: round {number}")
        shutil.rmtree(Layout(root).blame, ignore_errors=True)
        measured.append(one(scale, root, records, number))
        while records >= FEW and not is_indexed(root):
            with server(root) as client:
                client.command("intent.queryTrace", intent_id="INT-RARE")
                time.sleep(0.5)
    shutil.rmtree(root)
    return measured


def one(scale: Scale, root: Path, records: int, number: int) -> Round:
    """What a server that has just started takes, and another one for the first hover."""
    blames, hovers = [], []
    with server(root) as client:
        first_blame = elapsed(lambda: blamed(client, root))
        for edit in range(scale.of(full=10, quick=1)):
            written(client, root, f"# round {number} of {records}, edit {edit}")
            blames.append(elapsed(lambda: blamed(client, root)))
            hovers.append(hovered(client, root))
    shutil.rmtree(Layout(root).blame)
    with server(root) as client:
        first_hover = hovered(client, root)
    return Round(first_blame, first_hover, statistics.median(blames), statistics.median(hovers))


def server(root: Path) -> Client:
    """One that has answered a command."""
    client = Client(SERVE, root)
    client.initialize(root, textDocument={"hover": {"contentFormat": ["markdown"]}})
    client.command("intent.selectActiveIntent", intent_id="INT-001")
    return client


def blamed(client: Client, root: Path) -> None:
    """Who wrote each line. AssertionError if it is not known of all."""
    answer = client.command("intent.blame", path=FILE)
    if any(part["intent_id"] is None for part in answer["ranges"]):
        raise AssertionError(f"a line of {root / FILE} has no author")


def hovered(client: Client, root: Path) -> float:
    """Seconds until the author of the line in the middle is shown; the file is open meanwhile."""
    uri = (root / FILE).as_uri()
    opened = {"uri": uri, "languageId": "python", "version": 1, "text": (root / FILE).read_text()}
    client.notify("textDocument/didOpen", {"textDocument": opened})
    where = {"textDocument": {"uri": uri}, "position": {"line": LINES // 2, "character": 0}}
    start = time.perf_counter()
    shown = client.request("textDocument/hover", where)
    took = time.perf_counter() - start
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    if not shown:
        raise AssertionError("no author is shown")
    return took


def written(client: Client, root: Path, line: str) -> None:
    """A recorded edit of one line somewhere in the file."""
    lines = (root / FILE).read_text().splitlines()
    lines[hash_of(line) % LINES] = line
    client.command("intent.writeToFile", path=FILE, content="\n".join(lines) + "\n")


def hash_of(text: str) -> int:
    """A number that is the same in every run."""
    return random.Random(text).getrandbits(32)


def edited(scale: Scale, records: int, edits: int) -> Path:
    """A repository whose file had so many recorded edits, among so many records in all."""
    scale.say(f"{edits} edits")
    root = repository(scale.folder / str(records), 100)
    with Client(SERVE, root) as client:
        client.initialize(root)
        client.command("intent.selectActiveIntent", intent_id="INT-001")
        content = "".join(f"line_{number} = {number}\n" for number in range(LINES))
        client.command("intent.writeToFile", path=FILE, content=content)
        for number in range(edits - 1):
            written(client, root, f"line_{number} = 'edit {number}'")
    among(scale, root, records)
    settle(root, not scale.quick)
    return root


def among(scale: Scale, root: Path, records: int) -> None:
    """Put the ledger's records evenly among others, so that there are `records` in all; nothing is kept of before."""
    layout = Layout(root)
    own = [json.loads(line) for line in layout.ledger.read_bytes().splitlines()]
    shutil.rmtree(layout.trace)
    shutil.rmtree(layout.state)
    layout.ledger.unlink()
    chance, before, every = random.Random(1), None, records // len(own)
    mine = iter(own)
    with layout.ledger.open("wb") as file:
        for number in range(records):
            if not number % 50_000:
                scale.say(f"{number} records")
            value: dict[str, Any] | None = next(mine, None) if number % every == every - 1 else None
            value = record(number, chance, f"INT-{chance.randrange(50):03}") if value is None else value
            line = link({key: part for key, part in value.items() if key != "chain"}, "benchmark", number + 1, before)
            before = line_hash(line)
            file.write(line + b"\n")


def measured(pick: Callable[[Round], float], goal_s: float) -> Callable[[Scale], Iterator[Pair]]:
    """One of a round's figures against a number of seconds."""

    def run(scale: Scale) -> Iterator[Pair]:
        for records in scale.of(full=(FEW, MANY), quick=(200,)):
            for part in rounds(scale, records):
                yield Pair(pick(part), goal_s, records)

    return run


FILES = 1_000


def many_files(scale: Scale, records: int, files: int) -> Path:
    """A repository with a recorded edit of each file, among so many records in all."""
    scale.say(f"{files} files")
    root = repository(scale.folder / "work", files)
    with Client(SERVE, root) as client:
        client.initialize(root)
        client.command("intent.selectActiveIntent", intent_id="INT-001")
        for path in sorted((root / "src").glob("*/*.py")):
            name = str(path.relative_to(root))
            client.command("intent.writeToFile", path=name, content=f"NUMBER = 1\nNAME = {name!r}\nLAST = 3\n")
    among(scale, root, records)
    return root


def rebuilding(scale: Scale) -> Iterator[Pair]:
    """`intentls map --rebuild` in a new process, beside `trace verify`, which reads every line, too."""
    root = many_files(scale, *scale.of(full=(FEW, FILES), quick=(200, 18)))
    layout = Layout(root)
    for number in range(scale.of(full=-1, quick=0), scale.of(full=5, quick=1)):
        scale.say(f"round {number}")
        shutil.rmtree(layout.blame, ignore_errors=True)
        pair = Pair(elapsed(lambda: told(root, "map", "--rebuild")), elapsed(lambda: told(root, "trace", "verify")))
        if number >= 0:
            yield pair


def told(root: Path, *words: str) -> None:
    """Run a verb, its output thrown away."""
    command = [sys.executable, "-m", "intentls", *words]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def row(key: str, what: str, ours: str, goal_s: float, pick: Callable[[Round], float]) -> Row:
    """All are looked at in a ledger of each size."""
    return Row(
        key=key,
        what=what,
        ours=ours,
        peer="the goal",
        target=f"<= {goal_s * 1000:g} ms",
        limit=1,
        run=measured(pick, goal_s),
        sizes="records",
    )


ROWS = (
    row(
        "blame-first",
        "first blame of a file, 1,000,000 records",
        "intent.blame",
        FIRST_S,
        lambda part: part.first_blame,
    ),
    row("hover-first", "first hover in a file, 1,000,000 records", "hover", FIRST_S, lambda part: part.first_hover),
    row(
        "blame", "blame after a recorded edit, 1,000,000 records", "intent.blame", NEXT_S, lambda part: part.next_blame
    ),
    row("hover", "hover after a recorded edit, 1,000,000 records", "hover", NEXT_S, lambda part: part.next_hover),
    Row(
        key="map-rebuild",
        what="map --rebuild, 1,000 files among 100,000 records",
        ours="map --rebuild",
        peer="trace verify",
        target="<= 2",
        limit=2,
        run=rebuilding,
    ),
)
