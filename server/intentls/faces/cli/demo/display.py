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
    """Prints the steps and keeps count of what held and what did not."""

    def __init__(self) -> None:
        terminal = Console()
        self._console = terminal if terminal.is_terminal else Console(width=_WIDTH)
        self._steps = 0
        self.passed = 0
        self.failed: list[str] = []

    def title(self, source: str, root: str) -> None:
        """What is about to happen, and where."""
        text = Text.assemble(
            ("intentls demo\n", "bold"), f"a clone of {source}\nin {root}\n", "a real server, over stdio"
        )
        self._console.print(Panel(text, border_style="cyan"))

    def step(self, title: str, why: str) -> None:
        """The next step begins."""
        self._steps += 1
        self._console.print()
        self._console.rule(f"[bold]{self._steps}. {title}[/bold]", align="left", style="cyan")
        self._console.print(Text(why, style="italic"))

    def json(self, title: str, value: dict[str, Any]) -> None:
        """A real answer of the server."""
        self._panel(title, json.dumps(value, indent=2, ensure_ascii=False), "json")

    def xml(self, title: str, text: str) -> None:
        """A real context."""
        self._panel(title, text, "xml")

    def diff(self, title: str, text: str) -> None:
        """A change."""
        self._panel(title, text, "diff")

    def text(self, title: str, text: str) -> None:
        """A file as it is."""
        self._panel(title, text.rstrip("\n"), "markdown")

    def blame(self, content: str, ranges: list[dict[str, Any]]) -> None:
        """A file with the author of each line beside it."""
        table = Table("line", "author", "intent", "content", box=None, padding=(0, 2, 0, 0), header_style="bold")
        for number, line in enumerate(content.splitlines(), start=1):
            found = next(r for r in ranges if r["start_line"] <= number <= r["end_line"])
            contributor = found["contributor"]
            who = contributor.get("model_id") or contributor["type"]
            table.add_row(str(number), who, found["intent_id"] or "-", Text(line))
        self._console.print(Panel(table, title="intent.blame", title_align="left", border_style="dim"))

    def check(self, holds: bool, what: str) -> None:
        """A claim of the step, and whether it holds."""
        if holds:
            self.passed += 1
            self._console.print(Text(f"  ✓ {what}", style="green"))
        else:
            self.failed.append(f"step {self._steps}: {what}")
            self._console.print(Text(f"  ✗ NOT SO: {what}", style="bold red"))

    def end(self, places: list[str], root: str) -> None:
        """Where everything lies, and whether all of it held."""
        verdict = (
            Text(f"All {self.passed} claims held.", style="bold green")
            if not self.failed
            else Text("These claims did not hold:\n" + "\n".join(self.failed), style="bold red")
        )
        files = Text("\n".join(["", "Look for yourself:", *(f"  {place}" for place in places), f"  cd {root}"]))
        self._console.print()
        self._console.print(Panel(Group(verdict, files), border_style="red" if self.failed else "green"))

    def _panel(self, title: str, text: str, lexer: str) -> None:
        body = Syntax(text, lexer, theme="ansi_dark", background_color="default", word_wrap=True)
        self._console.print(Panel(body, title=Text(title), title_align="left", border_style="dim"))
