/** Problems that other extensions report after a save, and did not report before, are recorded as lessons. */

import * as vscode from 'vscode';
import type { Server } from './server';

/** Linters report a moment after the save: how long to wait for the first report, and for more after each. */
const FIRST_MS = 5_000;
const MORE_MS = 1_500;

export class Lessons implements vscode.Disposable {
  /** By file: the problems of its content as it was last saved or opened. */
  private readonly baseline = new Map<string, Set<string>>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly server: Server) {
    vscode.workspace.textDocuments.forEach((document) => this.opened(document));
    this.subscriptions = vscode.Disposable.from(
      vscode.languages.onDidChangeDiagnostics((event) => event.uris.forEach((uri) => this.reported(uri))),
      vscode.workspace.onDidOpenTextDocument((document) => this.opened(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.saved(document.uri)),
      vscode.workspace.onDidCloseTextDocument((document) => this.closed(document.uri)),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  private opened({ uri, isDirty }: vscode.TextDocument): void {
    // in an unsaved text the problems may come from the change that is being made: those are new
    if (!isDirty) this.baseline.set(uri.toString(), new Set(problems(uri).map(identity)));
  }

  private reported(uri: vscode.Uri): void {
    const key = uri.toString();
    if (this.timers.has(key)) {
      this.wait(uri, MORE_MS);
      return;
    }
    const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === key);
    if (document) this.opened(document);
  }

  private saved(uri: vscode.Uri): void {
    const forward = vscode.workspace.getConfiguration('intentls', uri).get<boolean>('lessons.forward', true);
    if (uri.scheme === 'file' && forward) this.wait(uri, FIRST_MS);
  }

  private closed(uri: vscode.Uri): void {
    if (!this.timers.has(uri.toString())) this.baseline.delete(uri.toString());
  }

  private wait(uri: vscode.Uri, ms: number): void {
    const key = uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => void this.forward(uri), ms),
    );
  }

  private async forward(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    this.timers.delete(key);
    const current = problems(uri);
    const before = this.baseline.get(key) ?? new Set();
    this.baseline.set(key, new Set(current.map(identity)));
    const added = current.filter((problem) => !before.has(identity(problem)));
    if (added.length === 0) return;
    try {
      const argument = { path: uri.toString(), problems: this.server.toProtocol(added) };
      const { recorded } = await this.server.run('intent.recordLesson', argument);
      this.server.log.info(`${recorded} of ${added.length} new problems of ${uri.path} were recorded as lessons`);
    } catch (error) {
      this.server.log.info(`No lessons from ${uri.path}: ${String(error)}`); // such as: no root governs this file
    }
  }
}

/** The errors and warnings of other extensions. */
function problems(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, severity }) => source !== 'intentls' && severity <= vscode.DiagnosticSeverity.Warning);
}

/** The same for the same problem, even if the lines around it have moved. */
function identity(problem: vscode.Diagnostic): string {
  const code = typeof problem.code === 'object' ? problem.code.value : problem.code;
  return JSON.stringify([problem.source, code, problem.message]);
}
