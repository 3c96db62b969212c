"""For hosts that run their own tools: ask before, report after."""

from __future__ import annotations

from functools import partial
from typing import Any

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.request import EditRequest
from intentls.engine.tools import host_tools
from intentls.engine.tools.host_tools import HostTool
from intentls.engine.tools.predicted_edits import predict_plan
from intentls.engine.tools.tool_paths import paths_of
from intentls.engine.tools.tool_reports import ToolReport, after_tool
from intentls.engine.wire import arguments, requests, results
from intentls.faces.lsp.connection import Face

Json = dict[str, Any]


async def check(face: Face, given: Json) -> Json:
    """`intent.checkEdit`."""
    wanted = arguments.parse(arguments.CheckEdit, given)
    request = requests.check(wanted, face.session_id)
    return results.checked(await face.actions.run(lambda: host_tools.check(face.engine, request)))


async def before(face: Face, given: Json) -> Json:
    """`intent.preToolUse`."""
    wanted = arguments.parse(arguments.PreToolUse, given)
    paths = paths_of(wanted.tool_name, wanted.params)
    request = EditRequest(
        HostTool(wanted.tool_name, paths),
        wanted.session_id or face.session_id,
        intent_id=wanted.intent_id,
        expected_hash=wanted.expected_content_hash,
        predict_plan=partial(predict_plan, wanted.params, paths, wanted.tool_name),
    )
    outcome = await face.perform(lambda: host_tools.before_tool(face.engine, request))
    if isinstance(outcome, Refusal):
        return results.refused(outcome)
    return results.admitted(outcome)


async def after(face: Face, given: Json) -> Json:
    """`intent.postToolUse`."""
    wanted = arguments.parse(arguments.PostToolUse, given)
    report = ToolReport(
        wanted.tool_name,
        wanted.params,
        wanted.success,
        pre_hash=wanted.pre_hash if isinstance(wanted.pre_hash, str) else None,
        pre_hash_known=isinstance(wanted.pre_hash, str),
        error=wanted.error,
        mutation_class=arguments.mutation_class(wanted.mutation_class),
        model=wanted.model_identifier,
    )
    session_id = wanted.session_id or face.session_id
    trace_id = await face.actions.run(lambda: after_tool(face.engine, session_id, report))
    face.changed()
    return results.ok(trace_id=trace_id)
