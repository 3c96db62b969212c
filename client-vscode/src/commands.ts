/** The commands of the palette and of the view. */

import * as vscode from 'vscode';
import type { FileEntry, LedgerRecord } from './ledgerRecord';
import type { Intent } from './protocol';
import { INTENTS_FILE, openFile, roots } from './roots';
import type { Server } from './server';
import { ago, changeLabel, firstLine, icon, lines } from './text';

const MAX_RECORDS = 50;

export async function selectIntent(server: Server): Promise<void> {
  const { intents } = await server.run('intent.listIntents');
  const { intent_id: active } = await server.run('intent.getActiveIntent');
  if (intents.length === 0) {
    await createIntent();
    return;
  }
  const item = (intent: Intent) => ({
    label: `$(${intent.id === active ? 'target' : intent.open ? 'circle-large-outline' : 'circle-slash'}) ${intent.id}  ${intent.name}`,
    description: intent.status,
    detail: intent.owned_scope.join('  ') || 'the whole workspace',
    id: intent.id,
  });
  const closed = intents.filter((intent) => !intent.open).map(item);
  const items = [
    ...intents.filter((intent) => intent.open).map(item),
    ...(closed.length > 0 ? [{ label: 'Closed', kind: vscode.QuickPickItemKind.Separator, id: '' }, ...closed] : []),
  ];
  const options = { title: 'Select an Intent to Work Under', matchOnDescription: true, matchOnDetail: true };
  const pick = await vscode.window.showQuickPick(items, options);
  if (pick) await activateIntent(server, pick.id);
}

export async function activateIntent(server: Server, id: string): Promise<void> {
  await server.run('intent.selectActiveIntent', { intent_id: id });
  server.refresh();
}

export async function clearIntent(server: Server): Promise<void> {
  await server.run('intent.clearActiveIntent');
  server.refresh();
}

/** Write a new intent's first lines where the intents are declared; the user fills them in and saves. */
export async function createIntent(): Promise<void> {
  const folder = (await roots())[0] ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) throw new Error('Open a folder first: intents belong to a workspace.');
  const file = vscode.Uri.joinPath(folder, INTENTS_FILE);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(file, { ignoreIfExists: true });
  await vscode.workspace.applyEdit(edit);
  const editor = await vscode.window.showTextDocument(file);
  const text = editor.document.getText();
  const end = editor.document.positionAt(text.length);
  if (text && !text.endsWith('\n')) await editor.edit((builder) => builder.insert(end, '\n'));
  const indent = /^( *)- /m.exec(text)?.[1] ?? '  '; // as the others have it
  const lines = [
    ...(text.trim() === '' ? ['active_intents:'] : []),
    `${indent}- id: \${1:INT-100}`,
    `${indent}  name: \${2:What is to be done}`,
    `${indent}  status: \${3|PLANNED,IN_PROGRESS|}`,
    `${indent}  owned_scope: ["\${4:src/**}"]`,
    '',
  ];
  await editor.insertSnippet(new vscode.SnippetString(lines.join('\n')), editor.document.positionAt(text.length + 1));
}

export async function showTrace(server: Server, file?: vscode.Uri): Promise<void> {
  const uri = file ?? vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== 'file') throw new Error('Open a file first: its trace is what is shown.');
  const name = vscode.workspace.asRelativePath(uri);
  const { entries } = await server.run('intent.queryTrace', { path: uri.toString(), limit: MAX_RECORDS });
  if (entries.length === 0) {
    void vscode.window.showInformationMessage(`Nothing is on record for ${name}.`);
    return;
  }
  const isShown = (file: FileEntry) => uri.path.endsWith(`/${file.path}`);
  const pick = await vscode.window.showQuickPick(
    entries.flatMap((record) => record.files.filter(isShown).map((entry) => recordItem(record, entry))),
    {
      title: `Trace of ${name}`,
      placeHolder: 'Who changed it, and under which intent; newest first',
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  if (pick) await openFile(pick.path, pick.line);
}

function recordItem(record: LedgerRecord, file: FileEntry) {
  const facts = [lines(file), record.tool_name, record.mutation_class, record.error].filter((fact) => fact);
  return {
    label: `$(${icon(record, file)}) ${record.intent_id}  ${changeLabel(record, file)}`,
    description: ago(record.timestamp),
    detail: facts.join(' · '),
    path: file.path,
    line: firstLine(file),
  };
}

export async function verifyLedger(server: Server): Promise<void> {
  const { ok, records, problems } = await server.run('intent.verifyTrace');
  if (ok) {
    void vscode.window.showInformationMessage(
      `The ledger is whole: ${records} ${records === 1 ? 'record' : 'records'}, each in its chain.`,
    );
    return;
  }
  for (const { line, kind, message } of problems) server.log.warn(`Ledger, line ${line}: ${kind}: ${message}`);
  const first = problems[0];
  const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
  const pick = await vscode.window.showWarningMessage(
    `The ledger is damaged. Line ${first?.line}: ${first?.message}${more}`,
    'Show All',
  );
  if (pick) server.log.show();
}
