"""What each operation does: its arguments to a use case, the outcome to its answer. One function a row."""

from __future__ import annotations

from functools import partial

from intentls.core.errors import ConfigurationError, InvalidArgument, InvalidPatch, StoreError
from intentls.core.gate.refusal import Refusal
from intentls.core.patch.unified_diff import parse_patch
from intentls.engine.actions import plans
from intentls.engine.actions.effects import Steps
from intentls.engine.actions.request import EditRequest, EditResult, Plan
from intentls.engine.agents import request_scope
from intentls.engine.blame.blame import blame_at
from intentls.engine.edits.perform import perform
from intentls.engine.edits.read import read_file as read_text
from intentls.engine.intents import checkout, lessons
from intentls.engine.intents.prompt import protocol_prompt
from intentls.engine.ledger import queries
from intentls.engine.ledger import search as text_search
from intentls.engine.operations.operation import Call, Reply
from intentls.engine.tools import host_tools, tool_reports
from intentls.engine.tools.predicted_edits import predict_plan
from intentls.engine.tools.tool_paths import paths_of
from intentls.engine.wire import answers, arguments
from intentls.engine.wire.refusals import failed, refused

# -- intents ------------------------------------------------------------------------------------------------------


def list_intents(call: Call, _: arguments.Arguments) -> Reply:
    """The declared intents."""
    return answers.IntentsAnswer.by_root(checkout.intents_by_root(call.engine))


def select_active_intent(call: Call, wish: arguments.SelectionArguments) -> Steps[Reply]:
    """Make an intent the session's active one."""
    declared = arguments.mutation_class(wish.mutation_class)
    outcome = yield from checkout.select(
        call.engine, call.session_id, wish.intent_id, declared, wish.model_identifier, wish.root
    )
    call.changed = True
    return refused(outcome) if isinstance(outcome, Refusal) else answers.SelectionAnswer.of(outcome)


def get_active_intent(call: Call, _: arguments.Arguments) -> Reply:
    """The session's intent."""
    return answers.SessionAnswer.of(call.engine.active_sessions.now(call.session_id))


def known_active_intent(call: Call) -> Reply | None:
    """The same, if three looks show that it is still what was last said."""
    session = call.engine.active_sessions.known(call.session_id)
    return None if session is None else answers.SessionAnswer.of(session)


def clear_active_intent(call: Call, _: arguments.Arguments) -> Reply:
    """The session has no intent any more."""
    session = checkout.clear(call.engine, call.session_id)
    call.changed = True
    return answers.SessionAnswer.of(session)


def get_protocol_prompt(call: Call, _: arguments.Arguments) -> Reply:
    """The rules, for an agent's system prompt."""
    return answers.PromptAnswer(prompt=protocol_prompt(call.engine))


def set_status(call: Call, wish: arguments.SetStatusArguments) -> Steps[Reply]:
    """An intent gets another status; an agent's session asks a person."""
    try:
        outcome = yield from request_scope.set_status(
            call.engine, call.session_id, wish.intent_id, wish.status, wish.root
        )
    except (ConfigurationError, StoreError) as error:
        return failed(error)
    call.changed = True
    return refused(outcome) if isinstance(outcome, Refusal) else answers.DeclarationAnswer.of(outcome)


def expand_scope(call: Call, wish: arguments.ExpandScopeArguments) -> Steps[Reply]:
    """An intent's scope gets one file or glob more, because a person said so; an agent's session asks one."""
    if (wish.path is None) == (wish.glob is None):
        raise InvalidArgument("path", "give either path or glob")
    try:
        outcome = yield from request_scope.expand_scope(
            call.engine, call.session_id, wish.intent_id, wish.path, wish.glob, wish.reason, wish.root
        )
    except (ConfigurationError, StoreError) as error:
        return failed(error)
    call.changed = True
    return refused(outcome) if isinstance(outcome, Refusal) else answers.DeclarationAnswer.of(outcome)


def request_scope_expansion(call: Call, wish: arguments.RequestScopeExpansionArguments) -> Steps[Reply]:
    """The same, if a person says so when asked."""
    outcome = yield from request_scope.request_expansion(
        call.engine, call.session_id, wish.intent_id, wish.path, wish.glob, wish.reason
    )
    call.changed = True
    return refused(outcome) if isinstance(outcome, Refusal) else answers.DeclarationAnswer.of(outcome)


# -- files --------------------------------------------------------------------------------------------------------


def read_file(call: Call, wish: arguments.ReadFileArguments) -> Reply:
    """A file's text and hash, which the session knows from then on."""
    outcome = read_text(call.engine, call.session_id, wish.path)
    if isinstance(outcome, Refusal):
        return refused(outcome)
    return answers.FileAnswer(path=outcome.path, content=outcome.content, content_hash=outcome.content_hash)


def write_to_file(call: Call, wish: arguments.WriteToFileArguments) -> Steps[Reply]:
    """A guarded edit: a file's whole text."""
    return _edit_one(call, wish, plans.WriteFile(wish.path, wish.content))


def edit_file(call: Call, wish: arguments.EditFileArguments) -> Steps[Reply]:
    """A guarded edit: a text in a file."""
    return _edit_one(call, wish, plans.EditFile(wish.path, wish.old_string, wish.new_string, wish.replace_all))


def delete_file(call: Call, wish: arguments.DeleteFileArguments) -> Steps[Reply]:
    """A guarded edit: a file goes."""
    return _edit_one(call, wish, plans.DeleteFile(wish.path))


def rename_file(call: Call, wish: arguments.RenameFileArguments) -> Steps[Reply]:
    """A guarded edit: a file moves."""
    return _edit_one(call, wish, plans.RenameFile(wish.path, wish.new_path))


def apply_patch(call: Call, wish: arguments.ApplyPatchArguments) -> Steps[Reply]:
    """A guarded edit of several files, all or none."""
    try:
        patches = parse_patch(wish.patch)
    except InvalidPatch as error:
        raise InvalidArgument("patch", str(error)) from error
    if wish.expected_content_hash is not None and len(patches) > 1:
        raise InvalidArgument("expected_content_hash", f"names one content, but the patch has {len(patches)} files")
    outcome = yield from _perform(call, wish, plans.ApplyPatch(patches))
    return refused(outcome) if isinstance(outcome, Refusal) else answers.PatchAnswer.of(outcome)


def _edit_one(call: Call, wish: arguments.EditArguments, plan: Plan) -> Steps[Reply]:
    outcome = yield from _perform(call, wish, plan)
    return refused(outcome) if isinstance(outcome, Refusal) else answers.EditAnswer.of(outcome)


def _perform(call: Call, wish: arguments.EditArguments, plan: Plan) -> Steps[EditResult | Refusal]:
    """Ask the gate, then do it; linters look at the result once the answer is given."""
    request = EditRequest(
        plan,
        call.session_id,
        intent_id=wish.intent_id,
        mutation_class=arguments.mutation_class(wish.mutation_class),
        expected_hash=wish.expected_content_hash,
        model=wish.model_identifier,
    )
    outcome = yield from perform(call.engine, request)
    if isinstance(outcome, EditResult):
        call.follow_ups.append(partial(lessons.lint_result, call.engine, outcome, call.session_id))
    call.changed = True
    return outcome


# -- tools of a host ----------------------------------------------------------------------------------------------


def check_edit(call: Call, wish: arguments.CheckEditArguments) -> Reply:
    """What the gate would say; nobody is asked, and nothing recorded."""
    if wish.path is not None and wish.paths is not None:
        raise InvalidArgument("paths", "give path or paths, not both")
    paths = tuple(dict.fromkeys(wish.paths or ([wish.path] if wish.path is not None else [])))
    if wish.expected_content_hash is not None and len(paths) != 1:
        raise InvalidArgument("expected_content_hash", "names one content, so give exactly one path")
    request = EditRequest(
        host_tools.HostTool(wish.tool_name, paths),
        call.session_id,
        intent_id=wish.intent_id,
        expected_hash=wish.expected_content_hash,
    )
    outcome = host_tools.check(call.engine, request)
    return refused(outcome) if isinstance(outcome, Refusal) else answers.CheckAnswer.of(outcome)


def pre_tool_use(call: Call, wish: arguments.PreToolUseArguments) -> Steps[Reply]:
    """May a host's own tool run now?"""
    paths = paths_of(wish.tool_name, wish.params)
    request = EditRequest(
        host_tools.HostTool(wish.tool_name, paths),
        call.session_id,
        intent_id=wish.intent_id,
        expected_hash=wish.expected_content_hash,
        predict_plan=partial(predict_plan, wish.params, paths, wish.tool_name),
    )
    outcome = yield from host_tools.before_tool(call.engine, request)
    return refused(outcome) if isinstance(outcome, Refusal) else answers.PermissionAnswer.of(outcome)


def post_tool_use(call: Call, wish: arguments.PostToolUseArguments) -> Reply:
    """A host's own tool has run: what it did goes on record."""
    report = tool_reports.ToolReport(
        wish.tool_name,
        wish.params,
        wish.success,
        pre_hash=wish.pre_hash if isinstance(wish.pre_hash, str) else None,
        pre_hash_known=isinstance(wish.pre_hash, str),
        error=wish.error,
        mutation_class=arguments.mutation_class(wish.mutation_class),
        model=wish.model_identifier,
    )
    result = tool_reports.after_tool(call.engine, call.session_id, report)
    call.changed = True
    return answers.RecordAnswer.of(result)


# -- the ledger ---------------------------------------------------------------------------------------------------


def record_lesson(call: Call, wish: arguments.RecordLessonArguments) -> Reply:
    """Problems of a file, kept as a lesson."""
    lesson = lessons.record_lesson(call.engine, call.session_id, wish.path, wish.problems)
    return answers.LessonAnswer(recorded=lesson.recorded, duplicates=lesson.duplicates)


def query_trace(call: Call, wish: arguments.QueryTraceArguments) -> Reply:
    """Records, newest first; the index is brought up to date once they are given."""
    query = queries.Query(
        intent_id=wish.intent_id,
        path=wish.path,
        session_id=wish.session_id,
        since=arguments.moment("since", wish.since),
        limit=wish.limit,
    )
    records = queries.query(call.engine, query, call.progress, wish.root)
    call.follow_ups.append(partial(queries.update_indexes, call.engine))
    return answers.RecordsAnswer(entries=records)


def search(call: Call, wish: arguments.SearchArguments) -> Reply:
    """What was done, learned and decided about these words."""
    return answers.SearchAnswer.of(text_search.search(call.engine, wish.words, wish.limit, call.progress))


def verify_trace(call: Call, _: arguments.Arguments) -> Reply:
    """Whether the ledger is whole."""
    return answers.VerificationAnswer.of(queries.verify(call.engine, call.progress))


def blame(call: Call, wish: arguments.BlameArguments) -> Reply:
    """Who wrote each line; the index is brought up to date once that is said."""
    path, ranges = blame_at(call.engine, call.session_id, wish.path, wish.line, call.progress)
    call.follow_ups.append(partial(queries.update_indexes, call.engine))
    return answers.BlameAnswer.of(path, ranges)
