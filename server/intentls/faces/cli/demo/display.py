"""How the demo looks: panels on a terminal, plain text elsewhere."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console, Group
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

_WIDTH = 110


class DemoDisplay:
    """Prints the steps and counts the checks that passed and failed."""

    def __init__(self) -> None:
        terminal = Console()
        self._console = terminal if terminal.is_terminal else Console(width=_WIDTH)
        self._steps = 0
        self.passed = 0
        self.failed: list[str] = []

    def title(self, source: str, root: str) -> None:
        """Print what is demonstrated, and where."""
        text = Text.assemble(
            ("intentls demo\n", "bold"), f"a clone of {source}\nin {root}\n", "a real server, over stdio"
        )
        self._console.print(Panel(text, border_style="cyan"))

    def step(self, title: str, why: str) -> None:
        """Begin the next step."""
        self._steps += 1
        self._console.print()
        self._console.rule(f"[bold]{self._steps}. {title}[/bold]", align="left", style="cyan")
        self._console.print(Text(why, style="italic"))

    def json(self, title: str, value: dict[str, Any]) -> None:
        """Print an answer of the server."""
        self.panel(title, json.dumps(value, indent=2, ensure_ascii=False), "json")

    def panel(self, title: str, text: str, lexer: str) -> None:
        """Print a text, highlighted by the lexer of this name."""
        body = Syntax(text, lexer, theme="ansi_dark", background_color="default", word_wrap=True)
        self._console.print(Panel(body, title=Text(title), title_align="left", border_style="dim"))

    def blame(self, content: str, ranges: list[dict[str, Any]]) -> None:
        """Print a file with the author and intent of each line."""
        table = Table("line", "author", "intent", "content", box=None, padding=(0, 2, 0, 0), header_style="bold")
        for number, line in enumerate(content.splitlines(), start=1):
            range_ = next(r for r in ranges if r["start_line"] <= number <= r["end_line"])
            contributor = range_["contributor"]
            author = contributor.get("model_id") or contributor["type"]
            table.add_row(str(number), author, range_["intent_id"] or "-", Text(line))
        self._console.print(Panel(table, title="intent.blame", title_align="left", border_style="dim"))

    def check(self, holds: bool, claim: str) -> None:
        """Print and count a claim of the step, and whether it holds."""
        if holds:
            self.passed += 1
            self._console.print(Text(f"  ✓ {claim}", style="green"))
        else:
            self.failed.append(f"step {self._steps}: {claim}")
            self._console.print(Text(f"  ✗ NOT SO: {claim}", style="bold red"))

    def end(self, paths: list[str], root: str) -> None:
        """Print whether all claims held, and the files to look at."""
        verdict = (
            Text(f"All {self.passed} claims held.", style="bold green")
            if not self.failed
            else Text("These claims did not hold:\n" + "\n".join(self.failed), style="bold red")
        )
        files = Text("\n".join(["", "Look for yourself:", *(f"  {path}" for path in paths), f"  cd {root}"]))
        self._console.print()
        self._console.print(Panel(Group(verdict, files), border_style="red" if self.failed else "green"))
