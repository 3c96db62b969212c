"""One VS Code for one test: a fresh profile, its own port, and what a person does in its window."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Locator, Page, expect, sync_playwright

from tests.clients.vscode.provision import Tools
from tests.support.patience import PATIENCE_S

PATIENCE_MS = 30_000
_SETTINGS: Mapping[str, Any] = {
    "telemetry.telemetryLevel": "off",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.colorTheme": "Default Light Modern",
    "window.commandCenter": False,
    "workbench.layoutControl.enabled": False,
    "chat.disableAIFeatures": True,
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": "off",
    "extensions.ignoreRecommendations": True,
    "git.enabled": False,
    "security.workspace.trust.startupPrompt": "never",
    "files.autoSave": "off",
    "editor.fontSize": 14,
    "editor.minimap.enabled": False,
}


class Workbench:
    """The window, and a person at it."""

    def __init__(self, page: Page, shots: Path) -> None:
        self.page = page
        self.shots = shots

    def shot(self, name: str) -> None:
        """Keep what is to be seen now."""
        self.page.mouse.move(2, 600)  # where nothing explains itself
        self.page.wait_for_timeout(300)  # fading in and out
        self.page.screenshot(path=self.shots / f"{name}.png")

    def widen_sidebar(self) -> None:
        """Drag its edge, to see whole lines."""
        edge = self.page.locator(".monaco-workbench .part.sidebar").bounding_box()
        assert edge is not None
        right = edge["x"] + edge["width"]
        self.page.mouse.move(right + 2, 300)
        self.page.mouse.down()
        self.page.mouse.move(right + 110, 300, steps=5)
        self.page.mouse.up()

    def open(self, *path: str) -> None:
        """Open a file through the explorer, folder by folder.

        Folders that are shown as one lose the first one's name when they are unfolded: then the file is to be seen.
        """
        self.show("Explorer")
        rows = [self.page.locator(f'.explorer-folders-view .monaco-list-row[aria-label^="{name}"]') for name in path]
        for row in rows:
            if not row.is_visible() and rows[-1].is_visible():
                continue
            row.wait_for()
            if row.get_attribute("aria-expanded") != "true":
                row.click()
        rows[-1].dblclick()
        self.page.locator(".tab.active", has_text=path[-1]).wait_for()
        self.editor.wait_for()

    @property
    def editor(self) -> Locator:
        """The text that is open."""
        return self.page.locator(".editor-instance .monaco-editor .view-line").first

    @property
    def squiggle(self) -> Locator:
        """The first mark below a text."""
        return self.page.locator(".squiggly-warning").first

    def line(self, text: str, within: str = ".monaco-editor") -> Locator:
        """A line of an open text (which writes its spaces as no-break spaces)."""
        pattern = re.compile(r"\s".join(map(re.escape, text.split())))
        return self.page.locator(f"{within} .view-line", has_text=pattern).first

    def type_at_end(self, text: str) -> None:
        """Write at the end of the open text."""
        self.editor.click()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.type(text)

    def press(self, keys: str, question: str) -> None:
        """Press keys until what they do asks its question."""

        def ask() -> None:
            self.page.keyboard.press(keys)
            self.toast(question).wait_for(timeout=5_000)

        self._again(ask, f"the keys {keys}")

    def command(self, title: str) -> None:
        """Run a command from the palette; tried again, for a change of focus in flight closes it."""
        field = self.page.locator(".quick-input-widget input.input").first

        def run() -> None:
            if field.is_visible():
                self.page.keyboard.press("Escape")
            self.page.keyboard.press("F1")
            field.wait_for(timeout=3_000)
            field.fill(f">{title}", timeout=3_000)
            self.row(title.rpartition(": ")[2]).click(timeout=5_000)

        self._again(run, f"the command {title}")

    def open_list(self, title: str, text: str) -> None:
        """Run a command until the list that it opens has a line; a server that is just starting gives none."""

        def ask() -> None:
            self.command(title)
            self.row(text).wait_for(timeout=5_000)

        self._again(ask, f"the list of {title}")

    def row(self, text: str) -> Locator:
        """A line of the list that is open in the middle: commands, intents, records."""
        return self.page.locator(".quick-input-list .monaco-list-row", has_text=text).first

    def choose(self, text: str) -> None:
        """Click a line of that list."""
        self.row(text).click()
        self.page.locator(".quick-input-widget").wait_for(state="hidden")

    def status(self, text: str) -> Locator:
        """An item of the status bar."""
        return self.page.locator(".statusbar-item", has_text=text).first

    def toast(self, text: str) -> Locator:
        """A notification with this text."""
        return self.page.locator(".notifications-toasts .notification-list-item", has_text=text).first

    def answer(self, text: str, button: str) -> None:
        """Click a button of a notification."""
        self.toast(text).locator(".monaco-button", has_text=button).click()

    def dismiss(self, text: str) -> None:
        """Close a notification by its cross."""
        toast = self.toast(text)
        toast.hover()
        toast.locator(".codicon-notifications-clear").first.click()
        toast.wait_for(state="hidden")

    def intents_view(self) -> None:
        """Show the view "Intents"."""
        self.show("Intents")
        self.tree_row("INT-001").wait_for()

    def tree_row(self, text: str) -> Locator:
        """A line of the view "Intents"."""
        return self.page.locator(".customview-tree .monaco-list-row", has_text=text).first

    def tab_button(self, title: str) -> Locator:
        """A button in the title of the active tab."""
        return self.page.locator(f".editor-actions a.action-label[aria-label^='{title}']").first

    def wait_for_line_end(self, text: str) -> None:
        """Wait until this text is shown behind a line: it is no part of the text, but of the line's style."""
        script = """() => [...document.querySelectorAll('.view-line span')]
            .map((span) => getComputedStyle(span, '::after').content).join('\\n')"""
        self.until(f"{text} behind a line", lambda: text in str(self.page.evaluate(script)).replace("\u00a0", " "))

    def unfold(self, row: Locator) -> None:
        """Unfold a line of that view."""
        if row.get_attribute("aria-expanded") != "true":
            row.locator(".monaco-tl-twistie").click()
        expect(row).to_have_attribute("aria-expanded", "true")

    def quick_fix(self, line: str) -> Locator:
        """Ask for the quick fixes at a line; the list that opens."""
        listed = self.page.locator(".action-widget .monaco-list-row.action")

        def ask() -> None:
            self.page.keyboard.press("Escape")
            self.line(line).click()
            self.page.keyboard.press("Control+.")
            listed.first.wait_for(timeout=4_000)

        self._again(ask, "the quick fixes")
        return listed

    def until(self, what: str, look: Callable[[], object]) -> None:
        """Wait for something outside the window."""
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not look():
            assert time.monotonic() < deadline, f"it never happened: {what}"
            self.page.wait_for_timeout(50)

    def show(self, view: str) -> None:
        """Show a view of the side bar."""
        tab = self.page.locator(".activitybar .action-item", has=self.page.locator(f"a[aria-label^={view}]"))
        tab.wait_for()
        if "checked" not in (tab.get_attribute("class") or "").split():  # a second click would close it
            tab.click()

    def _again(self, work: Callable[[], None], what: str) -> None:
        trouble: Error | None = None
        for _ in range(6):
            try:
                return work()
            except Error as error:
                trouble = error
        raise AssertionError(f"no luck with {what}: {trouble}")


def servers(run: Path) -> list[str]:
    """The command lines of the language servers that run for the VS Code whose files lie in `run`."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode().split("\0")
            home = f"HOME={run}".encode() in (process / "environ").read_bytes().split(b"\0")
        except OSError:
            continue  # it ended
        if home and "serve" in command:
            found.append(" ".join(command))
    return found


@contextmanager
def workbench(
    tools: Tools,
    folder: Path,
    run: Path,
    shots: Path,
    keys: Sequence[Mapping[str, Any]] = (),
    *,
    trusted: bool = True,
    settings: Mapping[str, Any] | None = None,
) -> Iterator[Workbench]:
    """A VS Code that shows `folder`, with our extension and nothing else; all its files lie in `run`.

    `keys`: key bindings. `trusted`: else VS Code opens the folder in restricted mode. `settings`: beside the usual
    ones. Ends with a picture called `failed` if the test does not come to its end.
    """
    user = run / "data" / "User"
    user.mkdir(parents=True)
    (user / "settings.json").write_text(json.dumps({**_SETTINGS, **(settings or {})}))
    (user / "keybindings.json").write_text(json.dumps(keys))
    shots.mkdir(parents=True, exist_ok=True)
    with _code_server(tools, run, trusted) as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=tools.chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 760})
        page.set_default_timeout(PATIENCE_MS)
        window = Workbench(page, shots)
        try:
            page.goto(f"http://127.0.0.1:{port}/?folder={folder}")
            yield window
        except BaseException:
            window.shot("failed")
            raise
        finally:
            browser.close()


@contextmanager
def _code_server(tools: Tools, run: Path, trusted: bool) -> Iterator[int]:
    """A running code-server; its port on 127.0.0.1."""
    port = _free_port()
    (run / "config.yaml").write_text(f"bind-addr: 127.0.0.1:{port}\nauth: none\ncert: false\n")
    command = [str(tools.node), str(tools.code_server), "--config", str(run / "config.yaml")]
    command += ["--user-data-dir", str(run / "data"), "--extensions-dir", str(run / "extensions")]
    environment = _environment(run)
    log = (run / "code-server.log").open("wb")
    with log:
        subprocess.run(
            [*command, "--install-extension", str(tools.vsix)], env=environment, check=True, stdout=log, stderr=log
        )
        options = ["--disable-telemetry", "--disable-update-check", *(["--disable-workspace-trust"] if trusted else [])]
        options += ["--disable-getting-started-override", "--reconnection-grace-time", "1"]
        process = subprocess.Popen([*command, *options], env=environment, stdout=log, stderr=log)
    try:
        _wait_until_healthy(port, process)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _environment(run: Path) -> dict[str, str]:
    """Of this machine only a Python without intentls: the server that runs is the one in the package."""
    programs = run / "bin"
    programs.mkdir()
    base = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    (programs / "python3").write_text(f'#!/bin/sh\nexec "{base}" "$@"\n')
    (programs / "python3").chmod(0o755)
    return {
        "HOME": str(run),
        "LANG": "C.UTF-8",
        "PATH": os.pathsep.join([str(programs), "/usr/bin", "/bin"]),
        **{f"XDG_{kind}_HOME": str(run / "xdg") for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_healthy(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError("code-server did not start: see its log")
