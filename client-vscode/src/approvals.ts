/** The server's questions to the user. Closing a question rejects the action; so does no answer in time. */

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { Proposals } from './proposals';
import type { Proposal } from './protocol';

interface Question {
  message: string;
  actions?: { title: string }[];
}

type Reply = { title: string } | null;

/** A question without an answer yet. */
export interface Approval {
  id: number;
  proposal: Proposal;
  choices: string[];
  answer(title: string | undefined): void;
}

const SHOW_CHANGES = 'Show changes';

export class Approvals implements vscode.Disposable {
  readonly pending = new Map<number, Approval>();
  private readonly changedEmitter = new vscode.EventEmitter<void>();
  readonly changed = this.changedEmitter.event;
  private readonly proposals = new Proposals();
  private announced: Proposal[] = [];
  private lastId = 0;

  /** Answer the questions of this client's server. */
  attach(client: LanguageClient): void {
    this.announced = [];
    client.onNotification('intentls/proposed', (proposal: Proposal) => void this.announced.push(proposal));
    client.onRequest('window/showMessageRequest', (question: Question) => this.ask(question));
  }

  async show(approval: Approval): Promise<void> {
    await this.proposals.show(approval.id, approval.proposal);
  }

  /** The server that asked is gone. */
  rejectAll(): void {
    for (const approval of this.pending.values()) approval.answer(undefined);
  }

  dispose(): void {
    this.rejectAll();
    this.changedEmitter.dispose();
    this.proposals.dispose();
  }

  private async ask(question: Question): Promise<Reply> {
    const choices = (question.actions ?? []).map((action) => action.title);
    const index = this.announced.findIndex((proposal) => proposal.message === question.message);
    const proposal = index < 0 ? undefined : this.announced.splice(index, 1)[0];
    if (proposal === undefined) {
      const pick = await vscode.window.showWarningMessage(question.message, ...choices);
      return pick === undefined ? null : { title: pick };
    }
    return new Promise((resolve) => this.add(proposal, choices, resolve));
  }

  private add(proposal: Proposal, choices: string[], resolve: (reply: Reply) => void): void {
    const id = ++this.lastId;
    const timeout = setTimeout(() => approval.answer(undefined), proposal.timeout_s * 1_000);
    const approval: Approval = {
      id,
      proposal,
      choices,
      answer: (title) => {
        clearTimeout(timeout);
        if (!this.pending.delete(id)) return;
        this.proposals.close(id);
        this.changedEmitter.fire();
        resolve(title === undefined ? null : { title });
      },
    };
    this.pending.set(id, approval);
    this.changedEmitter.fire();
    void this.notify(approval);
  }

  /** Ask with buttons; ask again after the changes were shown, because a click on any button closes the question. */
  private async notify(approval: Approval): Promise<void> {
    const { proposal, choices } = approval;
    const extra = Proposals.canShow(proposal) ? [SHOW_CHANGES] : [];
    let pick = await vscode.window.showWarningMessage(proposal.message, ...choices, ...extra);
    while (pick === SHOW_CHANGES && this.pending.has(approval.id)) {
      await this.show(approval);
      pick = await vscode.window.showWarningMessage(proposal.message, ...choices);
    }
    if (pick !== undefined && !this.pending.has(approval.id)) {
      void vscode.window.showInformationMessage('Too late: this question was answered, or its time was over.');
    }
    approval.answer(pick);
  }
}
