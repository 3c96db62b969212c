"""What a person can do at once about a file that is out of scope, or that no intent is selected for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import IntentlsError
from intentls.core.gate.action import Facts
from intentls.core.gate.refusal import Code
from intentls.core.intents.intent import Intent
from intentls.core.intents.scope import Scope
from intentls.core.patterns.protected_paths import is_declared_file, is_intents_file
from intentls.engine.editor.diagnostics import review
from intentls.engine.intents.intents_edit import literal_glob
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import OpenDocument
from intentls.engine.workspace.workspace import Workspace
from intentls.store.config.intents_edit import YamlEdit, add_globs
from intentls.store.config.intents_parser import IntentsFile, parse_intents

_MAX_SELECTIONS = 10  # more than a menu can show is of no use


class Expansion(Struct, frozen=True):
    """Add `glob` to an intent's scope: `edit` of the file at root-relative `path`, whose text is `text`.

    `document` is the editor's own copy, if it is open there; `None`: the edit is of the disk's. `root` is the one that
    declares the intent, where the editor has several.
    """

    title: str
    intent_id: str
    glob: str
    path: str
    edit: YamlEdit
    text: str
    document: OpenDocument | None = None
    root: Path | None = None


class Selection(Struct, frozen=True):
    """Make another intent the active one; `root` as for an expansion."""

    title: str
    intent_id: str
    root: Path | None = None


class QuickFixes(Struct, frozen=True):
    """What can be done, the likeliest first. `out_of_scope`: the file is outside the active intent's scope.

    `preferred` is the one that is right for most; None where that is for a person to weigh.
    """

    out_of_scope: bool = False
    choices: tuple[Expansion | Selection, ...] = ()
    preferred: Expansion | Selection | None = None


def quick_fixes(engine: Engine, workspace: Workspace, path: str, session_id: str) -> QuickFixes:
    """What can be done about root-relative `path`; nothing for a path that no intent may change."""
    configuration = workspace.configuration()
    session = workspace.sessions.load(session_id)
    facts = configuration.facts(session)
    codes = {diagnostic.code for diagnostic in review(workspace, path, "", session_id)}
    is_protected = facts.is_off_limits(configuration.policy, path) and (
        not is_declared_file(path) or is_intents_file(path)
    )
    untouchable = is_protected or Code.INTENTIGNORE_PATH_BLOCKED in codes
    if configuration.error is not None or untouchable:
        return QuickFixes()
    root = workspace.root if len(list(engine.workspaces())) > 1 else None
    usable = [intent for intent in _usable(facts) if intent.id != session.intent_id]
    owners = facts.owners(configuration.policy, path)
    owning = [intent for intent in usable if intent.id in owners]
    others = [intent for intent in usable if intent.id not in owners]
    if Code.SCOPE_VIOLATION not in codes:
        if facts.intent is not None:
            return QuickFixes()
        return QuickFixes(choices=tuple(_selections("Select an intent:", [*owning, *others], root)))
    active = facts.intent
    expansions: tuple[Expansion, ...] = ()
    if active is not None and active.is_open:
        expansions = tuple(_expansions(workspace, active, path, root))
    switches = tuple(_selections("Switch to", owning, root))
    selections = tuple(_selections("Select an intent:", others, root))
    room = max(0, _MAX_SELECTIONS - len(switches))
    return QuickFixes(True, (*switches, *expansions, *selections[:room]), _preferred(switches, expansions))


def _preferred(switches: tuple[Selection, ...], expansions: tuple[Expansion, ...]) -> Expansion | Selection | None:
    """The one intent that owns the file; where none does, the smallest widening. Of several owners a person picks."""
    if switches:
        return switches[0] if len(switches) == 1 else None
    return expansions[0] if expansions else None


def _usable(facts: Facts) -> Iterator[Intent]:
    for intent in facts.intents.values():
        if intent.is_open and not facts.ignore.excludes_intent(intent.id):
            yield intent


def _selections(verb: str, intents: Iterable[Intent], root: Path | None) -> Iterator[Selection]:
    for _, intent in zip(range(_MAX_SELECTIONS), intents, strict=False):
        yield Selection(f"{verb} {_named(intent)}", intent.id, root)


def _named(intent: Intent) -> str:
    name = " ".join(intent.name.split())
    return f"{intent.id} ({name})" if name else intent.id


def _expansions(workspace: Workspace, intent: Intent, path: str, root: Path | None) -> Iterator[Expansion]:
    declaring = workspace.configuration().intents.paths[intent.id]
    content = workspace.contents.read(declaring)
    file = parse_intents(content.data, declaring)
    declared = file.intents.get(intent.id)
    if declared is None or declared.scope.contains(path):
        return  # widened already, and not saved yet
    directory = path.rpartition("/")[0]
    choices = [(literal_glob(path), f"Expand scope of {intent.id} to this file")]
    if directory:
        choices.append((f"{literal_glob(directory)}/**", f"Expand scope of {intent.id} to its folder ({directory}/**)"))
    for glob, title in choices:
        edit = _edit(file, intent.id, glob, path)
        if edit is not None:
            yield Expansion(title, intent.id, glob, declaring, edit, file.text, content.document, root)


def _edit(file: IntentsFile, intent_id: str, glob: str, path: str) -> YamlEdit | None:
    """None where it can't be made in place, or would not help: the scope excludes the path by name."""
    try:
        scope = Scope.parse([*file.intents[intent_id].scope.patterns, glob])
        return add_globs(file, intent_id, [glob]) if scope.contains(path) else None
    except IntentlsError:
        return None
