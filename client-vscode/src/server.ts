/** The server process and the connection to it: start it, restart it (one restart at a time), run its commands. */

import * as vscode from 'vscode';
import {
  LanguageClient,
  type Middleware,
  RevealOutputChannelOn,
  State as ClientState,
} from 'vscode-languageclient/node';
import type { Answer, CommandId, Commands, EditorState, RootState } from './protocol';
import { SAFE_FOLDER, serverCommand } from './serverCommand';

export type State = 'starting' | 'running' | 'failed';

/** The server's settings; sent whole each time, since what is missing falls back to its default. */
function options(): Record<string, boolean> {
  const settings = vscode.workspace.getConfiguration('intentls');
  return {
    trusted: vscode.workspace.isTrusted && settings.get('trusted', true),
    codeLens: settings.get('codeLens', true),
    inlayHints: settings.get('inlayHints', false),
    questions: true,
    states: true,
  };
}

export class Server implements vscode.Disposable {
  state: State = 'starting';
  /** The state of every root and folder, as the server last told it; none while it starts. */
  roots: RootState[] = [];
  /** Fires when views may be out of date: another state, another intent, another record. */
  private readonly changedEmitter = new vscode.EventEmitter<void>();
  readonly changed = this.changedEmitter.event;
  private client: LanguageClient | undefined;
  private requests = 0;
  private restarting: Promise<void> | undefined;
  private refreshTimer: NodeJS.Timeout | undefined;

  /** `prepare` sees each new client before it starts, to add what it answers. */
  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
    private readonly prepare: (client: LanguageClient) => void,
  ) {}

  /** The state of the deepest root that holds a file; of the first root where none does. */
  rootOf(uri: vscode.Uri | undefined): RootState | undefined {
    const path = uri?.scheme === 'file' ? uri.fsPath.replaceAll('\\', '/') : undefined;
    const around = this.roots.filter(({ root }) => path?.startsWith(`${root}/`));
    return around.sort((one, other) => other.root.length - one.root.length)[0] ?? this.roots[0];
  }

  /** Stop the server and start it again. Calls during a restart lead to one more restart, however many they are. */
  restart(): Promise<void> {
    this.requests += 1;
    this.restarting ??= this.replace().finally(() => {
      this.restarting = undefined;
    });
    return this.restarting;
  }

  /** Run a command of the server. Throws an Error with the sentence to show if it was refused or failed. */
  async run<Id extends CommandId>(command: Id, argument?: Commands[Id]['argument']): Promise<Commands[Id]['answer']> {
    if (this.client === undefined || this.state !== 'running') throw new Error('The intentls server does not run.');
    const params = { command, arguments: [argument ?? {}] };
    const answer = await this.request<Answer<Id>>('workspace/executeCommand', params);
    if (answer.status === 'error') throw new Error(answer.error);
    return answer;
  }

  /** A request of our own. Throws where the server does not run, or stops before it has answered. */
  async request<T>(method: string, params: object): Promise<T> {
    const client = this.client;
    if (client === undefined) throw new Error('The intentls server does not run.');
    try {
      return await client.sendRequest<T>(method, params);
    } catch (error) {
      if (client !== this.client || /disposed|got disposed/.test(String(error))) {
        throw new Error('The intentls server was stopped before it answered. Try again.', { cause: error });
      }
      throw error;
    }
  }

  /** A URI as the server knows it. */
  uri(uri: vscode.Uri): string {
    return this.client?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }

  /** Fire `changed`, once for many calls in a row. */
  refresh(): void {
    clearTimeout(this.refreshTimer);
    this.refreshTimer = setTimeout(() => this.changedEmitter.fire(), 250);
  }

  /** Diagnostics as LSP writes them. */
  toProtocol(diagnostics: vscode.Diagnostic[]): object[] {
    return this.client?.code2ProtocolConverter.asDiagnosticsSync(diagnostics) ?? [];
  }

  configure(): void {
    void this.client?.sendNotification('workspace/didChangeConfiguration', { settings: { intentls: options() } });
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch((error: unknown) => this.log.warn(`The server did not stop: ${String(error)}`));
  }

  dispose(): void {
    clearTimeout(this.refreshTimer);
    this.changedEmitter.dispose();
    void this.stop();
  }

  private async replace(): Promise<void> {
    let request: number;
    do {
      request = this.requests;
      this.enter('starting');
      await this.stop();
      try {
        await this.start();
        this.enter('running');
      } catch (error) {
        this.log.error(error instanceof Error ? error : String(error));
        this.enter('failed');
        if (request === this.requests) this.showFailure(error);
      }
    } while (request !== this.requests);
  }

  private async start(): Promise<void> {
    const launch = await serverCommand(this.context, this.log);
    if (launch === undefined) {
      throw new Error(
        'No Python 3.11 or newer was found to run intentls with. Install one, or name the program in the settings.',
      );
    }
    this.log.info(`Starting the server from ${launch.origin}`);
    const run = { command: launch.command, args: [...launch.args, 'serve'], options: { cwd: SAFE_FOLDER } };
    const middleware: Middleware = {
      // lenses, quick fixes, key bindings and other extensions run the server's commands through here
      executeCommand: async (command, args, next) => {
        try {
          return (await next(command, args)) as unknown;
        } finally {
          this.refresh();
        }
      },
      provideCodeLenses: async (document, token, next) => {
        const lenses = await next(document, token);
        for (const lens of lenses ?? []) {
          // a lens of the server that only names an intent and its authors
          if (lens.command?.command === '' && !document.uri.path.includes('/.orchestration/')) {
            lens.command = { ...lens.command, command: 'intentls.showTrace', arguments: [document.uri] };
          }
        }
        return lenses;
      },
    };
    const client = new LanguageClient('intentls', 'intentls', run, {
      documentSelector: [{ scheme: 'file' }],
      initializationOptions: options(),
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      middleware,
    });
    this.client = client;
    this.prepare(client);
    client.onNotification('intentls/stateChanged', ({ roots }: EditorState) => {
      if (client !== this.client) return;
      this.roots = roots;
      this.changedEmitter.fire();
    });
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client || this.restarting) return; // we stopped it ourselves
      // it died: the client library starts it again, within limits
      this.enter(
        newState === ClientState.Running ? 'running' : newState === ClientState.Starting ? 'starting' : 'failed',
      );
    });
    await client.start();
  }

  private enter(state: State): void {
    this.state = state;
    if (state !== 'running') this.roots = [];
    void vscode.commands.executeCommand('setContext', 'intentls.state', state);
    this.changedEmitter.fire();
  }

  /** A notification without buttons goes away by itself; the status bar and the view offer what can be done. */
  private showFailure(error: unknown): void {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}
