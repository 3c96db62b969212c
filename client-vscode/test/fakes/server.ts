/** A running server that answers each command as the test says. */

import type { CommandId, Commands, RootState } from '../../src/protocol';
import type { Server, State } from '../../src/server';
import { rootState } from './data';
import { EventEmitter, logChannel, type Uri } from './vscode';

/** As much of an answer as a test is about. */
type Part<Id extends CommandId> = Partial<Commands[Id]['answer']>;

type Answers = {
  [Id in CommandId]?: (argument: Commands[Id]['argument']) => Part<Id> | Promise<Part<Id>>;
};

export class FakeServer {
  state: State = 'running';
  roots: RootState[] = [rootState()];
  /** The answers to requests of our own, by method. */
  readonly own: Record<string, (params: unknown) => unknown> = {};
  readonly calls: [CommandId, unknown][] = [];
  readonly requests: [string, unknown][] = [];
  refreshed = 0;
  readonly log = logChannel();
  private readonly emitter = new EventEmitter<undefined>();
  readonly changed = this.emitter.event;

  constructor(readonly answers: Answers = {}) {}

  /** As the classes under test take it. */
  get typed(): Server {
    return this as unknown as Server;
  }

  run<Id extends CommandId>(command: Id, argument: Commands[Id]['argument']): Promise<Part<Id>> {
    this.calls.push([command, argument]);
    const answer = this.answers[command];
    if (answer === undefined) return Promise.reject(new Error(`${command} is refused`));
    return Promise.resolve(answer(argument));
  }

  rootOf(uri?: Uri): RootState | undefined {
    return this.roots.find(({ root }) => uri?.path.startsWith(`${root}/`)) ?? this.roots[0];
  }

  request(method: string, params: unknown): Promise<unknown> {
    this.requests.push([method, params]);
    return Promise.resolve(this.own[method]?.(params));
  }

  uri(uri: Uri): string {
    return uri.toString();
  }

  fire(): void {
    this.emitter.fire(undefined);
  }

  refresh(): void {
    this.refreshed += 1;
  }

  toProtocol(diagnostics: object[]): object[] {
    return diagnostics;
  }
}
