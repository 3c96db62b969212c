/** The part of `vscode-languageclient` that the extension uses: clients that a test starts, fails and kills. */

export enum State {
  Stopped = 1,
  Running = 2,
  Starting = 3,
}

export enum RevealOutputChannelOn {
  Never = 4,
}

type Handler = (params: unknown) => unknown;

interface ClientOptions {
  initializationOptions: Record<string, boolean>;
  middleware: {
    executeCommand: (command: string, args: unknown[], next: () => unknown) => Promise<unknown>;
    provideCodeLenses: (document: object, token: null, next: () => unknown) => Promise<unknown>;
  };
}

/** What the servers of this test do. */
export const servers = {
  clients: [] as LanguageClient[],
  /** How a server starts. */
  start: (): Promise<void> => Promise.resolve(),
  /** What a command of the server answers. */
  answer: (command: string): unknown => ({ status: 'error', error: `${command} is not expected here` }),
  /** What a request of our own answers. */
  own: (() => null) as (method: string, params: object) => unknown,
};

export function resetServers(): void {
  servers.clients = [];
  servers.start = () => Promise.resolve();
  servers.answer = (command) => ({ status: 'error', error: `${command} is not expected here` });
  servers.own = () => null;
}

export class LanguageClient {
  readonly handlers = new Map<string, Handler>();
  readonly requests: { command: string; arguments: unknown[] }[] = [];
  readonly notifications: [string, unknown][] = [];
  readonly code2ProtocolConverter = {
    asDiagnosticsSync: (diagnostics: object[]) => diagnostics,
    asUri: String,
  };
  disposed = false;
  private stateListener: (event: { newState: State }) => void = () => undefined;

  constructor(
    _id: string,
    _name: string,
    readonly run: { command: string; args: string[] },
    readonly options: ClientOptions,
  ) {
    servers.clients.push(this);
  }

  start(): Promise<void> {
    return servers.start();
  }

  onDidChangeState(listener: (event: { newState: State }) => void): void {
    this.stateListener = listener;
  }

  /** The connection came or went. */
  enter(newState: State): void {
    this.stateListener({ newState });
  }

  onNotification(method: string, handler: Handler): void {
    this.handlers.set(method, handler);
  }

  onRequest(method: string, handler: Handler): void {
    this.handlers.set(method, handler);
  }

  sendRequest(method: string, params: { command: string; arguments: unknown[] }): Promise<unknown> {
    if (method !== 'workspace/executeCommand') return Promise.resolve(servers.own(method, params));
    this.requests.push(params);
    return Promise.resolve(servers.answer(params.command));
  }

  sendNotification(method: string, params: unknown): Promise<void> {
    this.notifications.push([method, params]);
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    this.disposed = true;
    return Promise.resolve();
  }
}
