/** The server process and the connection to it: start it, restart it (one restart at a time), run its commands. */

import * as vscode from 'vscode';
import {
  LanguageClient,
  type Middleware,
  RevealOutputChannelOn,
  State as ClientState,
} from 'vscode-languageclient/node';
import type { Answer, CommandId, Commands } from './protocol';
import { SAFE_FOLDER, serverCommand } from './serverCommand';

export type State = 'starting' | 'running' | 'failed';

/** The server's settings; sent whole each time, since what is missing falls back to its default. */
function options(): Record<string, boolean> {
  const settings = vscode.workspace.getConfiguration('intentls');
  return {
    trusted: vscode.workspace.isTrusted && settings.get('trusted', true),
    codeLens: settings.get('codeLens', true),
    inlayHints: settings.get('inlayHints', false),
    proposals: true,
  };
}

export class Server implements vscode.Disposable {
  state: State = 'starting';
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
    const answer = await this.client.sendRequest<Answer<Id>>('workspace/executeCommand', params);
    if (answer.status === 'error') throw new Error(answer.error);
    return answer;
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
        if (request === this.requests) void this.showFailure(error);
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
    void vscode.commands.executeCommand('setContext', 'intentls.state', state);
    this.changedEmitter.fire();
  }

  private async showFailure(error: unknown): Promise<void> {
    const sentence = error instanceof Error ? error.message : String(error);
    const pick = await vscode.window.showErrorMessage(sentence, 'Restart', 'Show Log', 'Open Settings');
    if (pick === 'Restart') await this.restart();
    if (pick === 'Show Log') this.log.show();
    if (pick === 'Open Settings')
      await vscode.commands.executeCommand('workbench.action.openSettings', 'intentls.server.path');
  }
}
