"""`intentls init`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.agents import install_hooks
from intentls.engine.agents.install_hooks import AGENTS
from intentls.engine.agents.sandbox import SANDBOXES, remove_sandbox
from intentls.engine.setup.agent_sandboxes import covered, current_sandbox, keep_sandbox
from intentls.engine.setup.init import initialise
from intentls.engine.wire import reports
from intentls.faces.cli import output
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.root_option import root_or_here
from intentls.store.setup import git_hooks as git


@click.command()
@click.option("--agent", type=click.Choice(tuple(AGENTS)), help="Also make this coding agent call `intentls hook`.")
@click.option("--user", "of_user", is_flag=True, help="With --agent: in your own settings, for all your projects.")
@click.option(
    "--sandbox",
    metavar="INTENT",
    help="With --agent claude-code|codex: the intent's scope into the agent's own sandbox.",
)
@click.option("--git-hooks", is_flag=True, help="Also make git judge each commit, and record which records it took in.")
@click.option("--remove", is_flag=True, help="With --agent or --git-hooks: take those out again, and do nothing else.")
@root_option
@json_option
def command(
    agent: str | None,
    of_user: bool,
    sandbox: str | None,
    git_hooks: bool,
    remove: bool,
    root: Path | None,
    as_json: bool,
) -> int:
    """Set up this folder: create what is missing.

    Adds .orchestration/ with an example of an intent, a .gitignore for what is local, and the line of .gitattributes
    that marks the ledger as generated. A ledger that git tracks as one file becomes a segment, once. Everything else
    stays as it is, so you may run this again.

    If a root governs the current folder already, that root is completed; `--root .` begins a new one here.

    \b
    Example:
      intentls init
      intentls init --root services/billing
      intentls init --agent claude-code
      intentls init --agent claude-code --user
      intentls init --agent claude-code --sandbox INT-001
      intentls init --agent claude-code --remove
      intentls init --git-hooks
    """
    if remove and agent is None and not git_hooks:
        raise click.UsageError("--remove takes hooks out again: say whose with --agent NAME, or --git-hooks")

    if of_user and agent is None:
        raise click.UsageError("--user says where an agent's hooks go: name the agent with --agent")

    if sandbox is not None and (agent not in SANDBOXES or of_user or remove):
        raise click.UsageError(
            f"--sandbox writes a scope into a project's settings: use it with --agent {' or '.join(SANDBOXES)}"
        )

    where = root_or_here(root)
    steps = () if remove else initialise(where)
    if agent is not None:
        change = install_hooks.remove if remove else install_hooks.install
        steps = (*steps, *change(Path.home() if of_user else where, agent, of_user=of_user))
        if not of_user:
            steps = (*steps, *(remove_sandbox(where, agent) if remove else keep_sandbox(where, agent, sandbox)))
    if git_hooks:
        steps = (*steps, *(git.remove_hooks if remove else git.install_hooks)(where))
    if as_json:
        output.print_json(reports.initialised(where, steps))
        return 0
    output.print_line("In ", (str(where), output.STRONG))
    styles = {"created": output.GOOD, "extended": output.GOOD, "kept": output.DIM, "removed": output.GOOD}
    output.print_table([("", (step.outcome, styles[step.outcome]), step.path, step.what) for step in steps])
    if remove:
        return 0
    if all(step.outcome == "kept" for step in steps):
        output.print_line("Nothing was missing.")
    else:
        output.print_line(
            "Next: say in .orchestration/active_intents.yaml what is to be done, then run `intentls doctor`."
        )
    state = None if agent is None or of_user else current_sandbox(where, agent)
    if state is not None:
        output.print_line(f"Sandbox: {covered(state)}")
    if agent is not None:
        output.print_line(f"Next: {install_hooks.next_step(agent, of_user=of_user)}")
    return 0
