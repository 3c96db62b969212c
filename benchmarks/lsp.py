"""The language server beside one on Node with `vscode-languageserver` (`peers/lsp.js`), each through its pipes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.client import SERVE, Client, framed
from benchmarks.intents import declared
from benchmarks.rows import Pair, Row, Scale, Skipped
from benchmarks.timing import elapsed, percentile

NOTHING = "intent.getActiveIntent"
"""The cheapest command there is."""
OWN = "INT-00000"
SCOPE = "src/area0"
USUAL_KB = 26
DURABLE = {"LSP_SYNC": "fsync"}
"""Both sides reach the disk when they write."""
SAME_PROMISE = {"LSP_SYNC": "log"}
"""The peer writes ahead, too, and compares under a lock: a kill or a power loss leaves an edit whole, or none of it."""
Both = tuple[Client, Client]


def started(scale: Scale, stack: ExitStack, root: Path | None = None, promise: Mapping[str, str] | None = None) -> Both:
    """Ours and the peer, initialized; in `root`, or with no workspace folder. `promise` is what the peer keeps."""
    found = []
    for command in (SERVE, [*scale.node("lsp.js"), "--stdio"]):
        client = stack.enter_context(Client(command, scale.folder, promise or DURABLE))
        if root is None:
            client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
            client.notify("initialized", {})
        else:
            client.initialize(root)
        found.append(client)
    return found[0], found[1]


def workspace(root: Path, intents: int) -> Path:
    """A workspace with so many intents; the first one owns `SCOPE`."""
    (root / ".orchestration").mkdir(parents=True)
    (root / ".orchestration" / "active_intents.yaml").write_text(declared(intents))
    (root / SCOPE).mkdir(parents=True)
    return root


def rounds(scale: Scale, measure: Callable[[Client], float], both: Both, full: int) -> Iterator[Pair]:
    """Ours and the peer in turn; two rounds warm up."""
    for number in range(-2, scale.of(full=full, quick=2)):
        scale.say(f"round {number}")
        ours, peer = (measure(client) for client in both)
        if number >= 0:
            yield Pair(ours, peer)


def doing_nothing(scale: Scale) -> Iterator[Pair]:
    """Round trips of a command that has next to nothing to do: which intent is active, in a workspace with some."""
    times = scale.of(full=300, quick=20)

    def measure(client: Client) -> float:
        name = NOTHING if client is both[0] else "noop"
        return elapsed(lambda: [client.command(name) for _ in range(times)]) / times

    with ExitStack() as stack:
        both = started(scale, stack, workspace(scale.folder / "work", 10))
        both[0].command("intent.selectActiveIntent", intent_id=OWN)
        time.sleep(scale.of(full=2.0, quick=0.1))  # what a start leaves to do is another row's subject
        yield from rounds(scale, measure, both, 25)


def refusing(scale: Scale) -> Iterator[Pair]:
    """The same with an argument that no command knows: what the protocol alone costs. Both answer with an error."""
    times = scale.of(full=300, quick=20)

    def measure(client: Client) -> float:
        name = NOTHING if client is both[0] else "refuse"

        def trips() -> None:
            for _ in range(times):
                refused(client, name)

        return elapsed(trips) / times

    with ExitStack() as stack:
        both = started(scale, stack)
        yield from rounds(scale, measure, both, 25)


def refused(client: Client, name: str) -> None:
    """One command with an unknown argument."""
    asked = client.ask("workspace/executeCommand", {"command": name, "arguments": [{"unknown": 1}]})
    try:
        client.answer(asked)
    except RuntimeError:
        return
    raise AssertionError("that is no argument")


def typing(scale: Scale) -> Iterator[Pair]:
    """A person types: many changes of one character in a row, and then a command, refused once all were applied."""
    root, times = workspace(scale.folder / "work", 10), scale.of(full=400, quick=20)
    with ExitStack() as stack:
        both = started(scale, stack, root)
        for size in scale.of(full=(1, USUAL_KB, 400), quick=(1,)):
            uri = (root / SCOPE / f"a{size}.py").as_uri()
            lines = size * 1024 // 24
            text = "".join(f"line {number:05} of a document\n" for number in range(lines))
            for client in both:
                opened = {"uri": uri, "languageId": "python", "version": 1, "text": text}
                client.notify("textDocument/didOpen", {"textDocument": opened})
            measure = typed(uri, lines, times, both[0])
            yield from (pair._replace(size=size) for pair in rounds(scale, measure, both, 25))


def typed(uri: str, lines: int, times: int, ours: Client) -> Callable[[Client], float]:
    """Seconds of one change, over so many all over the document."""
    burst = b"".join(
        framed(
            {
                "jsonrpc": "2.0",
                "method": "textDocument/didChange",
                "params": {
                    "textDocument": {"uri": uri, "version": 2 + number},
                    "contentChanges": [{"range": range_of(number * 37 % lines), "text": "x"}],
                },
            }
        )
        for number in range(times)
    )

    def measure(client: Client) -> float:
        def apply() -> None:
            client.raw(burst)
            refused(client, NOTHING if client is ours else "refuse")

        return elapsed(apply) / times

    return measure


def range_of(line: int) -> dict[str, dict[str, int]]:
    """One character of a line."""
    return {"start": {"line": line, "character": 4}, "end": {"line": line, "character": 5}}


def starting(scale: Scale) -> Iterator[Pair]:
    """From the start of the process to the answer to the first command: what an editor waits for before it can work."""
    root = workspace(scale.folder / "work", 10)
    node = [*scale.node("lsp.js"), "--stdio"]

    def start(command: list[str]) -> float:
        begin = time.perf_counter()
        with Client(command, root, DURABLE) as client:
            client.initialize(root)
            client.command(NOTHING if command is SERVE else "noop")
            took = time.perf_counter() - begin
            if command is SERVE:  # its first start compiles it, so it has to end by itself
                client.request("shutdown")
        return took

    for number in range(-2, scale.of(full=20, quick=2)):
        scale.say(f"round {number}")
        ours, peer = start(SERVE), start(node)
        if number >= 0:
            yield Pair(ours, peer)


def writing(share: float, promise: Mapping[str, str]) -> Callable[[Scale], Iterator[Pair]]:
    """Writes of 8 KB of text in a workspace with 100 intents, in turn; a percentile of each block of them.

    Text: what kind of change it is, is not computed by the Node style, and of text not by us either.
    """

    def run(scale: Scale) -> Iterator[Pair]:
        root, times = workspace(scale.folder / "work", 100), scale.of(full=100, quick=5)
        with ExitStack() as stack:
            ours, peer = started(scale, stack, root, promise)
            ours.command("intent.selectActiveIntent", intent_id=OWN)
            for block in range(-1, scale.of(full=8, quick=1)):
                scale.say(f"block {block}")
                taken: tuple[list[float], list[float]] = [], []
                for number in range(times):
                    text = f"Version {block} {number}\n" + "".join(f"Line {each} of it.\n" for each in range(450))
                    taken[0].append(elapsed(partial(write, ours, "intent.writeToFile", "a.txt", text)))
                    taken[1].append(elapsed(partial(write, peer, "write", "b.txt", text)))
                if block >= 0:
                    yield Pair(percentile(taken[0], share), percentile(taken[1], share))
            if (root / SCOPE / "a.txt").read_bytes() != (root / SCOPE / "b.txt").read_bytes():
                raise AssertionError("the two did not write the same")

    return run


def write(client: Client, command: str, name: str, text: str) -> None:
    """One write."""
    client.command(command, path=f"{SCOPE}/{name}", content=text)


def resting(scale: Scale) -> Iterator[Pair]:
    """What a server holds in memory some seconds after it answered its first command, both in the same workspace."""
    if not Path("/proc/self/smaps_rollup").exists():
        raise Skipped("memory is read from /proc, which is not here")
    root = workspace(scale.folder / "work", 100)
    for number in range(scale.of(full=-1, quick=0), scale.of(full=7, quick=1)):
        scale.say(f"round {number}")
        with ExitStack() as stack:
            both = started(scale, stack, root)
            both[0].command(NOTHING)
            both[1].command("noop")
            time.sleep(scale.of(full=3.0, quick=0.5))
            if number >= 0:
                yield Pair(resident(both[0]), resident(both[1]))


def resident(client: Client) -> float:
    """Bytes."""
    lines = Path(f"/proc/{client.process.pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) * 1024.0 for line in lines if line.startswith("Rss:"))


class Rest(NamedTuple):
    """What both servers cost a second in one window, ours first: wake-ups, milliseconds of processor."""

    wakes: tuple[float, float]
    busy_ms: tuple[float, float]


_rests: list[Rest] = []
"""Measured once a run: three rows look at them."""
LEAST_WAKES, LEAST_MS = 1.0, 0.5
"""Less in a whole window counts as this, since nothing at all has no ratio."""


def rests(scale: Scale) -> list[Rest]:
    """Both servers at once, some seconds after their first command. A window is half a minute."""
    if not Path("/proc/self/schedstat").exists():
        raise Skipped("wake-ups are read from /proc, which is not here")
    if not _rests:
        root, window_s = workspace(scale.folder / "work", 100), scale.of(full=30.0, quick=0.3)
        with ExitStack() as stack:
            both = started(scale, stack, root)
            both[0].command(NOTHING)
            both[1].command("noop")
            time.sleep(scale.of(full=10.0, quick=0.3))
            for number in range(scale.of(full=5, quick=1)):
                scale.say(f"round {number}")
                before = [(wakes(client.process.pid), busy_ms(client.process.pid)) for client in both]
                time.sleep(window_s)
                after = [(wakes(client.process.pid), busy_ms(client.process.pid)) for client in both]
                counted, spent = (
                    tuple(max(new[of] - old[of], least) / window_s for old, new in zip(before, after, strict=True))
                    for of, least in ((0, LEAST_WAKES), (1, LEAST_MS))
                )
                _rests.append(Rest((counted[0], counted[1]), (spent[0], spent[1])))
    return _rests


def idling(pick: Callable[[Rest], tuple[float, float]]) -> Callable[[Scale], Iterator[Pair]]:
    """Ours and the peer, of each window."""
    return lambda scale: (Pair(*pick(rest)) for rest in rests(scale))


def wakes(pid: int) -> float:
    """How often the process's threads have gone to sleep so far: as often they woke."""
    lines = [line for file in tasks(pid, "status") for line in file.read_text().splitlines()]
    return float(sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches:")))


def busy_ms(pid: int) -> float:
    """Milliseconds of processor that its threads have had so far."""
    return sum(int(file.read_text().split()[0]) for file in tasks(pid, "schedstat")) / 1e6


def tasks(pid: int, name: str) -> list[Path]:
    """A file of each thread."""
    return sorted(Path(f"/proc/{pid}/task").glob(f"*/{name}"))


PEER = "vscode-languageserver"

ROWS = (
    Row(
        key="lsp-noop",
        what="no-op command, round trip",
        ours=f"{NOTHING} in a workspace",
        peer=PEER,
        target="<= 1.0",
        limit=1,
        run=doing_nothing,
    ),
    Row(
        key="lsp-refused",
        what="a command refused for its argument, round trip: the protocol alone",
        ours="error -32602",
        peer=f"{PEER}, the same error",
        target="<= 0.7",
        limit=0.7,
        run=refusing,
    ),
    Row(
        key="lsp-change",
        what="didChange of a document, pipelined, 26 KB",
        ours="a change",
        peer=f"{PEER}-textdocument",
        target="<= 3",
        limit=3,
        run=typing,
        sizes="KB of a document",
        at=USUAL_KB,
    ),
    Row(
        key="lsp-start",
        what="start to the first command's answer",
        ours="intentls serve",
        peer=PEER,
        target="<= 2.0",
        limit=2,
        run=starting,
    ),
    *(
        Row(
            key=f"lsp-write-{name}",
            what=f"guarded write of 8 KB, 100 intents, durable: {name}",
            ours="intent.writeToFile",
            peer="the same promise on Node: a log, a lock",
            target="<= 1.0",
            limit=1,
            run=writing(share, SAME_PROMISE),
        )
        for name, share in (("p50", 0.5), ("p99", 0.99))
    ),
    *(
        Row(
            key=f"lsp-write-plain-{name}",
            what=f"the same beside a server without a journal: {name}",
            ours="intent.writeToFile",
            peer="js-yaml, minimatch, fsync",
            target=f"<= {limit}",
            limit=limit,
            run=writing(share, DURABLE),
        )
        for name, share, limit in (("p50", 0.5, 1.5), ("p99", 0.99, 1.0))
    ),
    Row(
        key="lsp-memory",
        what="memory of an idle server",
        ours="resident",
        peer=PEER,
        target="<= 1.1",
        limit=1.1,
        run=resting,
        unit="B",
    ),
    Row(
        key="lsp-idle-wakes",
        what="an idle server: wake-ups a second",
        ours="all threads",
        peer=PEER,
        target="<= 1.0",
        limit=1,
        run=idling(lambda rest: rest.wakes),
        unit="calls",
    ),
    Row(
        key="lsp-idle",
        what="the same, beside a number",
        ours="all threads",
        peer="the goal",
        target="<= 0.5 a second",
        limit=1,
        run=idling(lambda rest: (rest.wakes[0], 0.5)),
        unit="calls",
    ),
    Row(
        key="lsp-idle-processor",
        what="an idle server: processor time, ms a second",
        ours="all threads",
        peer=PEER,
        target="<= 1.0",
        limit=1,
        run=idling(lambda rest: rest.busy_ms),
        unit="calls",
    ),
)
