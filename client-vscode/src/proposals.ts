/** What an action that waits for approval would change, as a read-only diff. */

import * as vscode from 'vscode';
import type { Proposal, ProposedFile } from './protocol';

const SCHEME = 'intentls-proposed';

export class Proposals implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  static canShow(proposal: Proposal): boolean {
    return proposal.files.some((file) => file.before !== undefined || file.after !== undefined);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  async show(id: number, proposal: Proposal): Promise<void> {
    const pairs = proposal.files.map((file) => this.sides(id, file));
    const title = `${proposal.files.map((file) => file.path).join(', ')} (proposed)`;
    const [first] = pairs;
    if (first === undefined) return;
    if (pairs.length > 1) {
      await vscode.commands.executeCommand(
        'vscode.changes',
        title,
        pairs.map(([before, after]) => [after, before, after]),
      );
    } else {
      await vscode.commands.executeCommand('vscode.diff', ...first, title, { preview: true });
    }
  }

  /** The question is over: close its diffs. */
  close(id: number): void {
    const start = `${SCHEME}:/${id}/`;
    const belongs = (input: unknown): boolean =>
      input instanceof vscode.TabInputTextDiff && input.modified.toString().startsWith(start);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => belongs(tab.input));
    void vscode.window.tabGroups.close(tabs);
    for (const key of [...this.texts.keys()].filter((uri) => uri.startsWith(start))) this.texts.delete(key);
  }

  dispose(): void {
    this.registration.dispose();
  }

  private sides(id: number, file: ProposedFile): [vscode.Uri, vscode.Uri] {
    const side = (name: string, path: string, text: string | null | undefined): vscode.Uri => {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${id}/${name}/${path}` });
      this.texts.set(uri.toString(), text ?? '');
      return uri;
    };
    return [side('before', file.old_path ?? file.path, file.before), side('after', file.path, file.after)];
  }
}
