/** The part of `vscode` that the extension uses, in memory. A test sets up `world` and looks at what came of it. */

import type * as vscode from 'vscode';

// -- values ---------------------------------------------------------------------------------------------------

export enum TreeItemCollapsibleState {
  None,
  Collapsed,
  Expanded,
}

export enum QuickPickItemKind {
  Separator = -1,
  Default = 0,
}

export enum StatusBarAlignment {
  Left = 1,
  Right,
}

export enum LanguageStatusSeverity {
  Information,
  Warning,
  Error,
}

export enum DiagnosticSeverity {
  Error,
  Warning,
  Information,
  Hint,
}

export enum DecorationRangeBehavior {
  OpenOpen,
}

export class Disposable {
  static from(...parts: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => parts.forEach((part) => part.dispose()));
  }

  constructor(private readonly release: () => void) {}

  dispose(): void {
    this.release();
  }
}

export class EventEmitter<T> {
  private readonly listeners = new Set<(event: T) => unknown>();

  readonly event = (listener: (event: T) => unknown): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };

  fire(event: T): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  dispose(): void {
    this.listeners.clear();
  }
}

export class Uri {
  static file(path: string): Uri {
    return new Uri('file', path);
  }

  static from({ scheme, path, query = '' }: { scheme: string; path: string; query?: string }): Uri {
    return new Uri(scheme, path, query);
  }

  static parse(text: string): Uri {
    return Uri.file(text.replace('file://', ''));
  }

  static joinPath(base: Uri, ...segments: string[]): Uri {
    const parts: string[] = [];
    for (const part of [base.path, ...segments].join('/').split('/')) {
      if (part === '..') parts.pop();
      else if (part) parts.push(part);
    }
    return new Uri(base.scheme, `/${parts.join('/')}`);
  }

  private constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query = '',
  ) {}

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return this.scheme === 'file' ? `file://${this.path}` : `${this.scheme}:${this.path}?${this.query}`;
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');

  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: TreeItemCollapsibleState,
  ) {}
}

export class SnippetString {
  constructor(readonly value: string) {}
}

export class Diagnostic {
  source?: string;
  code?: vscode.Diagnostic['code'];

  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: DiagnosticSeverity,
  ) {}
}

export class WorkspaceEdit {
  readonly created: Uri[] = [];

  createFile(uri: Uri): void {
    this.created.push(uri);
  }
}

// -- what a test sets and sees -----------------------------------------------------------------------------------

/** A notification; it stays open until the test answers it, with a button's title or with nothing. */
export interface Message {
  kind: 'information' | 'warning' | 'error';
  text: string;
  buttons: string[];
  answer: (button?: string) => void;
}

/** A list to choose from; it stays open until the test chooses an item or nothing. */
export interface Picker {
  title: string | undefined;
  items: vscode.QuickPickItem[];
  choose: (item?: vscode.QuickPickItem) => void;
}

/** An open text. */
export interface Document {
  uri: Uri;
  isDirty: boolean;
  text: string;
}

/** A tab; the last one is the active one. */
interface Tab {
  label: string;
}

/** An editor with a cursor, and what was shown at the end of its lines. */
interface Editor {
  document: { uri: Uri; lineAt(line: number): { range: Range } };
  selection: { active: { line: number } };
  setDecorations(type: unknown, decorations: { renderOptions: { after: { contentText: string } } }[]): void;
}

interface StatusBarItem {
  name?: string;
  text?: string;
  tooltip?: string;
  command?: vscode.Command;
  accessibilityInformation?: { label: string };
  backgroundColor?: ThemeColor | undefined;
  visible: boolean;
}

interface LanguageStatusItem {
  name?: string;
  text?: string;
  detail?: string;
  busy?: boolean;
  severity?: LanguageStatusSeverity;
  command?: vscode.Command;
}

function emptyWorld() {
  return {
    trusted: true,
    folders: [] as Uri[],
    settings: new Map<string, unknown>(),
    /** Paths of files. */
    files: [] as string[],
    documents: [] as Document[],
    activeDocument: undefined as Document | undefined,
    diagnostics: new Map<string, vscode.Diagnostic[]>(),
    pythonExtension: undefined as (() => unknown) | undefined,
    tabs: [] as Tab[],
    activeNotebook: undefined as Uri | undefined,
    activeEditor: undefined as Editor | undefined,
    /** By scheme: what gives the texts of documents that are in no file. */
    providers: new Map<string, { provideTextDocumentContent(uri: Uri): string }>(),
    messages: [] as Message[],
    pickers: [] as Picker[],
    /** Commands of VS Code that were run, with their arguments. */
    executed: [] as unknown[][],
    commands: new Map<string, (...args: unknown[]) => unknown>(),
    /** Files that were shown, and at which line (from 0). */
    shown: [] as { path: string; line: number | undefined }[],
    statusBar: { visible: false } as StatusBarItem,
    questionBar: { visible: false } as StatusBarItem,
    languageStatus: {} as LanguageStatusItem,
    tree: undefined as vscode.TreeDataProvider<unknown> | undefined,
    badge: undefined as vscode.ViewBadge | undefined,
    searches: 0,
    logged: [] as string[],
    logShown: 0,
  };
}

export const world = emptyWorld();

export const events = {
  diagnostics: new EventEmitter<{ uris: Uri[] }>(),
  opened: new EventEmitter<Document>(),
  saved: new EventEmitter<Document>(),
  closed: new EventEmitter<Document>(),
  folders: new EventEmitter<object>(),
  trusted: new EventEmitter<undefined>(),
  settings: new EventEmitter<{ affectsConfiguration(section: string): boolean }>(),
  fileChanged: new EventEmitter<Uri>(),
  fileCreated: new EventEmitter<Uri>(),
  fileDeleted: new EventEmitter<Uri>(),
  cursor: new EventEmitter<{ textEditor: Editor }>(),
  editor: new EventEmitter<Editor | undefined>(),
  tabs: new EventEmitter<undefined>(),
  visibility: new EventEmitter<{ visible: boolean }>(),
};

/** A new window: nothing is open, nothing was shown, nobody listens. */
export function reset(): void {
  Object.assign(world, emptyWorld());
  for (const emitter of Object.values(events)) emitter.dispose();
}

// -- the namespaces ----------------------------------------------------------------------------------------------

function message(kind: Message['kind']) {
  return (text: string, ...buttons: string[]): Promise<string | undefined> =>
    new Promise((resolve) => world.messages.push({ kind, text, buttons, answer: resolve }));
}

export const window = {
  showInformationMessage: message('information'),
  showWarningMessage: message('warning'),
  showErrorMessage: message('error'),
  showQuickPick: (items: vscode.QuickPickItem[], options?: vscode.QuickPickOptions) =>
    new Promise((resolve) => world.pickers.push({ title: options?.title, items, choose: resolve })),
  showTextDocument: (uri: Uri, options?: { selection?: Range }) => {
    world.shown.push({ path: uri.path, line: options?.selection?.start.line });
    const document = world.documents.find((candidate) => candidate.uri.path === uri.path);
    return Promise.resolve(document && editorOf(document));
  },
  get activeTextEditor() {
    return world.activeEditor ?? (world.activeDocument && { document: world.activeDocument });
  },
  get activeNotebookEditor() {
    return world.activeNotebook && { notebook: { uri: world.activeNotebook } };
  },
  createTextEditorDecorationType: () => new Disposable(() => undefined),
  onDidChangeTextEditorSelection: events.cursor.event,
  onDidChangeActiveTextEditor: events.editor.event,
  createOutputChannel: () => logChannel(),
  createStatusBarItem: (id: string) => {
    const bar = id === 'intentls.questions' ? world.questionBar : world.statusBar;
    return Object.assign(bar, {
      show: () => (bar.visible = true),
      hide: () => (bar.visible = false),
      dispose: () => undefined,
    });
  },
  createTreeView: (_id: string, options: vscode.TreeViewOptions<unknown>) => {
    world.tree = options.treeDataProvider;
    return {
      set badge(badge: vscode.ViewBadge | undefined) {
        world.badge = badge;
      },
      onDidChangeVisibility: events.visibility.event,
      dispose: () => undefined,
    };
  },
  tabGroups: {
    get all() {
      return [{ tabs: world.tabs }];
    },
    get activeTabGroup() {
      return { activeTab: world.tabs.at(-1) };
    },
    onDidChangeTabs: events.tabs.event,
    onDidChangeTabGroups: events.tabs.event,
    close: (tabs: unknown[]) => {
      world.tabs = world.tabs.filter((tab) => !tabs.includes(tab));
      return Promise.resolve(true);
    },
  },
};

export const workspace = {
  get isTrusted() {
    return world.trusted;
  },
  get workspaceFolders() {
    return world.folders.map((uri) => ({ uri }));
  },
  get textDocuments() {
    return world.documents;
  },
  getConfiguration: (section: string) => ({
    get: (name: string, fallback?: unknown) => world.settings.get(`${section}.${name}`) ?? fallback,
  }),
  asRelativePath: (uri: Uri) => world.folders.reduce((path, folder) => path.replace(`${folder.path}/`, ''), uri.path),
  findFiles: (pattern: string) => {
    world.searches += 1;
    const [folder = '', ending = ''] = pattern.replace('**/', '/').split('*');
    const fits = (path: string) => path.includes(folder) && path.endsWith(ending);
    return Promise.resolve(world.files.filter(fits).map((path) => Uri.file(path)));
  },
  fs: {
    stat: (uri: Uri) =>
      world.files.includes(uri.path) ? Promise.resolve({}) : Promise.reject(new Error(`no file ${uri.path}`)),
  },
  applyEdit: (edit: WorkspaceEdit) => {
    for (const uri of edit.created) {
      if (world.documents.every((document) => document.uri.path !== uri.path)) {
        world.documents.push({ uri, isDirty: false, text: '' });
      }
    }
    return Promise.resolve(true);
  },
  registerTextDocumentContentProvider: (scheme: string, provider: { provideTextDocumentContent(uri: Uri): string }) => {
    world.providers.set(scheme, provider);
    return new Disposable(() => world.providers.delete(scheme));
  },
  createFileSystemWatcher: () => ({
    onDidChange: events.fileChanged.event,
    onDidCreate: events.fileCreated.event,
    onDidDelete: events.fileDeleted.event,
    dispose: () => undefined,
  }),
  onDidChangeWorkspaceFolders: events.folders.event,
  onDidGrantWorkspaceTrust: events.trusted.event,
  onDidChangeConfiguration: events.settings.event,
  onDidOpenTextDocument: events.opened.event,
  onDidSaveTextDocument: events.saved.event,
  onDidCloseTextDocument: events.closed.event,
};

export const languages = {
  getDiagnostics: (uri: Uri) => world.diagnostics.get(uri.toString()) ?? [],
  onDidChangeDiagnostics: events.diagnostics.event,
  createLanguageStatusItem: () => Object.assign(world.languageStatus, { dispose: () => undefined }),
};

export const commands = {
  executeCommand: (...call: unknown[]) => {
    world.executed.push(call);
    return Promise.resolve();
  },
  registerCommand: (id: string, run: (...args: unknown[]) => unknown) => {
    world.commands.set(id, run);
    return new Disposable(() => world.commands.delete(id));
  },
};

export const extensions = {
  getExtension: () => world.pythonExtension && { activate: () => Promise.resolve().then(world.pythonExtension) },
};

export function logChannel() {
  const log = (line: unknown) => world.logged.push(String(line));
  return { info: log, warn: log, error: log, show: () => (world.logShown += 1), dispose: () => undefined };
}

/** An editor that inserts: a snippet's placeholders are left as they are written. */
function editorOf(document: Document) {
  const insert = (text: string) => {
    document.text += text;
  };
  return {
    document: {
      getText: () => document.text,
      positionAt: (offset: number) => new Position(0, offset),
    },
    edit: (change: (builder: { insert(position: Position, text: string): void }) => void) => {
      change({ insert: (_position, text) => insert(text) });
      return Promise.resolve(true);
    },
    insertSnippet: (snippet: SnippetString) => {
      insert(snippet.value);
      return Promise.resolve(true);
    },
  };
}
