/** One entry of a file's history, as a diff where both contents are still to be had. */

import * as vscode from 'vscode';
import type { FileEntry, LedgerRecord } from './ledgerRecord';
import { openFile } from './roots';
import type { Server } from './server';
import { ago, changeLabel, firstLine } from './text';

const SCHEME = 'intentls-history';

interface RecordedContents {
  before?: string | null;
  after?: string | null;
}

const texts = new Map<string, string>();

export function registerHistory(): vscode.Disposable {
  const provideTextDocumentContent = (uri: vscode.Uri): string => texts.get(uri.toString()) ?? '';
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent });
}

/** Show the entry's change; where a content is not known any more, the file as it is at the first changed line. */
export async function showChange(
  server: Server,
  record: LedgerRecord,
  { path, ...entry }: FileEntry,
  root: string | undefined,
): Promise<void> {
  const title = `${path} (${changeLabel(record, { path, ...entry })}, ${ago(record.timestamp)})`;
  await showRecord(server, { id: record.id, path }, title, root, firstLine({ path, ...entry }));
}

/** The same of a file's entry that is known by its record's id and its path. */
export async function showRecord(
  server: Server,
  { id, path }: { id: string; path: string },
  title: string,
  root: string | undefined,
  line?: number,
): Promise<void> {
  const params = { id, path, ...(root === undefined ? {} : { root }) };
  const { before, after } = await server.request<RecordedContents>('intentls/recordedContents', params);
  if (before === undefined || after === undefined) {
    await openFile(path, line, root);
    return;
  }
  const side = (name: string, text: string | null): vscode.Uri => {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${path}`, query: `id=${id}&side=${name}` });
    texts.set(uri.toString(), text ?? '');
    return uri;
  };
  await vscode.commands.executeCommand('vscode.diff', side('before', before), side('after', after), title);
}
