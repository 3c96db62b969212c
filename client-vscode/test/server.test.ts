import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import { Server } from '../src/server';
import { type LanguageClient, resetServers, servers, State } from './fakes/languageClient';
import { Programs, SKIP } from './fakes/programs';
import { rootState } from './fakes/data';
import { logChannel, type Message, reset, Uri, world } from './fakes/vscode';

let programs: Programs;
let server: Server;
let prepared: unknown[];

beforeEach(() => {
  reset();
  resetServers();
  programs = new Programs();
  world.settings.set('intentls.server.path', programs.server('intentls'));
  prepared = [];
  const log = logChannel() as unknown as LogOutputChannel;
  server = new Server({} as ExtensionContext, log, (client) => prepared.push(client));
});

afterEach(() => {
  server.dispose();
  programs.remove();
});

function client(): LanguageClient {
  const newest = servers.clients.at(-1);
  assert.ok(newest);
  return newest;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

async function message(): Promise<Message> {
  await until(() => world.messages.length > 0);
  const [first] = world.messages;
  assert.ok(first);
  return first;
}

/** The states that the context key `intentls.state` took on. */
function states(): unknown[] {
  return world.executed.filter(([command]) => command === 'setContext').map(([, , state]) => state);
}

describe('starting', { skip: SKIP }, () => {
  test('prepares the client, starts `serve` and tells the views', async () => {
    let changes = 0;
    server.changed(() => (changes += 1));
    await server.restart();
    assert.equal(server.state, 'running');
    assert.deepEqual(states(), ['starting', 'running']);
    assert.equal(changes, 2);
    assert.deepEqual(prepared, [client()]);
    assert.deepEqual(client().run.args, ['serve']);
  });

  test('sends the settings; linters may run only in a trusted workspace', async () => {
    await server.restart();
    const defaults = { trusted: true, codeLens: true, inlayHints: false, questions: true, states: true };
    assert.deepEqual(client().options.initializationOptions, defaults);
    world.trusted = false;
    world.settings.set('intentls.inlayHints', true);
    server.configure();
    const settings = { intentls: { ...defaults, trusted: false, inlayHints: true } };
    assert.deepEqual(client().notifications, [['workspace/didChangeConfiguration', { settings }]]);
    world.trusted = true;
    world.settings.set('intentls.trusted', false);
    await server.restart();
    assert.equal(client().options.initializationOptions.trusted, false);
  });

  test('that fails is shown in a notification that goes away by itself', async () => {
    servers.start = () => Promise.reject(new Error('it crashed'));
    await server.restart();
    assert.equal(server.state, 'failed');
    const { text, buttons } = await message();
    assert.deepEqual([text, buttons], ['it crashed', []]);
    servers.start = () => Promise.resolve();
    await server.restart();
    assert.equal(server.state, 'running');
  });

  test('needs a Python, and says so', async () => {
    world.settings.clear();
    programs.remove();
    const context = { asAbsolutePath: (relative: string) => relative } as ExtensionContext;
    const log = logChannel() as unknown as LogOutputChannel;
    programs = new Programs();
    await new Server(context, log, () => undefined).restart();
    assert.match((await message()).text, /^No Python 3\.11 or newer was found/);
  });
});

describe('restarting', { skip: SKIP }, () => {
  test('stops the server before it starts the next', async () => {
    await server.restart();
    servers.start = () => {
      assert.deepEqual(
        servers.clients.map(({ disposed }) => disposed),
        [true, false],
      );
      return Promise.resolve();
    };
    await server.restart();
    assert.equal(server.state, 'running');
  });

  test('that is asked for often while one is under way happens once more', async () => {
    await Promise.all([server.restart(), server.restart(), server.restart()]);
    assert.equal(servers.clients.length, 2);
    assert.deepEqual(
      servers.clients.map(({ disposed }) => disposed),
      [true, false],
    );
  });

  test('shows only the failure of the last attempt', async () => {
    servers.start = () => Promise.reject(new Error(`attempt ${servers.clients.length}`));
    await Promise.all([server.restart(), server.restart()]);
    await turn();
    assert.deepEqual(
      world.messages.map(({ text }) => text),
      ['attempt 2'],
    );
  });
});

describe('a running server', { skip: SKIP }, () => {
  test('that dies and comes back is shown as such', async () => {
    await server.restart();
    client().enter(State.Stopped);
    assert.equal(server.state, 'failed');
    client().enter(State.Starting);
    client().enter(State.Running);
    assert.deepEqual(states().slice(2), ['failed', 'starting', 'running']);
  });

  test('that we stopped ourselves changes nothing', async () => {
    await server.restart();
    const stopped = client();
    await server.restart();
    stopped.enter(State.Stopped);
    assert.equal(server.state, 'running');
  });

  test('answers commands; without an argument it gets an empty one', async () => {
    await server.restart();
    servers.answer = () => ({ status: 'ok', intents: [] });
    assert.deepEqual((await server.run('intent.listIntents')).intents, []);
    await server.run('intent.selectActiveIntent', { intent_id: 'INT-001' });
    assert.deepEqual(client().requests, [
      { command: 'intent.listIntents', arguments: [{}] },
      { command: 'intent.selectActiveIntent', arguments: [{ intent_id: 'INT-001' }] },
    ]);
  });

  test('refuses with a sentence, which is the error', async () => {
    await server.restart();
    servers.answer = () => ({ status: 'error', error: 'INT-009 is not declared.' });
    await assert.rejects(server.run('intent.selectActiveIntent', { intent_id: 'INT-009' }), /^Error: INT-009 is not/);
  });

  test('tells the state of every root, until it stops', async () => {
    await server.restart();
    const roots = [rootState({ root: '/work/app' }), rootState({ root: '/work/app/inner' })];
    client().handlers.get('intentls/stateChanged')?.({ session_id: 's', roots });
    assert.equal(server.rootOf(Uri.file('/work/app/inner/a.py') as never)?.root, '/work/app/inner');
    assert.equal(server.rootOf(Uri.file('/work/app/a.py') as never)?.root, '/work/app');
    assert.equal(server.rootOf(Uri.file('/elsewhere/a.py') as never)?.root, '/work/app');
    client().enter(State.Stopped);
    assert.deepEqual(server.roots, []);
  });

  test('that stops before it has answered says so in plain words', async () => {
    await server.restart();
    servers.answer = () => {
      throw new Error('Pending response rejected since connection got disposed');
    };
    await assert.rejects(server.run('intent.listIntents'), /was stopped before it answered/);
    servers.answer = () => {
      throw new Error('other trouble');
    };
    await assert.rejects(server.run('intent.listIntents'), /other trouble/);
  });

  test('has lenses that open the history of their file', async () => {
    await server.restart();
    const { provideCodeLenses } = client().options.middleware;
    const lens = () => ({ command: { title: 'INT-001', command: '' } as Record<string, unknown> });
    const uri = Uri.file('/work/app/a.py');
    const [own] = (await provideCodeLenses({ uri }, null, () => [lens()])) as ReturnType<typeof lens>[];
    assert.deepEqual([own?.command.command, own?.command.arguments], ['intentls.showTrace', [uri]]);
    const declared = Uri.file('/work/app/.orchestration/active_intents.yaml');
    const [other] = (await provideCodeLenses({ uri: declared }, null, () => [lens()])) as ReturnType<typeof lens>[];
    assert.equal(other?.command.command, '');
    assert.equal(await provideCodeLenses({ uri }, null, () => null), null);
  });

  test('is asked nothing before it runs', async () => {
    await assert.rejects(server.run('intent.listIntents'), /does not run/);
    await server.restart();
    client().enter(State.Stopped);
    await assert.rejects(server.run('intent.listIntents'), /does not run/);
    assert.deepEqual(client().requests, []);
  });
});

describe('refreshing', { skip: SKIP }, () => {
  afterEach(() => mock.timers.reset());

  test('happens once for many calls in a row', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let changes = 0;
    server.changed(() => (changes += 1));
    server.refresh();
    mock.timers.tick(249);
    server.refresh();
    mock.timers.tick(249);
    assert.equal(changes, 0);
    mock.timers.tick(1);
    assert.equal(changes, 1);
  });

  test('follows each command of the server, refused ones included', async () => {
    await server.restart();
    mock.timers.enable({ apis: ['setTimeout'] });
    let changes = 0;
    server.changed(() => (changes += 1));
    const { executeCommand } = client().options.middleware;
    assert.equal(await executeCommand('intent.expandScope', [], () => 'answer'), 'answer');
    mock.timers.tick(250);
    assert.equal(changes, 1);
    await assert.rejects(executeCommand('intent.expandScope', [], () => Promise.reject(new Error('no'))));
    mock.timers.tick(250);
    assert.equal(changes, 2);
  });
});
