/** The state of the root that the active editor is in, in the status bar and in the language status. */

import * as vscode from 'vscode';
import type { RootState } from './protocol';
import type { Server } from './server';

interface StatusText {
  text: string;
  /** What a screen reader says instead of `text`, whose icons have no words. */
  label: string;
  detail: string;
  severity: vscode.LanguageStatusSeverity;
  command: vscode.Command;
}

const SELECT = { command: 'intentls.selectIntent', title: 'Select' };
const CREATE = { command: 'intentls.createIntent', title: 'Create' };
const RESTART = { command: 'intentls.restart', title: 'Restart' };
const SHOW_PROBLEM = { command: 'intentls.showProblem', title: 'Show' };

export class Status implements vscode.Disposable {
  private readonly language = vscode.languages.createLanguageStatusItem('intentls.intent', { scheme: 'file' });
  private readonly bar = vscode.window.createStatusBarItem('intentls.intent', vscode.StatusBarAlignment.Left, 50);

  constructor(private readonly server: Server) {
    this.language.name = 'Intent';
    this.bar.name = 'Active Intent';
  }

  update(): void {
    const root = this.server.rootOf(vscode.window.activeTextEditor?.document.uri);
    const shown = this.current(root);
    this.language.busy = this.server.state === 'starting';
    this.language.text = shown?.label ?? 'No intents declared';
    this.language.detail = shown?.detail ?? '';
    this.language.severity = shown?.severity ?? vscode.LanguageStatusSeverity.Information;
    this.language.command = shown?.command ?? CREATE;
    if (shown === undefined) {
      this.bar.hide(); // nothing is governed here
      return;
    }
    const failed = shown.severity === vscode.LanguageStatusSeverity.Error;
    const several = root !== undefined && this.server.roots.length > 1;
    this.bar.text = several ? `${shown.text} (${root.name})` : shown.text;
    this.bar.tooltip = several ? `${root.name}: ${shown.detail}` : shown.detail;
    this.bar.accessibilityInformation = { label: `${shown.label}${several ? ` in ${root.name}` : ''}` };
    this.bar.command = shown.command;
    this.bar.backgroundColor = failed ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.bar.show();
  }

  dispose(): void {
    this.language.dispose();
    this.bar.dispose();
  }

  private current(root: RootState | undefined): StatusText | undefined {
    const { Information, Warning, Error: Failed } = vscode.LanguageStatusSeverity;
    if (this.server.state === 'failed') {
      const label = 'The intentls server does not run';
      return { text: '$(error) Intents', label, detail: `${label}.`, severity: Failed, command: RESTART };
    }
    if (this.server.state === 'starting' || root === undefined) {
      const label = 'Intents are loading';
      return { text: '$(sync~spin) Intents', label, detail: `${label}.`, severity: Information, command: SELECT };
    }
    const { state, text: detail, intent_id } = root;
    const id = intent_id ?? '';
    switch (state) {
      case 'active': {
        const full = `${detail} · ${root.status ?? ''} · ${root.owned_scope.join(', ') || 'the whole workspace'}`;
        const label = `Active intent ${detail}`;
        return { text: `$(target) ${id}`, label, detail: full, severity: Information, command: SELECT };
      }
      case 'idle':
        return { text: '$(circle-slash) No intent', label: 'No intent', detail, severity: Warning, command: SELECT };
      case 'unusable':
        return { text: `$(warning) ${id}`, label: detail, detail, severity: Warning, command: SELECT };
      case 'broken': {
        const line = root.problem?.path ? `, line ${root.problem.line}` : '';
        return {
          text: root.blocked ? `$(error) Agents blocked${line}` : `$(warning) Intents unreadable${line}`,
          label: detail,
          detail,
          severity: root.blocked ? Failed : Warning,
          command: SHOW_PROBLEM,
        };
      }
      case 'undeclared':
        return { text: '$(circle-slash) No intents', label: detail, detail, severity: Warning, command: CREATE };
      case 'other_branch':
        return {
          text: '$(git-branch) No intents on this branch',
          label: 'No intents on this branch',
          detail,
          severity: Warning,
          command: CREATE,
        };
      case 'ungoverned':
        return undefined;
    }
  }
}
