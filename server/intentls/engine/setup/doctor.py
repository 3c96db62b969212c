"""The usual mistakes: what stands in the way of a workspace that works, and how to mend it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from importlib.util import find_spec
from itertools import islice

import intentls
from intentls.core.constraints.rules import AstGrep
from intentls.core.diagnostic import Diagnostic, Severity
from intentls.core.errors import StoreError
from intentls.core.gate.policy import Mode, OnInvalid
from intentls.core.patterns.protected_paths import INTENTS_FILE, LEDGER_FILE, POLICY_FILE
from intentls.core.syntax.optional_libraries import INSTALL
from intentls.engine.agents.close_intent import merged_but_open
from intentls.engine.ledger.status import Soundness, ledger_status
from intentls.engine.setup.agent_checks import agent_checks
from intentls.engine.setup.check import Check as Check
from intentls.engine.setup.check import CheckLevel as CheckLevel
from intentls.engine.setup.signing_checks import signing_checks
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import now, parse_timestamp
from intentls.store.confinement.mapped_owners import why_not_changeable
from intentls.store.confinement.probe import why_not_staged
from intentls.store.confinement.strict_process import why_not_strict
from intentls.store.git.command import git_version
from intentls.store.git.status import GitFiles
from intentls.store.layout import ORCHESTRATION, TRACE_FOLDER
from intentls.store.setup.environment import find_program, has_directories, watch_limit

_STATE = f"{ORCHESTRATION}/.state"
_TOLERANCE = timedelta(minutes=2)  # clocks of machines that work together are this close
_NEWEST = 20
_MANY_WATCHES = 50_000  # enough for nearly every workspace; and folders are not counted any further


def examine_machine() -> tuple[Check, ...]:
    """What does not depend on any workspace."""
    version = git_version()
    git = (
        Check("git", CheckLevel.OK, version)
        if version is not None
        else Check(
            "git", CheckLevel.WARNING, "git is not installed", "Install it: records then say which commit they are on."
        )
    )
    return (Check("intentls", CheckLevel.OK, f"{intentls.__version__} on Python {platform.python_version()}"), git)


def examine(workspace: Workspace) -> tuple[Check, ...]:
    """What there is to say of one root. What can't be looked at is an error of its own."""
    looks: dict[str, Callable[[Workspace], Iterator[Check]]] = {
        "intents": _intents,
        "rules": _rules,
        "policy": _policy,
        "linters": _linters,
        "ledger": _ledger,
        "journal": _journal,
        "git": _git,
        "signing": signing_checks,
        "watcher": _watcher,
        "run": _run,
        "agents": agent_checks,
    }
    checks: list[Check] = []
    for name, look in looks.items():
        try:
            checks.extend(look(workspace))
        except StoreError as error:
            checks.append(Check(name, CheckLevel.ERROR, str(error)))
    return tuple(checks)


def _intents(workspace: Workspace) -> Iterator[Check]:
    configuration = workspace.configuration()
    if configuration.error is not None:
        let_through = configuration.policy.is_lenient or configuration.policy.mode is Mode.ADVISE
        consequence = "let through, and recorded" if let_through else "refused"
        yield Check("intents", CheckLevel.ERROR, configuration.error, f"Until then every edit is {consequence}.")
        return
    known = configuration.intents.intents.values()
    if not known:
        yield Check(
            "intents",
            CheckLevel.WARNING,
            f"{INTENTS_FILE} declares none",
            "`intentls new` adds one: without it every edit is refused.",
        )
    elif not any(intent.is_open for intent in known):
        yield Check(
            "intents", CheckLevel.WARNING, "no intent is open", "Set the status of one, for example to IN_PROGRESS."
        )
    else:
        opened = sum(intent.is_open for intent in known)
        yield Check("intents", CheckLevel.OK, f"{len(known)} declared, {opened} open")
    for intent in merged_but_open(workspace):
        message = f"{intent.id} is open, and its branch {intent.branch} is merged or gone"
        yield Check("intents", CheckLevel.INFO, message, f"`intentls close {intent.id}` closes it.")
    if configuration.conflict is not None:
        yield Check("intents", CheckLevel.WARNING, configuration.conflict)
    for path, diagnostic in configuration.intents.diagnostics():
        yield from _diagnostics("intents", path, (diagnostic,))
    for intent_id in sorted(configuration.ignore.intents - set(configuration.intents.intents)):
        message = f".intentignore takes {intent_id} out of use, which is not declared"
        yield Check("intents", CheckLevel.WARNING, message, "Mend the id, or remove the line.")


def _policy(workspace: Workspace) -> Iterator[Check]:
    configuration = workspace.configuration()
    policy = configuration.policy
    if not workspace.layout.policy.exists():
        yield Check("policy", CheckLevel.OK, "none of its own: the defaults hold, and the gate is enforced")
    elif policy.mode is Mode.ADVISE:
        message = "mode: advise. Nothing is refused, only recorded and warned of"
        yield Check(
            "policy", CheckLevel.WARNING, message, f"Write `mode: enforce` into {POLICY_FILE} when you are ready."
        )
    else:
        yield Check("policy", CheckLevel.OK, "in force: the gate is enforced")
    if policy.on_invalid is OnInvalid.ALLOW:
        message = "on_invalid: allow. A mistake in the intents file switches the gate off"
        yield Check("policy", CheckLevel.WARNING, message, "Write `on_invalid: block` unless you mean it.")
    yield from _diagnostics(
        "policy", POLICY_FILE, configuration.policy_file.diagnostics, "Until then the default holds."
    )


def _diagnostics(name: str, path: str, diagnostics: Iterable[Diagnostic], consequence: str = "") -> Iterator[Check]:
    """An error in the policy costs a key; one in the intents makes the whole file invalid, which `_intents` says."""
    for diagnostic in diagnostics:
        message = f"{path}, line {diagnostic.span.start_line + 1}: {diagnostic.message}"
        if diagnostic.severity > Severity.WARNING:
            yield Check(name, CheckLevel.INFO, message)
        elif diagnostic.severity is Severity.WARNING or consequence:
            yield Check(name, CheckLevel.WARNING, message, consequence)


def _linters(workspace: Workspace) -> Iterator[Check]:
    for linter in workspace.configuration().policy.linters:
        found = find_program(linter.command, workspace.root)
        if found is not None:
            yield Check("linters", CheckLevel.OK, f"{linter.name} ({found}); it runs where you trust the workspace")
        else:
            message = f"{linter.command[0]} is not installed, so nothing is learned from {linter.name}"
            yield Check("linters", CheckLevel.INFO, message, f"Install it, or name other `linters` in {POLICY_FILE}.")


def _ledger(workspace: Workspace) -> Iterator[Check]:
    found = ledger_status(workspace)
    if found.soundness is Soundness.DAMAGED:
        message = f"{_count(found.problems, 'problem')} in {_count(found.records, 'record')}"
        yield Check("ledger", CheckLevel.ERROR, message, "`intentls trace verify` says which.")
    elif found.soundness is Soundness.UNCHECKED:
        message = f"{_count(found.records, 'line')}, too many to verify here"
        yield Check("ledger", CheckLevel.INFO, message, "`intentls trace verify` does it.")
    elif found.records:
        yield Check("ledger", CheckLevel.OK, f"{_count(found.records, 'record')}, whole and in order")
    else:
        yield Check("ledger", CheckLevel.OK, "nothing is recorded yet")
    yield from _clock(workspace)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _clock(workspace: Workspace) -> Iterator[Check]:
    latest = None
    for record in islice(workspace.ledger.newest_first(), _NEWEST):
        try:
            moment = parse_timestamp(str(record.get("timestamp")))
        except ValueError:
            continue  # another tool's record; `trace verify` speaks of those
        latest = moment if latest is None else max(latest, moment)
    if latest is not None and latest - now() > _TOLERANCE:
        message = f"the ledger has a record of {latest:%Y-%m-%d %H:%M:%S}Z, which is still to come"
        yield Check("clock", CheckLevel.WARNING, message, "Set the clock of this machine, or of the one that wrote it.")
    else:
        yield Check("clock", CheckLevel.OK, "no record is of a time still to come")


def _journal(workspace: Workspace) -> Iterator[Check]:
    if workspace.journal.has_unfinished():
        message = "an edit that was cut off could not be settled or recorded yet"
        yield Check(
            "journal",
            CheckLevel.WARNING,
            message,
            f"Make {LEDGER_FILE} and the edited files writable; the next run settles it.",
        )
    else:
        yield Check("journal", CheckLevel.OK, "no edit waits to be settled")


def _git(workspace: Workspace) -> Iterator[Check]:
    git = GitFiles(workspace.root)
    ignored = git.is_ignored(f"{TRACE_FOLDER}/x.jsonl")
    if ignored is None:
        message = "this workspace is in no git repository"
        yield Check("git", CheckLevel.WARNING, message, "Run `git init`: records then say which commit they are on.")
        return
    if ignored:
        message = "git ignores the ledger"
        yield Check("git", CheckLevel.WARNING, message, f"Let git keep {TRACE_FOLDER}/: it is the history.")
    elif git.is_tracked(LEDGER_FILE):
        message = f"git tracks {LEDGER_FILE}, in which branches conflict"
        yield Check("git", CheckLevel.WARNING, message, "Run `intentls init`: it moves the ledger over to segments.")
    else:
        yield Check("git", CheckLevel.OK, "the ledger is kept in git, in segments")
    if git.is_tracked(_STATE):
        message = f"{_STATE}/ is in git, though it is only of use on this machine"
        yield Check(
            "git",
            CheckLevel.WARNING,
            message,
            f"No clone carries out an edit in it. Take it out: git rm -r --cached {_STATE}",
        )
    elif git.is_ignored(f"{_STATE}/sessions"):
        yield Check("git", CheckLevel.OK, "the engine's own state stays out of git")
    else:
        message = f"git does not ignore {_STATE}/"
        yield Check("git", CheckLevel.WARNING, message, f"Run `intentls init`: it adds {ORCHESTRATION}/.gitignore.")


def _rules(workspace: Workspace) -> Iterator[Check]:
    intents = workspace.configuration().intents.intents.values()
    using = [intent.id for intent in intents if any(isinstance(rule, AstGrep) for rule in intent.rules)]
    if using and find_spec("ast_grep_py") is None:
        message = f"ast-grep is not installed, so every edit under {', '.join(using)} is refused"
        yield Check("rules", CheckLevel.ERROR, message, f"Run {INSTALL}.")


def _run(workspace: Workspace) -> Iterator[Check]:
    if sys.platform == "win32":
        yield Check("run", CheckLevel.INFO, "`intentls run` needs Linux or macOS: commands can't be confined here")
        return
    reason = why_not_staged()
    strictly = "strictly" if why_not_strict() is None else None
    if reason is None and (reason := why_not_changeable(workspace.root)) is not None:
        yield Check("run", CheckLevel.WARNING, f"`intentls run` can't stage commands in this folder: {reason}")
    elif reason is None:
        ways = " and ".join(filter(None, ("staged", strictly)))
        yield Check("run", CheckLevel.OK, f"`intentls run` can confine commands {ways}")
    elif strictly is not None:
        message = f"`intentls run` can confine commands strictly, not staged: {reason}"
        yield Check("run", CheckLevel.INFO, message, "Staged runs need user namespaces with overlays (Linux 5.11).")
    else:
        message = f"`intentls run` can't confine commands here: {reason}"
        yield Check("run", CheckLevel.INFO, message, "It needs user namespaces or Landlock (Linux 6.2).")


def _watcher(workspace: Workspace) -> Iterator[Check]:
    limit = watch_limit()
    if limit is None:
        return  # a system that does not count them
    if limit < _MANY_WATCHES and has_directories(workspace.root, limit):
        message = f"this machine lets a user watch {limit:,} folders, and there are more here"
        advice = "Raise fs.inotify.max_user_watches: until then an editor may miss what changes on disk."
        yield Check("watcher", CheckLevel.WARNING, message, advice)
    else:
        yield Check("watcher", CheckLevel.OK, f"up to {limit:,} folders can be watched")
