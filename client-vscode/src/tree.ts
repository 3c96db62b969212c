/** The view "Intents": what waits for approval, each intent, its files, their latest changes. */

import * as vscode from 'vscode';
import type { Approval, Approvals } from './approvals';
import type { FileEntry, LedgerRecord } from './ledgerRecord';
import type { Intent } from './protocol';
import { findFile } from './roots';
import type { Server } from './server';
import { ago, changeLabel, firstLine, icon, lines, outcome } from './text';

export type Node =
  | { kind: 'queue' }
  | { kind: 'approval'; approval: Approval }
  | { kind: 'intent'; intent: Intent; active: boolean }
  | { kind: 'file'; path: string; uri: vscode.Uri | undefined; changes: [LedgerRecord, FileEntry][] }
  | { kind: 'change'; record: LedgerRecord; file: FileEntry };

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
const MAX_RECORDS = 200;

export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changedEmitter = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changedEmitter.event;
  private readonly view = vscode.window.createTreeView('intentls.intents', { treeDataProvider: this });

  constructor(
    private readonly server: Server,
    private readonly approvals: Approvals,
  ) {}

  update(): void {
    const count = this.approvals.pending.size;
    this.view.badge = count > 0 ? { value: count, tooltip: `${count} waiting for your approval` } : undefined;
    this.changedEmitter.fire();
  }

  dispose(): void {
    this.changedEmitter.dispose();
    this.view.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return this.intents();
    if (node.kind === 'queue')
      return [...this.approvals.pending.values()].map((approval) => ({ kind: 'approval', approval }));
    if (node.kind === 'intent') return this.files(node.intent.id);
    if (node.kind === 'file') return node.changes.map(([record, file]) => ({ kind: 'change', record, file }));
    return [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'queue':
        return item('Waiting for approval', Expanded, { id: 'queue', iconPath: new vscode.ThemeIcon('bell-dot') });
      case 'approval':
        return approvalItem(node, node.approval);
      case 'intent':
        return intentItem(node.intent, node.active);
      case 'file':
        return fileItem(node.path, node.uri, node.changes);
      case 'change':
        return changeItem(node.record, node.file);
    }
  }

  private async intents(): Promise<Node[]> {
    if (this.server.state !== 'running') return [];
    const { intents } = await this.server.run('intent.listIntents');
    const { intent_id: active } = await this.server.run('intent.getActiveIntent');
    const ordered = [...intents.filter((intent) => intent.open), ...intents.filter((intent) => !intent.open)];
    const nodes = ordered.map((intent): Node => ({ kind: 'intent', intent, active: intent.id === active }));
    return this.approvals.pending.size > 0 ? [{ kind: 'queue' }, ...nodes] : nodes;
  }

  private async files(intent_id: string): Promise<Node[]> {
    const { entries } = await this.server.run('intent.queryTrace', { intent_id, limit: MAX_RECORDS });
    const byPath = new Map<string, [LedgerRecord, FileEntry][]>();
    for (const record of entries) {
      for (const file of record.files) byPath.set(file.path, [...(byPath.get(file.path) ?? []), [record, file]]);
    }
    const nodes = [...byPath].map(async ([path, changes]): Promise<Node> => ({
      kind: 'file',
      path,
      uri: await findFile(path),
      changes,
    }));
    return Promise.all(nodes);
  }
}

function item(label: string, state: vscode.TreeItemCollapsibleState, more: Partial<vscode.TreeItem>): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label, state), more);
}

function approvalItem(node: Node, approval: Approval): vscode.TreeItem {
  const { paths, intent_id, tool_name, error } = approval.proposal;
  return item(paths.join(', ') || tool_name, None, {
    description: `${intent_id ?? 'no intent'} · ${tool_name}`,
    tooltip: error,
    iconPath: new vscode.ThemeIcon('question', new vscode.ThemeColor('notificationsWarningIcon.foreground')),
    contextValue: approval.choices.includes('Expand scope') ? 'approval.expandable' : 'approval',
    command: { command: 'intentls.showChanges', title: 'Show Changes', arguments: [node] },
  });
}

function intentItem(intent: Intent, active: boolean): vscode.TreeItem {
  const color = active ? new vscode.ThemeColor('charts.green') : undefined;
  const symbol = active ? 'target' : intent.open ? 'circle-large-outline' : 'circle-slash';
  return item(`${intent.id}  ${intent.name}`, active ? Expanded : Collapsed, {
    id: `${intent.id}${active ? ' active' : ''}`, // a different id, so that it unfolds when it becomes active
    description: active ? `${intent.status} · active` : intent.status,
    tooltip: `${intent.name}\n${intent.owned_scope.join('\n') || 'the whole workspace'}`,
    iconPath: new vscode.ThemeIcon(symbol, color),
    contextValue: active ? 'intent.active' : 'intent',
  });
}

function fileItem(path: string, uri: vscode.Uri | undefined, changes: [LedgerRecord, FileEntry][]): vscode.TreeItem {
  const [latest] = changes;
  const neverCreated = changes.every(([record]) => !record.success); // it was to be created, and that was refused
  return item(path, Collapsed, {
    ...(uri
      ? { resourceUri: uri, iconPath: vscode.ThemeIcon.File }
      : { iconPath: new vscode.ThemeIcon(neverCreated ? 'circle-slash' : 'trash') }),
    description: latest ? `${outcome(...latest)} ${ago(latest[0].timestamp)}` : '',
    contextValue: uri ? 'file' : 'gone',
    ...(uri ? { command: { command: 'vscode.open', title: 'Open', arguments: [uri] } } : {}),
  });
}

function changeItem(record: LedgerRecord, file: FileEntry): vscode.TreeItem {
  return item(changeLabel(record, file), None, {
    description: [lines(file), ago(record.timestamp)].filter((part) => part).join(' · '),
    tooltip: [record.tool_name, record.mutation_class, record.error, record.timestamp]
      .filter((part) => part)
      .join('\n'),
    iconPath: new vscode.ThemeIcon(icon(record, file)),
    command: { command: 'intentls.openChange', title: 'Open', arguments: [file.path, firstLine(file)] },
  });
}
