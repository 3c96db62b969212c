"""`intentls questions`."""

from __future__ import annotations

import os
import selectors
import sys
import time
from pathlib import Path

import click

from intentls.engine.actions.effects import Answer
from intentls.engine.questions.answering import (
    CLOSED,
    contents_of,
    give,
    item_of,
    may_listen,
    not_taken,
    open_questions,
)
from intentls.engine.wire.question import QuestionAnswered, QuestionList, QuestionNotAnswered
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.text_difference import print_difference
from intentls.store.fs.directory_watch import DirectoryWatch
from intentls.store.questions.question_files import Question

_ACTIONS = {"approve": Answer.APPROVE, "expand": Answer.EXPAND_SCOPE, "reject": Answer.REJECT}
_LETTERS = {word[0]: word for word in _ACTIONS}
_TAKEN_S = 60.0  # who asks takes an answer at once; a machine may be busy
_LOOK_AGAIN_S = 5.0  # whether those who ask still run


@click.group(invoke_without_command=True)
@click.option("--watch", is_flag=True, help="Stay, show each question when it is asked, and take the answer here.")
@root_option
@json_option
@click.pass_context
def command(ctx: click.Context, watch: bool, root: Path | None, as_json: bool) -> int:
    """List what agents ask a person now, and answer it.

    An agent that was refused may ask: to let one action pass, or to widen a scope. It waits for the first answer, from
    any editor or from here. Only a person answers: the verb is refused in whatever an agent's process started.

    \b
    Example:
      intentls questions
      intentls questions answer q-3f9ac2 approve
      intentls questions --watch
    """
    if ctx.invoked_subcommand is not None:
        return 0
    workspace = open_root(root).workspace
    if watch:
        if as_json:
            raise click.UsageError("--watch talks to a person: give it without --json.")
        return _watch(workspace)
    questions = open_questions(workspace)
    if as_json:
        output.print_json(QuestionList([item_of(workspace, question) for question in questions]))
        return 0
    for question in questions:
        _print(question)
    if not questions:
        output.print_error("No question is open.")
    return 0


@command.command("answer")
@click.argument("question", metavar="ID")
@click.argument("action", type=click.Choice(list(_ACTIONS)))
@root_option
@json_option
def answer(question: str, action: str, root: Path | None, as_json: bool) -> int:
    """Answer the question ID: let this one action pass, expand the scope and let it pass, or reject it.

    Exits with 1 where the answer does not count.

    \b
    Example:
      intentls questions answer q-3f9ac2 approve
    """
    workspace = open_root(root).workspace
    found = [each for each in open_questions(workspace) if question in (each.id, each.id.removeprefix("q-"))]
    outcome = (
        _give(workspace, found[0], _ACTIONS[action])
        if found
        else QuestionNotAnswered("error", question, "QUESTION_CLOSED", CLOSED)
    )
    if as_json:
        output.print_json(outcome)
    else:
        _tell(outcome)
    return 0 if isinstance(outcome, QuestionAnswered) else 1


def _give(workspace: Workspace, question: Question, action: Answer) -> QuestionAnswered | QuestionNotAnswered:
    """Answer, and stay until who asks has taken the answer: it counts only while this process stands for it."""
    watch = DirectoryWatch(workspace.layout.questions)
    try:
        given = give(workspace, question, action.value)
        if isinstance(given, QuestionNotAnswered):
            return given
        held, answered = given
        deadline = time.monotonic() + _TAKEN_S
        try:
            while (state := workspace.questions.state_of(question.id, held)) == "waits":
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                watch.wait(left)
        finally:
            held.release()
        return answered if state == "taken" else not_taken(question)
    finally:
        watch.close()


def _watch(workspace: Workspace) -> int:
    """Show questions as they come; on a terminal, take the answers."""
    if not may_listen(workspace, None):
        output.print_error("Questions can't be answered here: an agent started this. Use a terminal of your own.")
        return 1
    registration = workspace.listeners.register(workspace.host.face)
    workspace.coordination.trouble()  # whoever keeps the connection tells other machines
    watch = DirectoryWatch(workspace.layout.questions)
    shown: dict[str, Question] = {}
    output.print_error("Waiting for questions; Ctrl-C ends it.")
    try:
        while True:
            questions = {question.id: question for question in open_questions(workspace)}
            for id_ in shown.keys() - questions.keys():
                output.print_line((f"{id_} is closed.", output.DIM))
            for id_ in questions.keys() - shown.keys():
                _print(questions[id_])
                _print_choices(questions[id_])
            shown = questions
            _take_line(workspace, shown, watch)
    except (KeyboardInterrupt, EOFError):
        return 0
    finally:
        watch.close()
        if registration is not None:
            registration.release()


def _take_line(workspace: Workspace, shown: dict[str, Question], watch: DirectoryWatch) -> None:
    """Wait for a word of the person about the oldest question, or for news. Raises EOFError at the input's end."""
    if os.name != "posix" or not sys.stdin.isatty():
        watch.wait(_LOOK_AGAIN_S)
        return
    with selectors.DefaultSelector() as selector:
        selector.register(sys.stdin, selectors.EVENT_READ)
        if watch.descriptor is not None:
            selector.register(watch.descriptor, selectors.EVENT_READ)
        ready = [key.fileobj for key, _ in selector.select(_LOOK_AGAIN_S)]
    if watch.descriptor in ready:
        watch.drain()
    if sys.stdin not in ready:
        return
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    if not shown:
        return
    question, letter = next(iter(shown.values())), line.strip().lower()[:1]
    if letter == "d":
        _print_files(workspace, question)
    elif letter in _LETTERS:
        _tell(_give(workspace, question, _ACTIONS[_LETTERS[letter]]))
    else:
        _print_choices(question)


def _print(question: Question) -> None:
    output.print_line((question.id, output.STRONG), "  ", question.text)
    if question.reason:
        output.print_line(f"{' ' * len(question.id)}  The reason given: {question.reason}")


def _print_choices(question: Question) -> None:
    words = [word for word, action in _ACTIONS.items() if action.value in question.actions]
    choices = ", ".join(f"{word[0]} to {word}" for word in words)
    output.print_line((f"{question.id}: {choices}, d to see the change", output.DIM))


def _print_files(workspace: Workspace, question: Question) -> None:
    if not question.files:
        output.print_line("What it would change can't be told.")
    for file in question.files:
        contents = contents_of(workspace, question, file.path)
        print_difference(file.path, contents.before, contents.after)


def _tell(outcome: QuestionAnswered | QuestionNotAnswered) -> None:
    if isinstance(outcome, QuestionAnswered):
        output.print_error(f"{outcome.id}: {outcome.action}, by {outcome.by}.")
    else:
        output.print_error(outcome.message)
