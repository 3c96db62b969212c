/** The commands of the palette and of the view. */

import * as vscode from 'vscode';
import { showChange } from './history';
import type { FileEntry, LedgerRecord } from './ledgerRecord';
import type { Intent, RootState } from './protocol';
import { INTENTS_FILE, openFile, roots } from './roots';
import type { Server } from './server';
import { ago, changeLabel, deed, icon, lines } from './text';

const MAX_RECORDS = 50;
const MAX_WIDTH = 3; // of a number that is written with leading zeros

export async function selectIntent(server: Server): Promise<void> {
  const { intents } = await server.run('intent.listIntents');
  if (intents.length === 0) {
    await createIntent(server);
    return;
  }
  const item = (intent: Intent) => ({
    label: `$(${symbol(server, intent)}) ${intent.id}  ${intent.name}`,
    description: intent.status,
    detail: intent.owned_scope.join('  ') || 'the whole workspace',
    intent,
  });
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, intent: undefined });
  const open = [...groups(intents.filter((intent) => intent.open))].flatMap(([root, group]) => {
    const name = server.roots.find((state) => state.root === root)?.name;
    return [...(name === undefined ? [] : [separator(name)]), ...group.map(item)];
  });
  const closed = intents.filter((intent) => !intent.open).map(item);
  const items = [...open, ...(closed.length > 0 ? [separator('Closed'), ...closed] : [])];
  const options = { title: 'Select an Intent to Work Under', matchOnDescription: true, matchOnDetail: true };
  const pick = await vscode.window.showQuickPick(items, options);
  if (pick?.intent) await activateIntent(server, pick.intent);
}

/** The intents by root; all under undefined where there is one root. */
function groups(intents: Intent[]): Map<string | undefined, Intent[]> {
  const byRoot = new Map<string | undefined, Intent[]>();
  for (const intent of intents) byRoot.set(intent.root, [...(byRoot.get(intent.root) ?? []), intent]);
  return byRoot;
}

function symbol(server: Server, { id, root, open }: Intent): string {
  const state = server.roots.find((candidate) => root === undefined || candidate.root === root);
  return state?.intent_id === id ? 'target' : open ? 'circle-large-outline' : 'circle-slash';
}

export async function activateIntent(server: Server, { id, root }: Pick<Intent, 'id' | 'root'>): Promise<void> {
  await server.run('intent.selectActiveIntent', { intent_id: id, ...(root === undefined ? {} : { root }) });
  server.refresh();
}

export async function clearIntent(server: Server): Promise<void> {
  await server.run('intent.clearActiveIntent');
  server.refresh();
}

/**
 * Write a new intent's first lines where the intents are declared; the user fills them in and saves.
 *
 * In a folder without intents the server adds what git has to know of them.
 */
export async function createIntent(server: Server): Promise<void> {
  const current = vscode.window.activeTextEditor?.document.uri;
  const own = server.rootOf(current)?.root;
  const folder = own === undefined ? (await roots())[0] : vscode.Uri.file(own);
  const target = folder ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  if (target === undefined) throw new Error('Open a folder first: intents belong to a workspace.');
  const ids = server.state === 'running' ? (await server.run('intent.listIntents')).intents.map(({ id }) => id) : [];
  const file = vscode.Uri.joinPath(target, INTENTS_FILE);
  const isFirst = !(await roots()).some(({ path }) => path === target.path);
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
    `${indent}- id: \${1:${nextId(ids)}}`,
    `${indent}  name: \${2:What this work is for}`,
    `${indent}  status: \${3|IN_PROGRESS,PLANNED|}`,
    `${indent}  owned_scope: ["\${4:${scopeAround(target, current)}}"]`,
    '',
  ];
  await editor.insertSnippet(new vscode.SnippetString(lines.join('\n')), editor.document.positionAt(text.length + 1));
  if (isFirst && server.state === 'running') {
    await server.request('intentls/initFolder', { folder: server.uri(target) });
  }
}

/** The id after the highest, in the same form: INT-008 after INT-007 and INT-003. */
export function nextId(ids: string[]): string {
  const numbered = ids.flatMap((id) => {
    const match = /^(.*?)(\d+)$/.exec(id);
    return match ? [{ prefix: match[1] ?? '', digits: match[2] ?? '' }] : [];
  });
  const last = numbered.sort((one, other) => Number(other.digits) - Number(one.digits))[0];
  const { prefix, digits } = last ?? { prefix: 'INT-', digits: '0'.repeat(MAX_WIDTH) };
  return `${prefix}${String(Number(digits) + 1).padStart(digits.length, '0')}`;
}

/** The folder of the open file as a glob: `src/api/**`; `src/**` where none is open. */
function scopeAround(root: vscode.Uri, file: vscode.Uri | undefined): string {
  const path = file?.path ?? '';
  const inside = path.startsWith(`${root.path}/`) && !path.includes('/.orchestration/');
  const below = inside
    ? path
        .slice(root.path.length + 1)
        .split('/')
        .slice(0, -1)
        .join('/')
    : 'src';
  return below === '' ? '*' : `${below.replaceAll(/[\\*?[\]{}()!+@#]/g, '\\\\$&')}/**`;
}

/** The file that a person means: the one that was clicked, the notebook or the text that is open. */
function subject(file: vscode.Uri | undefined): vscode.Uri | undefined {
  const uri = file ?? vscode.window.activeTextEditor?.document.uri ?? vscode.window.activeNotebookEditor?.notebook.uri;
  // a cell of a notebook has the notebook's path
  return uri?.scheme === 'vscode-notebook-cell' ? vscode.Uri.file(uri.path) : uri;
}

export async function showTrace(server: Server, file?: vscode.Uri): Promise<void> {
  const uri = subject(file);
  if (uri?.scheme !== 'file') throw new Error('Open a file first: its history is what is shown.');
  const name = vscode.workspace.asRelativePath(uri);
  const root = server.rootOf(uri)?.root;
  const { entries } = await server.run('intent.queryTrace', {
    path: uri.toString(),
    limit: MAX_RECORDS,
    ...(root === undefined ? {} : { root }),
  });
  if (entries.length === 0) {
    void vscode.window.showInformationMessage(`Nothing is on record for ${name}.`);
    return;
  }
  const names = namesOf(entries, uri);
  const isShown = (entry: FileEntry) => names.has(entry.path);
  const pick = await vscode.window.showQuickPick(
    entries.flatMap((record) => record.files.filter(isShown).map((entry) => recordItem(record, entry))),
    {
      title: `History of ${name}`,
      placeHolder: 'Who changed it, and under which intent; newest first',
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  if (pick) await showChange(server, pick.record, pick.entry, root);
}

/** The names that the file has in these records: its own, and those that it had before. */
function namesOf(entries: LedgerRecord[], uri: vscode.Uri): Set<string> {
  const files = entries.flatMap((record) => record.files);
  const names = new Set(files.map(({ path }) => path).filter((path) => uri.path.endsWith(`/${path}`)));
  for (const { path, old_path } of files) {
    if (names.has(path) && old_path !== undefined) names.add(old_path);
  }
  // nothing is on record under this name: the server has found the name before it
  return names.size > 0 ? names : new Set(files.map(({ path }) => path));
}

function recordItem(record: LedgerRecord, entry: FileEntry) {
  const facts = [lines(entry), deed(record), record.error].filter((fact) => fact);
  return {
    label: `$(${icon(record, entry)}) ${record.intent_id}  ${changeLabel(record, entry)}`,
    description: ago(record.timestamp),
    detail: facts.join(' · '),
    record,
    entry,
  };
}

/** Say why a change was refused, and offer to widen the scope if that was the reason. */
export async function showRefusal(server: Server, record: LedgerRecord, file: FileEntry, root: string): Promise<void> {
  const add = `Add to ${record.intent_id}'s Scope`;
  const actions = record.code === 'SCOPE_VIOLATION' ? [add] : [];
  const text = `${file.path}: ${changeLabel(record, file)}. ${record.error ?? ''}`;
  if ((await vscode.window.showInformationMessage(text, ...actions)) === add) {
    await addToScope(server, record, file, root);
  }
}

export async function addToScope(server: Server, record: LedgerRecord, file: FileEntry, root: string): Promise<void> {
  const reason = 'added in the editor after a refusal';
  await server.run('intent.expandScope', { intent_id: record.intent_id, root, path: file.path, reason });
  server.refresh();
}

/** Open the declared file that is broken, at the line; the first one that is if none is named. */
export async function showProblem(server: Server, state?: RootState): Promise<void> {
  const broken = state ?? server.roots.find((root) => root.problem !== null);
  if (broken?.problem?.path) await openFile(broken.problem.path, broken.problem.line, broken.root);
  else if (broken) void vscode.window.showWarningMessage(broken.text);
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
