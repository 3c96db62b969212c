/** What happened to one definition: who created, changed, renamed and moved it. */

import * as vscode from 'vscode';
import { showRecord } from './history';
import type { Server } from './server';

interface Step {
  text: string;
  id: string;
  path: string;
}

interface DefinitionHistory {
  name: string;
  kind: string;
  steps: Step[];
  beginning: 'created' | 'unrecorded' | 'lost';
}

const BEGINNINGS = {
  created: '',
  unrecorded: 'What was before is not on record',
  lost: 'What it was before is not proven, so its history ends here',
};

/** Choose among the changes of the definition around the cursor, and show one. */
export async function showDefinitionHistory(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') throw new Error('Open a file first, and put the cursor in a definition.');
  const { uri } = editor.document;
  const params = { textDocument: { uri: server.uri(uri) }, line: editor.selection.active.line };
  const history = await server.request<DefinitionHistory | { reason: string } | null>(
    'intentls/definitionHistory',
    params,
  );
  if (history === null || 'reason' in history) {
    void vscode.window.showInformationMessage(history?.reason ?? 'The cursor is in no definition.');
    return;
  }
  const title = `${history.kind} ${history.name}`;
  if (history.steps.length === 0) {
    void vscode.window.showInformationMessage(`Nothing is on record for ${title}.`);
    return;
  }
  const items = history.steps.map((step): vscode.QuickPickItem & { step?: Step } => ({ label: step.text, step }));
  const end = BEGINNINGS[history.beginning];
  if (end) items.push({ label: end, kind: vscode.QuickPickItemKind.Separator });
  const pick = await vscode.window.showQuickPick(items, {
    title: `History of ${title}`,
    placeHolder: 'Who changed it, and under which intent; newest first',
  });
  if (pick?.step) await showRecord(server, pick.step, `${title}: ${pick.step.text}`, server.rootOf(uri)?.root);
}
