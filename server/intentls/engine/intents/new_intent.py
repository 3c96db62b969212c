"""A new intent in a file of its own, with an id that nobody else chooses."""

from __future__ import annotations

import secrets

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.errors import ConfigurationError
from intentls.core.gate.refusal import ActionHint, Code, Refusal
from intentls.core.intents.ids import ALPHABET, SUFFIX_LENGTH, next_id
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.proposal import IntentProposal, name_of_branch, one_line, scope_of
from intentls.core.intents.scope import Scope
from intentls.core.mutation.classes import Change
from intentls.core.patterns.protected_paths import INTENTS_FOLDER
from intentls.engine.actions.acceptance import accept_written
from intentls.engine.actions.authority import is_started_by_agent
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.intents.intent_source import IntentSource
from intentls.engine.intents.intents_edit import contributor_of, literal_glob
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from intentls.store.config.new_intent_file import write_intent
from intentls.store.git.file_list import FileList
from intentls.store.git.intents_in_refs import changed_on_branch, current_branch, has_other_clones, ids_in_refs
from intentls.store.journal.journal import FileOp

TOOL = "new_intent"


class NewIntentRequest(Struct, frozen=True):
    """What is asked for. `globs`: the scope, else it is proposed; `on_branch`: the intent of the branch checked out."""

    session_id: str
    name: str | None = None
    globs: tuple[str, ...] = ()
    on_branch: bool = False
    source: IntentSource | None = None


class NewIntent(Struct, frozen=True):
    """The intent as it was declared at root-relative `path`. `degraded` if its record has to wait."""

    intent: Intent
    path: str
    source: str | None
    trace_id: str
    degraded: bool = False


def new_intent(workspace: Workspace, request: NewIntentRequest) -> NewIntent | Refusal:
    """Write a file with one intent; a refusal where an agent wants one, which only a person may declare.

    Raises InvalidGlob, ConfigurationError (no name, no branch, or the root has errors), StoreError.
    """
    if is_started_by_agent(workspace):
        return Refusal.of(
            Code.SCOPE_VIOLATION,
            "Scope Violation: a person declares an intent, not an agent. Ask one to run `intentls new`.",
            paths=(f"{INTENTS_FOLDER}/",),
            action_hint=ActionHint.CHOOSE_ANOTHER_PATH,
        )
    configuration = workspace.configuration()
    if configuration.intents.first_error is not None and configuration.error is not None:
        raise ConfigurationError(configuration.error)
    branch = current_branch(workspace.root) if request.on_branch else None
    if request.on_branch and branch is None:
        raise ConfigurationError("No branch is checked out here: leave --branch out, or make one.")
    proposal = IntentProposal() if request.source is None else request.source.proposal
    name = one_line(request.name or proposal.name or name_of_branch(branch or ""))
    if not name:
        raise ConfigurationError("Say what the intent is called, or give a text or a branch that does.")
    draft = Intent(
        id="",
        name=name,
        status=Status.IN_PROGRESS if branch is not None else Status.PENDING,
        description=proposal.description,
        scope=Scope.parse(request.globs or _proposed_scope(workspace, proposal, request)),
        acceptance_criteria=proposal.criteria,
        branch=branch,
    )
    return _declare(workspace, draft, request)


def _proposed_scope(workspace: Workspace, proposal: IntentProposal, request: NewIntentRequest) -> list[str]:
    """The files and folders that the text names, else those that the branch changed."""
    files = FileList(workspace.root, workspace.layout.ledger).current().paths
    chosen = scope_of(proposal.paths, files)
    if not chosen and request.on_branch:
        changed = changed_on_branch(workspace.root)
        chosen = scope_of(changed, [*files, *changed])
    return [f"{literal_glob(path)}/**" if is_folder else literal_glob(path) for path, is_folder in chosen]


def _declare(workspace: Workspace, draft: Intent, request: NewIntentRequest) -> NewIntent:
    # One lock for all that make an intent in this working tree; other clones differ in the suffix.
    with workspace.journal.hold([str(workspace.layout.intents_folder)], workspace.holder(request.session_id)):
        intent_id = _free_id(workspace)
        path = f"{INTENTS_FOLDER}/{intent_id}.yaml"
        if workspace.tree.state(path) is not None:
            raise ConfigurationError(f"{path} is already there; look at it, and remove it if nobody needs it")
        intent = replace(draft, id=intent_id)
        source = None if request.source is None else request.source.reference
        extra = {} if source is None else {"source": source}
        data = write_intent(intent, {**extra, "created_at": timestamp()}, path)
        planned = PlannedEdit(path, Change.ADD, None, data, None)
        by = contributor_of(workspace, request.session_id)
        record = RecordWriter(workspace).declaration_edit(request.session_id, TOOL, intent_id, planned, by)
        operation = FileOp(path, None, data, None)
        degraded = not workspace.journal.commit((operation,), record.to_json()).traced
        workspace.note_trace(degraded=degraded)
        workspace.pending.written(path, data)
        accept_written(workspace, path, data)
    return NewIntent(intent, path, source, record.id, degraded)


def _free_id(workspace: Workspace) -> str:
    declared = [intent_id for file in workspace.configuration().intents.files.values() for intent_id in file.spans]
    suffix = ""
    if has_other_clones(workspace.root):
        suffix = "".join(secrets.choice(ALPHABET) for _ in range(SUFFIX_LENGTH))
    return next_id(declared, ids_in_refs(workspace.root), suffix)
