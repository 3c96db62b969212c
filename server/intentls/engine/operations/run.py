"""What each operation does: its arguments to a use case, the outcome to its answer. One function a row."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from intentls.core.errors import ConfigurationError, InvalidArgument, InvalidPatch, StoreError
from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.effects import Steps
from intentls.engine.operations.operation import Call, Reply
from intentls.engine.wire import answers, arguments
from intentls.engine.wire.refusals import failed, refused
from intentls.late_module import LateModule

if TYPE_CHECKING:
    from intentls.core.patch import unified_diff
    from intentls.engine.actions import plans, request
    from intentls.engine.actions.request import EditResult, Plan
    from intentls.engine.agents import request_scope
    from intentls.engine.blame import blame as line_blame
    from intentls.engine.blame import definition_blame
    from intentls.engine.branch_check import settle
    from intentls.engine.edits import perform, read
    from intentls.engine.intents import checkout, intents_edit, lessons, prompt
    from intentls.engine.ledger import queries
    from intentls.engine.ledger import search as text_search
    from intentls.engine.tools import host_tools, predicted_edits, tool_paths, tool_reports
    from intentls.engine.wire import definition_history
else:
    unified_diff = LateModule("intentls.core.patch.unified_diff")
    plans = LateModule("intentls.engine.actions.plans")
    request = LateModule("intentls.engine.actions.request")
    request_scope = LateModule("intentls.engine.agents.request_scope")
    line_blame = LateModule("intentls.engine.blame.blame")
    definition_blame = LateModule("intentls.engine.blame.definition_blame")
    settle = LateModule("intentls.engine.branch_check.settle")
    perform = LateModule("intentls.engine.edits.perform")
    read = LateModule("intentls.engine.edits.read")
    checkout = LateModule("intentls.engine.intents.checkout")
    intents_edit = LateModule("intentls.engine.intents.intents_edit")
    lessons = LateModule("intentls.engine.intents.lessons")
    prompt = LateModule("intentls.engine.intents.prompt")
    queries = LateModule("intentls.engine.ledger.queries")
    text_search = LateModule("intentls.engine.ledger.search")
    host_tools = LateModule("intentls.engine.tools.host_tools")
    predicted_edits = LateModule("intentls.engine.tools.predicted_edits")
    tool_paths = LateModule("intentls.engine.tools.tool_paths")
    tool_reports = LateModule("intentls.engine.tools.tool_reports")
    definition_history = LateModule("intentls.engine.wire.definition_history")

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
    return answers.PromptAnswer(prompt=prompt.protocol_prompt(call.engine))


def set_status(call: Call, wish: arguments.SetStatusArguments) -> Steps[Reply]:
    """An intent gets another status; an agent's session asks a person."""
    try:
        outcome = yield from request_scope.set_status(
            call.engine, call.session_id, wish.intent_id, wish.status, wish.root
        )
    except (ConfigurationError, StoreError) as error:
        return failed(error)
    call.changed = True
    if isinstance(outcome, Refusal):
        return refused(outcome)
    settle.settle_closed(intents_edit.declaring(call.engine, wish.intent_id, wish.root), wish.intent_id)
    return answers.DeclarationAnswer.of(outcome)


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
    outcome = read.read_file(call.engine, call.session_id, wish.path)
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
        patches = unified_diff.parse_patch(wish.patch)
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
    edit = request.EditRequest(
        plan,
        call.session_id,
        intent_id=wish.intent_id,
        mutation_class=arguments.mutation_class(wish.mutation_class),
        expected_hash=wish.expected_content_hash,
        model=wish.model_identifier,
    )
    outcome = yield from perform.perform(call.engine, edit)
    if isinstance(outcome, request.EditResult):
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
    edit = request.EditRequest(
        host_tools.HostTool(wish.tool_name, paths),
        call.session_id,
        intent_id=wish.intent_id,
        expected_hash=wish.expected_content_hash,
    )
    outcome = host_tools.check(call.engine, edit)
    return refused(outcome) if isinstance(outcome, Refusal) else answers.CheckAnswer.of(outcome)


def pre_tool_use(call: Call, wish: arguments.PreToolUseArguments) -> Steps[Reply]:
    """May a host's own tool run now?"""
    paths = tool_paths.paths_of(wish.tool_name, wish.params)
    edit = request.EditRequest(
        host_tools.HostTool(wish.tool_name, paths),
        call.session_id,
        intent_id=wish.intent_id,
        expected_hash=wish.expected_content_hash,
        predict_plan=partial(predicted_edits.predict_plan, wish.params, paths, wish.tool_name),
    )
    outcome = yield from host_tools.before_tool(call.engine, edit)
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
    """Records, newest first."""
    query = queries.Query(
        intent_id=wish.intent_id,
        path=wish.path,
        session_id=wish.session_id,
        since=arguments.moment("since", wish.since),
        limit=wish.limit,
    )
    return answers.RecordsAnswer(entries=queries.query(call.engine, query, call.progress, wish.root))


def search(call: Call, wish: arguments.SearchArguments) -> Reply:
    """What was done, learned and decided about these words."""
    return answers.SearchAnswer.of(text_search.search(call.engine, wish.words, wish.limit, call.progress))


def verify_trace(call: Call, _: arguments.Arguments) -> Reply:
    """Whether the ledger is whole."""
    return answers.VerificationAnswer.of(queries.verify(call.engine, call.progress))


def blame(call: Call, wish: arguments.BlameArguments) -> Reply:
    """Who wrote each line."""
    if wish.symbol is not None and wish.line is not None:
        raise InvalidArgument("symbol", "give line or symbol")
    if wish.symbol is not None:
        blamed = definition_blame.blame_definition(call.engine, call.session_id, wish.path, wish.symbol, call.progress)
        return answers.BlameAnswer.of(blamed.path, blamed.ranges, definition_history.BlamedDefinition.of(blamed))
    path, ranges = line_blame.blame_at(call.engine, call.session_id, wish.path, wish.line, call.progress)
    return answers.BlameAnswer.of(path, ranges)
