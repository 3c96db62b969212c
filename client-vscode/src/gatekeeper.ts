/** Questions of the server to the person here. Closing one is a no; so is not answering in time. */

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { Proposals } from './proposals';
import type { Proposal } from './wire';

interface Question {
  message: string;
  actions?: { title: string }[];
}

type Reply = { title: string } | null;

/** A question that nobody has answered yet. */
export interface Waiting {
  id: number;
  proposal: Proposal;
  offers: string[];
  answer(title: string | undefined): void;
}

const SHOW_CHANGES = 'Show changes';

export class Gatekeeper implements vscode.Disposable {
  readonly waiting = new Map<number, Waiting>();
  private readonly changedEmitter = new vscode.EventEmitter<void>();
  readonly changed = this.changedEmitter.event;
  private readonly proposals = new Proposals();
  private announced: Proposal[] = [];
  private count = 0;

  attach(client: LanguageClient): void {
    this.announced = [];
    client.onNotification('intentls/proposed', (proposal: Proposal) => void this.announced.push(proposal));
    client.onRequest('window/showMessageRequest', (question: Question) => this.ask(question));
  }

  async show(waiting: Waiting): Promise<void> {
    await this.proposals.show(waiting.id, waiting.proposal);
  }

  /** The server that asked is gone. */
  forget(): void {
    for (const question of this.waiting.values()) question.answer(undefined);
  }

  dispose(): void {
    this.forget();
    this.changedEmitter.dispose();
    this.proposals.dispose();
  }

  private async ask(question: Question): Promise<Reply> {
    const offers = (question.actions ?? []).map((action) => action.title);
    const at = this.announced.findIndex((each) => each.message === question.message);
    const proposal = at < 0 ? undefined : this.announced.splice(at, 1)[0];
    if (proposal === undefined) {
      const pick = await vscode.window.showWarningMessage(question.message, ...offers);
      return pick === undefined ? null : { title: pick };
    }
    return new Promise((resolve) => this.hold(proposal, offers, resolve));
  }

  private hold(proposal: Proposal, offers: string[], resolve: (reply: Reply) => void): void {
    const id = ++this.count;
    const late = setTimeout(() => waiting.answer(undefined), proposal.timeout_s * 1_000);
    const waiting: Waiting = {
      id,
      proposal,
      offers,
      answer: (title) => {
        clearTimeout(late);
        if (!this.waiting.delete(id)) return;
        this.proposals.forget(id);
        this.changedEmitter.fire();
        resolve(title === undefined ? null : { title });
      },
    };
    this.waiting.set(id, waiting);
    this.changedEmitter.fire();
    void this.notify(waiting);
  }

  /** Ask with buttons; again after the changes were looked at, for a click on any button closes the question. */
  private async notify(waiting: Waiting): Promise<void> {
    const { proposal, offers } = waiting;
    const extra = Proposals.canShow(proposal) ? [SHOW_CHANGES] : [];
    let pick = await vscode.window.showWarningMessage(proposal.message, ...offers, ...extra);
    while (pick === SHOW_CHANGES && this.waiting.has(waiting.id)) {
      await this.show(waiting);
      pick = await vscode.window.showWarningMessage(proposal.message, ...offers);
    }
    if (pick !== undefined && !this.waiting.has(waiting.id)) {
      void vscode.window.showInformationMessage('Too late: this question was answered, or its time was over.');
    }
    waiting.answer(pick);
  }
}
