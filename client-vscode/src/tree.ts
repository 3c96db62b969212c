/** The view "Intents": what waits for approval, each intent, its files, their latest changes. */

import * as vscode from 'vscode';
import type { Gatekeeper, Waiting } from './gatekeeper';
import { fileAt } from './roots';
import type { Server } from './server';
import { ago, deed, firstLine, icon, lines, outcome } from './text';
import type { Entry, Intent, Session, TracedFile } from './wire';

export type Node =
  | { kind: 'queue' }
  | { kind: 'waiting'; waiting: Waiting }
  | { kind: 'intent'; intent: Intent; active: boolean }
  | { kind: 'file'; path: string; uri: vscode.Uri | undefined; changes: [Entry, TracedFile][] }
  | { kind: 'change'; entry: Entry; file: TracedFile };

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
const MOST_RECORDS = 200;

export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changedEmitter = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changedEmitter.event;
  private readonly view = vscode.window.createTreeView('intentls.intents', { treeDataProvider: this });

  constructor(
    private readonly server: Server,
    private readonly gatekeeper: Gatekeeper,
  ) {}

  update(): void {
    const count = this.gatekeeper.waiting.size;
    this.view.badge = count > 0 ? { value: count, tooltip: `${count} waiting for your approval` } : undefined;
    this.changedEmitter.fire();
  }

  dispose(): void {
    this.changedEmitter.dispose();
    this.view.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return this.top();
    if (node.kind === 'queue') return [...this.gatekeeper.waiting.values()].map((waiting) => ({ kind: 'waiting', waiting }));
    if (node.kind === 'intent') return this.files(node.intent.id);
    if (node.kind === 'file') return node.changes.map(([entry, file]) => ({ kind: 'change', entry, file }));
    return [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'queue':
        return item('Waiting for approval', Expanded, { id: 'queue', iconPath: new vscode.ThemeIcon('bell-dot') });
      case 'waiting':
        return waitingItem(node, node.waiting);
      case 'intent':
        return intentItem(node.intent, node.active);
      case 'file':
        return fileItem(node.path, node.uri, node.changes);
      case 'change':
        return changeItem(node.entry, node.file);
    }
  }

  private async top(): Promise<Node[]> {
    if (this.server.state !== 'running') return [];
    const { intents } = await this.server.run<{ intents: Intent[] }>('intent.listIntents');
    const { intent_id: active } = await this.server.run<Session>('intent.getActiveIntent');
    const ordered = [...intents.filter((each) => each.open), ...intents.filter((each) => !each.open)];
    const nodes = ordered.map((intent): Node => ({ kind: 'intent', intent, active: intent.id === active }));
    return this.gatekeeper.waiting.size > 0 ? [{ kind: 'queue' }, ...nodes] : nodes;
  }

  private async files(intent_id: string): Promise<Node[]> {
    const { entries } = await this.server.run<{ entries: Entry[] }>('intent.queryTrace', { intent_id, limit: MOST_RECORDS });
    const found = new Map<string, [Entry, TracedFile][]>();
    for (const entry of entries) {
      for (const file of entry.files) found.set(file.path, [...(found.get(file.path) ?? []), [entry, file]]);
    }
    const nodes = [...found].map(async ([path, changes]): Promise<Node> => ({ kind: 'file', path, uri: await fileAt(path), changes }));
    return Promise.all(nodes);
  }
}

function item(label: string, state: vscode.TreeItemCollapsibleState, more: Partial<vscode.TreeItem>): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label, state), more);
}

function waitingItem(node: Node, waiting: Waiting): vscode.TreeItem {
  const { paths, intent_id, tool_name, error } = waiting.proposal;
  return item(paths.join(', ') || tool_name, None, {
    description: `${intent_id ?? 'no intent'} · ${tool_name}`,
    tooltip: error,
    iconPath: new vscode.ThemeIcon('question', new vscode.ThemeColor('notificationsWarningIcon.foreground')),
    contextValue: waiting.offers.includes('Expand scope') ? 'waiting.expandable' : 'waiting',
    command: { command: 'intentls.showChanges', title: 'Show Changes', arguments: [node] },
  });
}

function intentItem(intent: Intent, active: boolean): vscode.TreeItem {
  const color = active ? new vscode.ThemeColor('charts.green') : undefined;
  const symbol = active ? 'target' : intent.open ? 'circle-large-outline' : 'circle-slash';
  return item(`${intent.id}  ${intent.name}`, active ? Expanded : Collapsed, {
    id: `${intent.id}${active ? ' active' : ''}`, // another id, so that it unfolds when it becomes active
    description: active ? `${intent.status} · active` : intent.status,
    tooltip: `${intent.name}\n${intent.owned_scope.join('\n') || 'the whole workspace'}`,
    iconPath: new vscode.ThemeIcon(symbol, color),
    contextValue: active ? 'intent.active' : 'intent',
  });
}

function fileItem(path: string, uri: vscode.Uri | undefined, changes: [Entry, TracedFile][]): vscode.TreeItem {
  const [latest] = changes;
  const never = changes.every(([entry]) => !entry.success); // it was to be created, and that was refused
  return item(path, Collapsed, {
    ...(uri ? { resourceUri: uri, iconPath: vscode.ThemeIcon.File } : { iconPath: new vscode.ThemeIcon(never ? 'circle-slash' : 'trash') }),
    description: latest ? `${outcome(...latest)} ${ago(latest[0].timestamp)}` : '',
    contextValue: uri ? 'file' : 'gone',
    ...(uri ? { command: { command: 'vscode.open', title: 'Open', arguments: [uri] } } : {}),
  });
}

function changeItem(entry: Entry, file: TracedFile): vscode.TreeItem {
  return item(deed(entry, file), None, {
    description: [lines(file), ago(entry.timestamp)].filter((part) => part).join(' · '),
    tooltip: [entry.tool_name, entry.mutation_class, entry.error, entry.timestamp].filter((part) => part).join('\n'),
    iconPath: new vscode.ThemeIcon(icon(entry, file)),
    command: { command: 'intentls.openChange', title: 'Open', arguments: [file.path, firstLine(file)] },
  });
}
