/** What a person can do from the command palette. */

import * as vscode from 'vscode';
import { INTENTS_FILE, open, roots } from './roots';
import type { Server } from './server';
import { ago, deed, firstLine, icon, lines } from './text';
import type { Entry, Intent, Session, TracedFile, Verification } from './wire';

const MOST_RECORDS = 50;

export async function selectIntent(server: Server): Promise<void> {
  const { intents } = await server.run<{ intents: Intent[] }>('intent.listIntents');
  const { intent_id: active } = await server.run<Session>('intent.getActiveIntent');
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
  const closed = intents.filter((each) => !each.open).map(item);
  const items = [
    ...intents.filter((each) => each.open).map(item),
    ...(closed.length > 0 ? [{ label: 'Closed', kind: vscode.QuickPickItemKind.Separator, id: '' }, ...closed] : []),
  ];
  const options = { title: 'Select an Intent to Work Under', matchOnDescription: true, matchOnDetail: true };
  const pick = await vscode.window.showQuickPick(items, options);
  if (pick) await takeUp(server, pick.id);
}

export async function takeUp(server: Server, id: string): Promise<void> {
  await server.run('intent.selectActiveIntent', { intent_id: id });
  server.refresh();
}

export async function clearIntent(server: Server): Promise<void> {
  await server.run('intent.clearActiveIntent');
  server.refresh();
}

/** Write a new intent's first lines where the intents are declared; a person fills them in and saves. */
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
  const { entries } = await server.run<{ entries: Entry[] }>('intent.queryTrace', { path: uri.toString(), limit: MOST_RECORDS });
  if (entries.length === 0) {
    void vscode.window.showInformationMessage(`Nothing is on record for ${name}.`);
    return;
  }
  const ends = (path: string) => uri.path.endsWith(`/${path}`);
  const pick = await vscode.window.showQuickPick(
    entries.flatMap((entry) => entry.files.filter((each) => ends(each.path)).map((each) => record(entry, each))),
    { title: `Trace of ${name}`, placeHolder: 'Who changed it, and under which intent; newest first', matchOnDescription: true, matchOnDetail: true },
  );
  if (pick) await open(pick.path, pick.line);
}

function record(entry: Entry, file: TracedFile) {
  const facts = [lines(file), entry.tool_name, entry.mutation_class, entry.error].filter((fact) => fact);
  return {
    label: `$(${icon(entry, file)}) ${entry.intent_id}  ${deed(entry, file)}`,
    description: ago(entry.timestamp),
    detail: facts.join(' · '),
    path: file.path,
    line: firstLine(file),
  };
}

export async function verifyLedger(server: Server): Promise<void> {
  const { ok, records, problems } = await server.run<Verification>('intent.verifyTrace');
  if (ok) {
    void vscode.window.showInformationMessage(`The ledger is whole: ${records} ${records === 1 ? 'record' : 'records'}, each in its chain.`);
    return;
  }
  for (const { line, kind, message } of problems) server.log.warn(`Ledger, line ${line}: ${kind}: ${message}`);
  const first = problems[0];
  const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
  const pick = await vscode.window.showWarningMessage(`The ledger is damaged. Line ${first?.line}: ${first?.message}${more}`, 'Show All');
  if (pick) server.log.show();
}
