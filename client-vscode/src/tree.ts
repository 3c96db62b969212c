/** The view "Intents": questions, each root, its intents with their files and changes, and who works elsewhere. */

import * as vscode from 'vscode';
import type { FileEntry, LedgerRecord } from './ledgerRecord';
import type { Intent, RootState, SessionElsewhere } from './protocol';
import { asker, type Question, subject } from './question';
import { type Questions, sentence } from './questions';
import { findFile } from './roots';
import type { Server } from './server';
import { ago, changeLabel, deed, definitions, icon, lines, outcome } from './text';

export type Node =
  | { kind: 'questions' }
  | { kind: 'question'; question: Question }
  | { kind: 'root'; state: RootState }
  | { kind: 'notice'; state: RootState }
  | { kind: 'intent'; intent: Intent; root: string; active: boolean }
  | { kind: 'file'; path: string; root: string; uri: vscode.Uri | undefined; changes: [LedgerRecord, FileEntry][] }
  | { kind: 'change'; record: LedgerRecord; file: FileEntry; root: string }
  | { kind: 'elsewhere'; state: RootState }
  | { kind: 'session'; session: SessionElsewhere; root: string }
  | { kind: 'heldFile'; path: string; session: SessionElsewhere; root: string; uri: vscode.Uri | undefined };

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
const MAX_RECORDS = 200;

export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changedEmitter = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changedEmitter.event;
  private readonly view = vscode.window.createTreeView('intentls.intents', { treeDataProvider: this });
  private readonly shownAgain = this.view.onDidChangeVisibility(({ visible }) => {
    if (visible) this.changedEmitter.fire(); // "2 minutes ago" is older by now
  });

  constructor(
    private readonly server: Server,
    private readonly questions: Questions,
  ) {}

  update(): void {
    const count = this.questions.open.length;
    this.view.badge = count > 0 ? { value: count, tooltip: `${count} waiting for your answer` } : undefined;
    this.changedEmitter.fire();
  }

  dispose(): void {
    this.shownAgain.dispose();
    this.changedEmitter.dispose();
    this.view.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return this.top();
    if (node.kind === 'questions') return this.questions.open.map((question) => ({ kind: 'question', question }));
    if (node.kind === 'root') return this.intents(node.state);
    if (node.kind === 'intent') return this.files(node.intent.id, node.root);
    if (node.kind === 'elsewhere') return sessions(node.state);
    if (node.kind === 'session') return heldFiles(node.session, node.root);
    if (node.kind === 'file')
      return node.changes.map(([record, file]) => ({ kind: 'change', record, file, root: node.root }));
    return [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'questions':
        return item('Waiting for your answer', Expanded, {
          id: 'questions',
          iconPath: new vscode.ThemeIcon('bell-dot'),
        });
      case 'question':
        return questionItem(node, node.question);
      case 'root':
        return rootItem(node.state);
      case 'notice':
        return noticeItem(node.state);
      case 'intent':
        return intentItem(node.intent, node.root, node.active);
      case 'file':
        return fileItem(node.path, node.uri, node.changes);
      case 'change':
        return changeItem(node);
      case 'elsewhere':
        return elsewhereItem(node.state);
      case 'session':
        return sessionItem(node.session, node.root);
      case 'heldFile':
        return heldFileItem(node.path, node.session, node.uri);
    }
  }

  private async top(): Promise<Node[]> {
    if (this.server.state !== 'running') return [];
    const governed = this.server.roots.filter(({ state }) => state !== 'ungoverned');
    const [only, ...others] = governed;
    const nodes =
      only !== undefined && others.length === 0
        ? await this.intents(only)
        : governed.map((state): Node => ({ kind: 'root', state }));
    return this.questions.open.length > 0 ? [{ kind: 'questions' }, ...nodes] : nodes;
  }

  private async intents(state: RootState): Promise<Node[]> {
    if (state.state === 'undeclared' && this.server.roots.length === 1) return []; // the view's own welcome text
    const { intents: all } = await this.server.run('intent.listIntents');
    const intents = all.filter(({ root }) => root === undefined || root === state.root);
    const ordered = [...intents.filter((intent) => intent.open), ...intents.filter((intent) => !intent.open)];
    const nodes = ordered.map((intent): Node => {
      return { kind: 'intent', intent, root: state.root, active: intent.id === state.intent_id };
    });
    const { sessions: others = [], trouble } = state.elsewhere ?? {};
    if (others.length > 0 || trouble) nodes.push({ kind: 'elsewhere', state });
    return state.state === 'active' || state.state === 'idle' ? nodes : [{ kind: 'notice', state }, ...nodes];
  }

  private async files(intent_id: string, root: string): Promise<Node[]> {
    const { entries } = await this.server.run('intent.queryTrace', { intent_id, root, limit: MAX_RECORDS });
    const byPath = new Map<string, [LedgerRecord, FileEntry][]>();
    for (const record of entries) {
      for (const file of record.files) byPath.set(file.path, [...(byPath.get(file.path) ?? []), [record, file]]);
    }
    const nodes = [...byPath].map(async ([path, changes]): Promise<Node> => ({
      kind: 'file',
      path,
      root,
      uri: await findFile(path, root),
      changes,
    }));
    return Promise.all(nodes);
  }
}

function sessions({ elsewhere, root }: RootState): Node[] {
  return (elsewhere?.sessions ?? []).map((session) => ({ kind: 'session', session, root }));
}

function heldFiles(session: SessionElsewhere, root: string): Promise<Node[]> {
  const nodes = session.paths.map(async (path): Promise<Node> => {
    return { kind: 'heldFile', path, session, root, uri: await findFile(path, root) };
  });
  return Promise.all(nodes);
}

/** An item that a screen reader reads as its label and description, not as its tooltip. */
function item(label: string, state: vscode.TreeItemCollapsibleState, more: Partial<vscode.TreeItem>): vscode.TreeItem {
  const description = typeof more.description === 'string' && more.description ? `, ${more.description}` : '';
  const accessibilityInformation = { label: `${label}${description}` };
  return Object.assign(new vscode.TreeItem(label, state), { accessibilityInformation }, more);
}

function questionItem(node: Node, question: Question): vscode.TreeItem {
  return item(subject(question), None, {
    id: question.id,
    description: `${asker(question)} · ${question.intent_id ?? 'no intent'}`,
    tooltip: sentence(question),
    iconPath: new vscode.ThemeIcon('question', new vscode.ThemeColor('notificationsWarningIcon.foreground')),
    contextValue: question.actions.includes('Expand scope') ? 'question.expandable' : 'question',
    command: { command: 'intentls.showChanges', title: 'Show Changes', arguments: [node] },
  });
}

function rootItem(state: RootState): vscode.TreeItem {
  const broken = state.state === 'broken';
  return item(state.name, Expanded, {
    id: state.root,
    description: state.intent_id ?? (broken ? 'agents blocked' : 'no intent'),
    tooltip: `${state.root}\n${state.text}`,
    iconPath: new vscode.ThemeIcon(broken ? 'error' : 'root-folder'),
    contextValue: 'root',
  });
}

function noticeItem(state: RootState): vscode.TreeItem {
  const color = new vscode.ThemeColor(state.blocked ? 'errorForeground' : 'notificationsWarningIcon.foreground');
  const show = { command: 'intentls.showProblem', title: 'Show', arguments: [state] };
  const [label = state.text, ...more] = state.text.split('. ');
  const place = state.problem?.path ? `line ${state.problem.line} of ${state.problem.path.split('/').at(-1)}` : '';
  return item(label.replace(/\.$/, ''), None, {
    id: `${state.root} notice`,
    description: place || more.join('. '),
    tooltip: state.text,
    iconPath: new vscode.ThemeIcon(state.blocked ? 'error' : 'warning', color),
    ...(state.problem ? { command: show } : {}),
  });
}

function intentItem(intent: Intent, root: string, active: boolean): vscode.TreeItem {
  const color = active ? new vscode.ThemeColor('charts.green') : undefined;
  const symbol = active ? 'target' : intent.open ? 'circle-large-outline' : 'circle-slash';
  return item(`${intent.id}  ${intent.name}`, active ? Expanded : Collapsed, {
    id: `${root} ${intent.id}${active ? ' active' : ''}`, // a different id, so that it unfolds when it becomes active
    description: active ? `${intent.status} · active` : intent.status,
    tooltip: `${intent.name}\n${intent.owned_scope.join('\n') || 'the whole workspace'}`,
    iconPath: new vscode.ThemeIcon(symbol, color),
    contextValue: active ? 'intent.active' : 'intent',
  });
}

function fileItem(path: string, uri: vscode.Uri | undefined, changes: [LedgerRecord, FileEntry][]): vscode.TreeItem {
  const [latest] = changes;
  const neverCreated = changes.every(([record]) => !record.success); // it was to be created, and that was refused
  const gone = neverCreated ? `${path}\nwas never created: it was refused` : `${path}\nis not there any more`;
  return item(path, Collapsed, {
    ...(uri
      ? { resourceUri: uri, iconPath: vscode.ThemeIcon.File }
      : { iconPath: new vscode.ThemeIcon(neverCreated ? 'circle-slash' : 'trash'), tooltip: gone }),
    description: latest ? `${outcome(...latest)} ${ago(latest[0].timestamp)}` : '',
    contextValue: uri ? 'file' : 'gone',
    ...(uri ? { command: { command: 'vscode.open', title: 'Open', arguments: [uri] } } : {}),
  });
}

function changeItem(node: Node & { kind: 'change' }): vscode.TreeItem {
  const { record, file } = node;
  const refusedByScope = !record.success && record.code === 'SCOPE_VIOLATION';
  return item(changeLabel(record, file), None, {
    description: [definitions(file), lines(file), ago(record.timestamp)].filter((part) => part).join(' · '),
    tooltip: [deed(record), record.error, new Date(record.timestamp).toLocaleString()]
      .filter((part) => part)
      .join('\n'),
    iconPath: new vscode.ThemeIcon(icon(record, file)),
    contextValue: refusedByScope ? 'change.outOfScope' : 'change',
    command: record.success
      ? { command: 'intentls.openChange', title: 'Open', arguments: [node] }
      : { command: 'intentls.showRefusal', title: 'Show', arguments: [node] },
  });
}

function elsewhereItem({ root, elsewhere }: RootState): vscode.TreeItem {
  const { sessions: others = [], trouble } = elsewhere ?? {};
  if (trouble) {
    return item("Other machines can't be asked", None, {
      id: `${root} elsewhere`,
      tooltip: trouble,
      iconPath: new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('notificationsWarningIcon.foreground')),
    });
  }
  const machines = new Set(others.map(({ host }) => host)).size;
  return item('On other machines', Expanded, {
    id: `${root} elsewhere`,
    description: `${others.length} at work on ${machines} ${machines === 1 ? 'machine' : 'machines'}`,
    iconPath: new vscode.ThemeIcon('remote'),
  });
}

function sessionItem(session: SessionElsewhere, root: string): vscode.TreeItem {
  const { session_id, intent_id, person, host, branch, since, paths } = session;
  return item(`${person || session_id} on ${host}`, paths.length > 0 ? Expanded : None, {
    id: `${root} elsewhere ${host} ${session_id}${paths.length > 0 ? ' changing' : ''}`, // so that it unfolds
    description: [intent_id ?? 'no intent', branch, ago(since)].filter((part) => part).join(' · '),
    tooltip: [
      `${person ? `${person}, ` : ''}session ${session_id}`,
      `on ${host}${branch ? `, branch ${branch}` : ''}`,
      `under ${intent_id ?? 'no intent'} since ${new Date(since).toLocaleString()}`,
    ].join('\n'),
    iconPath: new vscode.ThemeIcon('account'),
  });
}

function heldFileItem(path: string, session: SessionElsewhere, uri: vscode.Uri | undefined): vscode.TreeItem {
  const tooltip = `${path}\nis being changed by ${session.person || session.session_id} on ${session.host}`;
  return item(path, None, {
    ...(uri ? { resourceUri: uri, command: { command: 'vscode.open', title: 'Open', arguments: [uri] } } : {}),
    iconPath: uri ? vscode.ThemeIcon.File : new vscode.ThemeIcon('file'),
    description: 'is being changed',
    tooltip,
  });
}
