/** Where a root-relative path of an answer lies: answers name no root, and a workspace may hold several. */

import * as vscode from 'vscode';

export const INTENTS_FILE = '.orchestration/active_intents.yaml';

let cache: Promise<vscode.Uri[]> | undefined;

/** The folders that hold intents, the shortest path first. */
export function roots(): Promise<vscode.Uri[]> {
  cache ??= search();
  return cache;
}

/** Roots came or went. */
export function forgetRoots(): void {
  cache = undefined;
}

async function search(): Promise<vscode.Uri[]> {
  const left = '**/{node_modules,.venv}/**';
  const lists = await vscode.workspace.findFiles(`**/${INTENTS_FILE}`, left, 50);
  const single = await vscode.workspace.findFiles('**/.orchestration/intents/*.yaml', left, 500);
  const folders = [
    ...lists.map((file) => vscode.Uri.joinPath(file, '..', '..')),
    ...single.map((file) => vscode.Uri.joinPath(file, '..', '..', '..')),
  ];
  const unique = new Map(folders.map((folder) => [folder.path, folder]));
  return [...unique.values()].sort((one, other) => one.path.length - other.path.length);
}

/** The file that `path` names in `root` (a folder's path), else in the first root that has it; undefined if none has. */
export async function findFile(path: string, root?: string): Promise<vscode.Uri | undefined> {
  const folders = root === undefined ? await roots() : [vscode.Uri.file(root)];
  for (const folder of folders) {
    const file = vscode.Uri.joinPath(folder, path);
    try {
      await vscode.workspace.fs.stat(file);
      return file;
    } catch {
      continue; // not in this one
    }
  }
  return undefined;
}

/** Open a file, at `line` (from 1) if there is one; tell the user if the file is gone. */
export async function openFile(path: string, line?: number, root?: string): Promise<void> {
  const file = await findFile(path, root);
  if (file === undefined) {
    void vscode.window.showInformationMessage(`There is no file ${path} now.`);
    return;
  }
  const start = new vscode.Position(Math.max((line ?? 1) - 1, 0), 0);
  await vscode.window.showTextDocument(file, line === undefined ? {} : { selection: new vscode.Range(start, start) });
}
