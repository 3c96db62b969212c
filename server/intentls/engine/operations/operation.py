"""What an operation is, and how a call of it runs."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from msgspec import Struct, field

from intentls.core.errors import InvalidGlob, InvalidPath
from intentls.engine.actions.effects import Steps
from intentls.engine.wire.answers import Success
from intentls.engine.wire.arguments import Arguments, EditArguments, naming, parse
from intentls.engine.wire.refusals import RefusalAnswer
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.progress import Progress, no_progress

Reply = Success | RefusalAnswer


class Call(Struct):
    """One call of an operation, as its function sees it.

    `session_id` is whom it acts for: the connection's session, until the arguments name another one.
    `progress(done, total)` is to be called now and then by what may take long; it raises where the call was given up.
    The function adds to `follow_ups` what may be done once the answer is on its way, and sets `changed` where what an
    editor shows of intents, scopes or the ledger may be out of date.
    """

    engine: Engine
    session_id: str
    progress: Progress = no_progress
    follow_ups: list[Callable[[], object]] = field(default_factory=list)
    changed: bool = False


class Operation(Struct, frozen=True):
    """A row of the table.

    `run` is the function: plain, or a generator where a person or an editor may have to be asked on the way.
    `title` and `description` are for people and models. `reads`: it changes nothing; `idempotent`: twice is as good as
    once. `long` names the work where it may take long: then it reports progress, can be given up, and runs beside
    the others. `in_lsp` and `in_mcp`: which protocol offers it. `known` gives the answer where a few looks at the disk
    prove it, and None where that needs more: so a face may call it where nothing should wait.
    """

    name: str
    arguments: type[Arguments]
    answer: type[Success]
    run: Callable[[Call, Any], Reply | Steps[Reply]]
    title: str
    description: str
    reads: bool = False
    idempotent: bool = True
    long: str = ""
    in_lsp: bool = True
    in_mcp: bool = True
    known: Callable[[Call], Reply | None] | None = None

    @property
    def command(self) -> str:
        """Its id in LSP: `intent.listIntents` for `list_intents`."""
        first, *others = self.name.split("_")
        return f"intent.{first}{''.join(word.capitalize() for word in others)}"

    @property
    def edits(self) -> bool:
        """Whether it changes files under the gate."""
        return issubclass(self.arguments, EditArguments)

    def begin(self, call: Call, values: Mapping[str, Any]) -> Steps[Reply]:
        """The steps of this call, for a face to drive. `values` is the JSON object that the client sent.

        Raises InvalidArgument at once for what can't be the arguments. The steps raise InvalidInput, ConfigurationError
        and StoreError; an InvalidPath or InvalidGlob is raised as an InvalidArgument that names the argument.
        """
        arguments = parse(self.arguments, values)
        call.session_id = arguments.session_id or call.session_id
        return self._steps(call, arguments, values)

    def _steps(self, call: Call, arguments: Arguments, values: Mapping[str, Any]) -> Steps[Reply]:
        try:
            outcome = self.run(call, arguments)
            return (yield from outcome) if isinstance(outcome, Generator) else outcome
        except (InvalidPath, InvalidGlob) as error:
            raise naming(values, error) from error
