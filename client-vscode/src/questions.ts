/** The open questions of all agents: told by the server, answered here or elsewhere, closed everywhere. */

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { QuestionAnswered, QuestionContents, QuestionNotAnswered } from './protocol';
import { type Action, asker, type Question, subject, title } from './question';
import { QuestionDiff } from './questionDiff';

type Answer = QuestionAnswered | QuestionNotAnswered;

const SHOW_CHANGES = 'Show Changes';
const SHOW_CHANGES_SHORT = 'Diff'; // in a notification, where four buttons share one line

export class Questions implements vscode.Disposable {
  open: Question[] = [];
  private readonly changedEmitter = new vscode.EventEmitter<void>();
  readonly changed = this.changedEmitter.event;
  private readonly diff = new QuestionDiff(
    (question, path) => this.contents(question, path),
    () => this.showButtons(),
  );
  private readonly bar = vscode.window.createStatusBarItem('intentls.questions', vscode.StatusBarAlignment.Left, 51);
  private client: LanguageClient | undefined;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.bar.name = 'Questions of Agents';
    this.bar.command = { command: 'intentls.answerQuestion', title: 'Answer' };
  }

  /** Take the questions of this client's server. */
  attach(client: LanguageClient): void {
    this.client = client;
    this.update([]);
    client.onNotification('intentls/questions', ({ questions }: { questions: Question[] }) => {
      if (client === this.client) this.update(questions);
    });
  }

  /** The server is gone: its questions can't be answered here. */
  clear(): void {
    this.client = undefined;
    this.update([]);
  }

  async show(question: Question): Promise<void> {
    await this.diff.show(question);
  }

  /** The question whose changes the active tab shows. */
  get shown(): Question | undefined {
    return this.open.find((question) => this.diff.isShown(question));
  }

  /** Answer a question; without one, that of the active tab, else one that the user picks. */
  async answer(action: Action, question: Question | undefined = this.shown): Promise<void> {
    const chosen = question ?? (await this.pick());
    if (chosen === undefined) return;
    const answered = await this.client?.sendRequest<Answer>('intentls/answerQuestion', { id: chosen.id, action });
    if (answered?.status === 'error') {
      void vscode.window.showInformationMessage(answered.message);
      this.update(this.open.filter((other) => other.id !== chosen.id));
    }
  }

  /** Let the user pick a question and an answer. */
  async ask(): Promise<void> {
    const question = await this.pick();
    if (question === undefined) return;
    const items = [
      ...question.actions.map((action) => ({ label: title(action, question), action })),
      ...(QuestionDiff.canShow(question) ? [{ label: SHOW_CHANGES, action: undefined }] : []),
    ];
    const pick = await vscode.window.showQuickPick(items, { title: sentence(question) });
    if (pick?.action !== undefined) await this.answer(pick.action, question);
    else if (pick !== undefined) await this.show(question);
  }

  dispose(): void {
    this.changedEmitter.dispose();
    this.bar.dispose();
    this.diff.dispose();
  }

  private async pick(): Promise<Question | undefined> {
    if (this.open.length === 0) void vscode.window.showInformationMessage('No agent asks anything now.');
    if (this.open.length < 2) return this.open[0];
    const items = this.open.map((question) => ({
      label: subject(question),
      description: asker(question),
      detail: sentence(question),
      question,
    }));
    return (await vscode.window.showQuickPick(items, { title: 'Questions of Agents' }))?.question;
  }

  private async contents(question: Question, path: string): Promise<Partial<QuestionContents>> {
    const params = { id: question.id, path };
    return (await this.client?.sendRequest<QuestionContents>('intentls/questionContents', params)) ?? {};
  }

  private update(questions: Question[]): void {
    const known = new Set(this.open.map(({ id }) => id));
    const still = new Set(questions.map(({ id }) => id));
    for (const closed of this.open.filter(({ id }) => !still.has(id))) this.diff.close(closed);
    this.open = questions;
    this.showCount();
    this.showButtons();
    this.changedEmitter.fire();
    for (const question of questions.filter(({ id }) => !known.has(id))) {
      this.notify(question).catch((error: unknown) => this.log.warn(`A question was not answered: ${String(error)}`));
    }
  }

  /** The buttons in a tab's title are there only where the active tab is a question's. */
  private showButtons(): void {
    const shown = this.shown;
    const isExpandable = shown?.actions.includes('Expand scope') ?? false;
    void vscode.commands.executeCommand('setContext', 'intentls.questionShown', shown !== undefined);
    void vscode.commands.executeCommand('setContext', 'intentls.questionExpandable', isExpandable);
  }

  private showCount(): void {
    const count = this.open.length;
    void vscode.commands.executeCommand('setContext', 'intentls.questions', count);
    if (count === 0) {
      this.bar.hide();
      return;
    }
    const text = count === 1 ? '1 question' : `${count} questions`;
    this.bar.text = `$(bell-dot) ${text}`;
    this.bar.tooltip = this.open.map(sentence).join('\n');
    this.bar.accessibilityInformation = { label: `${text} of agents` };
    this.bar.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.bar.show();
  }

  /** Ask with buttons. Closing the notification answers nothing: the question stays in the view and the status bar. */
  private async notify(question: Question): Promise<void> {
    const titles = new Map(question.actions.map((action) => [title(action, question), action]));
    const extra = QuestionDiff.canShow(question) ? [SHOW_CHANGES_SHORT] : [];
    const pick = await vscode.window.showWarningMessage(sentence(question), ...extra, ...titles.keys());
    if (pick === SHOW_CHANGES_SHORT) await this.show(question);
    const action = pick === undefined ? undefined : titles.get(pick);
    if (action !== undefined) await this.answer(action, question);
  }
}

/** Who wants what and why: "claude-opus-4-5 wants to create docs/a.md, outside INT-001 (src/**). Why: …" */
export function sentence(question: Question): string {
  const { model, reason } = question;
  const text = model === null ? question.text : question.text.replace(model, asker(question));
  return reason === null ? text : `${text} Why: ${reason}`;
}
