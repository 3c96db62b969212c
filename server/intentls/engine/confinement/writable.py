"""What a confined command may change beside the scope: the caches of build tools, agents' own folders, and what policy
names.

The list of caches was measured: what pip, uv, npm, yarn, pnpm, cargo, go, maven and gradle wrote in the home folder
while they installed and tested a project. Of an agent's folder its settings stay read-only: they name programs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from intentls.core.errors import ConfigurationError
from intentls.core.patterns.protected_paths import POLICY_FILE
from intentls.late_module import LateModule
from intentls.store.confinement.private_view import resolved

if TYPE_CHECKING:
    from intentls.core.gate.policy import RunPolicy
    from intentls.store.git import status
else:
    status = LateModule("intentls.store.git.status")  # few name folders of the tree

CACHES: Final = (
    *(".cache/pip", ".cache/uv", ".local/share/uv"),
    *(".npm", ".cache/yarn", ".yarn/berry", ".cache/pnpm", ".local/share/pnpm", ".local/state/pnpm"),
    *(".cargo/registry", ".cargo/git", ".cache/go-build", "go/pkg"),
    *(".m2/repository", ".gradle/caches", ".gradle/daemon", ".gradle/wrapper"),
)
"""Below the home folder."""

AGENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "claude": (".claude",),
    "codex": (".codex",),
    "gemini": (".gemini",),
    "copilot": (".copilot",),
    "cline": (".cline",),
    "opencode": (".local/share/opencode", ".local/state/opencode", ".cache/opencode"),
}
"""Below the home folder, by program: where agents keep their sessions."""

COPIED: Final = (".claude.json",)
"""Below the home folder: files that hold settings and session state at once (see `agent_state`)."""

SETTINGS: Final = (
    *(".claude/settings.json", ".claude/settings.local.json", ".claude/hooks", ".claude/commands", ".claude/plugins"),
    *(".codex/config.toml", ".codex/hooks.json", ".codex/rules", ".gemini/settings.json", ".gemini/extensions"),
    *(".copilot/config.json", ".copilot/mcp-config.json", ".cline/settings.json"),
    ".cline/data/settings/cline_mcp_settings.json",
)
"""Below the home folder: what stays read-only in them."""


class WritablePlaces(Struct, frozen=True):
    """Real places that exist. `read_only` are those in them that stay as they are; `absent` the settings that are not
    there, so that the kernel can't be told of them: what a command makes of those is put aside. Of `copied` files a
    staged command has copies, and only session state comes back; in a strict run they are read-only.
    """

    writable: tuple[Path, ...]
    read_only: tuple[Path, ...]
    absent: tuple[Path, ...] = ()
    copied: tuple[Path, ...] = ()

    def put_aside(self, run_id: str) -> list[Path]:
        """Rename the settings that a run made, which an agent would obey; where they are now. Raises OSError."""
        aside = []
        for path in self.absent:
            if os.path.lexists(path):
                aside.append(path.rename(path.with_name(f"{path.name}.of-run-{run_id}")))
        return aside


def writable_places(root: Path, policy: RunPolicy, folders: Iterable[str] = (), program: str = "") -> WritablePlaces:
    """The places for a command in this root; `folders` are named for this run.

    `program` is the one that will run: the folders of an agent are made for its first start.

    Raises ConfigurationError for a folder in the root that git does not ignore, and OSError.
    """
    home = Path.home()
    named = [*policy.writable, *folders]
    for name in AGENTS.get(Path(program).name, ()):
        (home / name).mkdir(parents=True, exist_ok=True)
    places = [home / name for name in (*CACHES, *chain.from_iterable(AGENTS.values()))]
    places += [_place(root, name) for name in named]
    settings = [home / name for name in SETTINGS]
    # Agents make the folders among them by themselves; what is in those runs only if a file of settings says so.
    files = (path for path in settings if path.suffix)
    absent = (path for path in files if path.parent.is_dir() and not os.path.lexists(path))
    copied = tuple(path for path in resolved(home / name for name in COPIED) if path.is_file())
    return WritablePlaces(tuple(resolved(places)), tuple(resolved(settings)), tuple(absent), copied)


def _place(root: Path, name: str) -> Path:
    """The place that a folder of the policy names; made where it is missing."""
    if name == "~" or name.startswith("~/"):
        return Path.home() / name[2:]
    path = Path(os.path.normpath(root / name))
    if path.is_relative_to(root):
        relative = path.relative_to(root).as_posix()
        if not status.GitFiles(root).is_ignored(f"{relative}/x"):
            raise ConfigurationError(
                f"{POLICY_FILE}: `run: writable` names {name}, which git does not ignore, so a command would change "
                "files there without a record. Add it to .gitignore, or to the intent's scope."
            )
        path.mkdir(parents=True, exist_ok=True)
    return path
