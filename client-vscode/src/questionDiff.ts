/** What an action that a person is asked about would change, as a read-only diff; its tab is closed with the question. */

import * as vscode from 'vscode';
import type { QuestionContents, QuestionFile } from './protocol';
import { asker, type Question } from './question';

const SCHEME = 'intentls-question';

export class QuestionDiff implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly contents: (question: Question, path: string) => Promise<Partial<QuestionContents>>,
    tabsChanged: () => void,
  ) {
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.window.tabGroups.onDidChangeTabs(tabsChanged),
      vscode.window.tabGroups.onDidChangeTabGroups(tabsChanged),
    );
  }

  static canShow(question: Question): boolean {
    return question.files.length > 0;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  async show(question: Question): Promise<void> {
    const sides = await Promise.all(question.files.map((file) => this.sides(question, file)));
    const [first] = sides;
    if (first === undefined) return;
    const title = tabTitle(question);
    if (sides.length === 1) {
      const [file, before, after] = first;
      await vscode.commands.executeCommand('vscode.diff', before ?? empty(file), after ?? empty(file), title, {
        preview: false,
      });
    } else {
      await vscode.commands.executeCommand('vscode.changes', title, sides);
    }
  }

  /** Whether the active tab shows this question's changes. */
  isShown(question: Question): boolean {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab !== undefined && belongs(tab, question);
  }

  /** The question is over: close its tabs. */
  close(question: Question): void {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    void vscode.window.tabGroups.close(tabs.filter((tab) => belongs(tab, question)));
    for (const key of [...this.texts.keys()].filter((uri) => uri.includes(`id=${question.id}&`)))
      this.texts.delete(key);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** The file that the workspace has, and both sides. They have one path, so that nothing looks renamed but a rename. */
  private async sides(
    question: Question,
    file: QuestionFile,
  ): Promise<[vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined]> {
    const { before, after } = await this.contents(question, file.path);
    const side = (name: string, path: string, text: string | null | undefined): vscode.Uri | undefined => {
      if (text === null) return undefined;
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${path}`, query: `id=${question.id}&side=${name}` });
      this.texts.set(uri.toString(), text ?? 'This file can not be shown as text.');
      return uri;
    };
    return [
      vscode.Uri.joinPath(vscode.Uri.parse(question.root), file.path),
      side('before', file.old_path ?? file.path, before),
      side('after', file.path, after),
    ];
  }
}

/** A tab of several files tells no more of itself than its title, to which VS Code adds " (2 files)". */
function tabTitle(question: Question): string {
  const [first = question.tool, ...others] = question.files.map(({ path }) => path);
  return `Question: ${first}${others.length > 0 ? ` and ${others.length} more` : ''} (${asker(question)}, ${question.id})`;
}

function belongs(tab: vscode.Tab, question: Question): boolean {
  const title = tabTitle(question);
  return tab.label === title || tab.label.startsWith(`${title} (`);
}

function empty(file: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: file.path, query: 'empty' });
}
