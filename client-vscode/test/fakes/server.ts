/** A running server that answers each command as the test says. */

import type { CommandId, Commands } from '../../src/protocol';
import type { Server, State } from '../../src/server';
import { EventEmitter, logChannel } from './vscode';

/** As much of an answer as a test is about. */
type Part<Id extends CommandId> = Partial<Commands[Id]['answer']>;

type Answers = {
  [Id in CommandId]?: (argument: Commands[Id]['argument']) => Part<Id> | Promise<Part<Id>>;
};

export class FakeServer {
  state: State = 'running';
  readonly calls: [CommandId, unknown][] = [];
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

  refresh(): void {
    this.refreshed += 1;
  }

  toProtocol(diagnostics: object[]): object[] {
    return diagnostics;
  }
}
