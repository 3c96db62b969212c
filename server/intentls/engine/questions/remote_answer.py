"""An answer from another machine, as the database itself has it: the asker looks, and believes no process between.

It is looked at with a connection of the asker's own, since the keeper may have been started by an agent's process. It
takes a moment once a person has answered, and nothing before.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from intentls.engine.actions.effects import Reply
from intentls.engine.questions.excerpts import excerpts_of
from intentls.engine.questions.remote_questions import facts_of, reply_of
from intentls.late_module import LateModule
from intentls.store.questions.question_files import Question
from intentls.store.sessions.coordination.keeper_files import KeeperFiles
from intentls.store.sessions.coordination.protocol import chosen_address

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace
    from intentls.store.sessions.coordination import keeper_server, question_rows
else:  # they need psycopg, which is not installed everywhere
    keeper_server = LateModule("intentls.store.sessions.coordination.keeper_server")
    question_rows = LateModule("intentls.store.sessions.coordination.question_rows")


def confirmed_answer(workspace: Workspace, question: Question) -> Reply | None:
    """The answer to `question` in the database; None if there is none that counts. Raises StoreError, OSError."""
    address = chosen_address(workspace.configuration().policy.coordination, os.environ)
    if address is None:
        return None
    host = os.uname().nodename
    place = keeper_server.place_of(workspace.layout, KeeperFiles(workspace.layout.coordination), host)
    answer = question_rows.read_answer(address, place, question.id)
    if answer is None or answer.action not in question.actions:
        return None
    facts = facts_of(question, host, excerpts_of(workspace, question))
    return reply_of(answer) if answer.digest == question_rows.digest_of(facts) else None
