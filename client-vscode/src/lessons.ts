/** Problems that other extensions report after a save, and did not before, go on record as lessons. */

import * as vscode from 'vscode';
import type { Server } from './server';

/** Linters speak up a moment after the save: how long to wait for the first, and for more after each. */
const FIRST_MS = 5_000;
const MORE_MS = 1_500;

export class Lessons implements vscode.Disposable {
  /** What is known of a file's content as it was last saved or opened. */
  private readonly known = new Map<string, Set<string>>();
  private readonly settling = new Map<string, NodeJS.Timeout>();
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
    for (const timer of this.settling.values()) clearTimeout(timer);
  }

  private opened({ uri, isDirty }: vscode.TextDocument): void {
    // in an unsaved text they may be of the change that is being made: those are news
    if (!isDirty) this.known.set(uri.toString(), new Set(problems(uri).map(name)));
  }

  private reported(uri: vscode.Uri): void {
    const key = uri.toString();
    if (this.settling.has(key)) {
      this.wait(uri, MORE_MS);
      return;
    }
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === key);
    if (document) this.opened(document);
  }

  private saved(uri: vscode.Uri): void {
    const wanted = vscode.workspace.getConfiguration('intentls', uri).get('lessons.forward', true);
    if (uri.scheme === 'file' && wanted) this.wait(uri, FIRST_MS);
  }

  private closed(uri: vscode.Uri): void {
    if (!this.settling.has(uri.toString())) this.known.delete(uri.toString());
  }

  private wait(uri: vscode.Uri, ms: number): void {
    const key = uri.toString();
    clearTimeout(this.settling.get(key));
    this.settling.set(key, setTimeout(() => void this.settle(uri), ms));
  }

  private async settle(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    this.settling.delete(key);
    const now = problems(uri);
    const before = this.known.get(key) ?? new Set();
    this.known.set(key, new Set(now.map(name)));
    const news = now.filter((each) => !before.has(name(each)));
    if (news.length === 0) return;
    try {
      const argument = { path: uri.toString(), problems: this.server.toWire(news) };
      const { recorded } = await this.server.run<{ recorded: number }>('intent.recordLesson', argument);
      this.server.log.info(`${recorded} of ${news.length} new problems of ${uri.path} went on record as lessons`);
    } catch (error) {
      this.server.log.info(`No lessons from ${uri.path}: ${String(error)}`); // such as: no root governs this file
    }
  }
}

/** The other extensions' errors and warnings. */
function problems(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter((each) => each.source !== 'intentls' && each.severity <= vscode.DiagnosticSeverity.Warning);
}

/** The same problem has the same name wherever the lines around it have moved. */
function name(problem: vscode.Diagnostic): string {
  const code = typeof problem.code === 'object' ? problem.code.value : problem.code;
  return JSON.stringify([problem.source, code, problem.message]);
}
