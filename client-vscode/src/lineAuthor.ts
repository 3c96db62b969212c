/** Who wrote the current line, at its end: from the ledger, else from git. Follows the cursor. */

import * as vscode from 'vscode';
import type { Server } from './server';

const DELAY_MS = 150;

interface LineAuthorText {
  text: string;
  recorded: boolean;
}

export class LineAuthor implements vscode.Disposable {
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3em', color: new vscode.ThemeColor('editorCodeLens.foreground'), fontStyle: 'italic' },
    rangeBehavior: vscode.DecorationRangeBehavior.OpenOpen,
  });
  private readonly subscriptions: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private requests = 0;

  constructor(private readonly server: Server) {
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.schedule(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.schedule(editor)),
      vscode.workspace.onDidSaveTextDocument(() => this.schedule(vscode.window.activeTextEditor)),
      server.changed(() => this.schedule(vscode.window.activeTextEditor)),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
    this.decoration.dispose();
  }

  private schedule(editor: vscode.TextEditor | undefined): void {
    clearTimeout(this.timer);
    if (editor === undefined) return;
    this.timer = setTimeout(() => void this.show(editor), DELAY_MS);
  }

  private async show(editor: vscode.TextEditor): Promise<void> {
    const request = (this.requests += 1);
    const line = editor.selection.active.line;
    const author = this.isShownIn(editor) ? await this.ask(editor.document.uri, line) : null;
    if (request !== this.requests || editor.selection.active.line !== line) return; // the cursor went on
    const end = editor.document.lineAt(line).range.end;
    const shown = author === null ? [] : [{ range: new vscode.Range(end, end), text: author.text }];
    editor.setDecorations(
      this.decoration,
      shown.map(({ range, text }) => ({ range, renderOptions: { after: { contentText: text } } })),
    );
  }

  private isShownIn(editor: vscode.TextEditor): boolean {
    const enabled = vscode.workspace.getConfiguration('intentls').get<boolean>('currentLine', true);
    return enabled && editor.document.uri.scheme === 'file' && this.server.state === 'running';
  }

  private async ask(uri: vscode.Uri, line: number): Promise<LineAuthorText | null> {
    try {
      const params = { textDocument: { uri: this.server.uri(uri) }, line };
      return await this.server.request<LineAuthorText | null>('intentls/lineAuthor', params);
    } catch {
      return null; // the server stopped, or the document was closed meanwhile
    }
  }
}
