/** The active intent, in the language status and in the status bar. */

import * as vscode from 'vscode';
import type { Server } from './server';

interface StatusText {
  text: string;
  detail: string;
  severity: vscode.LanguageStatusSeverity;
  command: vscode.Command;
}

const SELECT = { command: 'intentls.selectIntent', title: 'Select' };

export class Status implements vscode.Disposable {
  private readonly language = vscode.languages.createLanguageStatusItem('intentls.intent', { scheme: 'file' });
  private readonly bar = vscode.window.createStatusBarItem('intentls.intent', vscode.StatusBarAlignment.Left, 50);

  private updates = 0;

  constructor(private readonly server: Server) {
    this.language.name = 'Intent';
    this.bar.name = 'Active Intent';
  }

  async update(): Promise<void> {
    this.language.busy = this.server.state === 'starting';
    const update = (this.updates += 1);
    const shown = await this.current();
    if (update !== this.updates) return; // a later update has newer answers
    this.language.text = shown?.text ?? 'No intents declared';
    this.language.detail = shown?.detail ?? '';
    this.language.severity = shown?.severity ?? vscode.LanguageStatusSeverity.Information;
    this.language.command = shown?.command ?? { command: 'intentls.createIntent', title: 'Create' };
    if (shown === undefined) {
      this.bar.hide(); // nothing is governed here
      return;
    }
    const failed = shown.severity === vscode.LanguageStatusSeverity.Error;
    this.bar.text = shown.text;
    this.bar.tooltip = shown.detail;
    this.bar.command = shown.command;
    this.bar.backgroundColor = failed ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.bar.show();
  }

  dispose(): void {
    this.language.dispose();
    this.bar.dispose();
  }

  private async current(): Promise<StatusText | undefined> {
    const { Information, Warning, Error: Failed } = vscode.LanguageStatusSeverity;
    if (this.server.state === 'starting') {
      return {
        text: '$(sync~spin) Intents',
        detail: 'The intentls server starts',
        severity: Information,
        command: SELECT,
      };
    }
    if (this.server.state === 'failed') {
      const command = { command: 'intentls.restart', title: 'Restart' };
      return { text: '$(error) Intents', detail: 'The intentls server does not run', severity: Failed, command };
    }
    const { intents } = await this.server.run('intent.listIntents');
    const { intent_id: id } = await this.server.run('intent.getActiveIntent');
    if (id === null) {
      if (intents.length === 0) return undefined;
      return {
        text: '$(circle-slash) No intent',
        detail: 'Select an intent to work under',
        severity: Warning,
        command: SELECT,
      };
    }
    const intent = intents.find((candidate) => candidate.id === id);
    const detail = intent
      ? `${intent.name} · ${intent.status} · ${intent.owned_scope.join(', ')}`
      : 'It is not declared any more';
    return { text: `$(target) ${id}`, detail, severity: intent ? Information : Warning, command: SELECT };
  }
}
