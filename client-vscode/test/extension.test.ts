import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ExtensionContext } from 'vscode';
import manifest from '../package.json';
import { activate, deactivate } from '../src/extension';
import { forgetRoots } from '../src/roots';
import { intent, proposal } from './fakes/data';
import { type LanguageClient, resetServers, servers } from './fakes/languageClient';
import { Programs, SKIP } from './fakes/programs';
import { events, reset, Uri, world } from './fakes/vscode';

let programs: Programs;
let subscriptions: { dispose(): unknown }[];
let active: string | null;

beforeEach(async () => {
  reset();
  resetServers();
  forgetRoots();
  programs = new Programs();
  subscriptions = [];
  active = null;
  world.settings.set('intentls.server.path', programs.server('intentls'));
  servers.answer = answer;
  await activate({ subscriptions } as unknown as ExtensionContext);
});

afterEach(async () => {
  await deactivate();
  subscriptions.forEach((subscription) => subscription.dispose());
  programs.remove();
});

function answer(command: string): unknown {
  if (command === 'intent.listIntents') return { status: 'ok', intents: [intent('INT-001')] };
  if (command === 'intent.getActiveIntent') return { status: 'ok', state: 'ACTIVE', intent_id: active };
  if (command === 'intent.selectActiveIntent') {
    active = 'INT-001';
    return { status: 'ok' };
  }
  return { status: 'error', error: `${command} is refused.` };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

function run(command: string, ...args: unknown[]): Promise<unknown> {
  return Promise.resolve(world.commands.get(`intentls.${command}`)?.(...args));
}

function client(): LanguageClient {
  const newest = servers.clients.at(-1);
  assert.ok(newest);
  return newest;
}

/** The server asks for approval. */
function ask(): Promise<unknown> {
  client().handlers.get('intentls/proposed')?.(proposal('Write?'));
  const actions = [{ title: 'Approve' }, { title: 'Expand scope' }, { title: 'Reject' }];
  return Promise.resolve(client().handlers.get('window/showMessageRequest')?.({ message: 'Write?', actions }));
}

describe('the extension', { skip: SKIP }, () => {
  test('registers the commands that its package declares, and the one that lines of the view run', () => {
    const declared = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual([...world.commands.keys()].sort(), [...declared, 'intentls.openChange'].sort());
  });

  test('shows the error of a command', async () => {
    await run('clearIntent');
    assert.deepEqual(
      world.messages.map(({ kind, text }) => [kind, text]),
      [['error', 'intent.clearActiveIntent is refused.']],
    );
  });

  test('shows the intent that a line of the view selects', async () => {
    await until(() => world.statusBar.text === '$(circle-slash) No intent');
    await run('activateIntent', { kind: 'intent', intent: intent('INT-001'), active: false });
    await until(() => world.statusBar.text === '$(target) INT-001');
  });

  const file = Uri.file('/work/app/.orchestration/active_intents.yaml');
  for (const [what, happen] of [
    ['intents appear in the workspace', () => events.fileCreated.fire(file)],
    ['intents change', () => events.fileChanged.fire(file)],
    ['intents go', () => events.fileDeleted.fire(file)],
    ['a folder is added', () => events.folders.fire({})],
  ] as const) {
    test(`shows the active intent again when ${what}`, async () => {
      await until(() => world.statusBar.text === '$(circle-slash) No intent');
      active = 'INT-001';
      happen();
      await until(() => world.statusBar.text === '$(target) INT-001');
    });
  }

  test('opens files in roots that came later', async () => {
    await run('openChange', 'src/a.py');
    world.files = [file.path, '/work/app/src/a.py'];
    events.fileCreated.fire(file);
    await run('openChange', 'src/a.py', 3);
    assert.deepEqual(world.shown, [{ path: '/work/app/src/a.py', line: 2 }]);
  });

  test('stops its server', async () => {
    await deactivate();
    assert.equal(client().disposed, true);
  });
});

describe('a change of settings', { skip: SKIP }, () => {
  const change = (name: string) =>
    events.settings.fire({ affectsConfiguration: (section) => `${name}.`.startsWith(`${section}.`) });

  test('restarts the server if it names another one', async () => {
    change('intentls.server.path');
    await until(() => servers.clients.length === 2);
  });

  test('is sent to the server if it is any other of ours', async () => {
    change('intentls.codeLens');
    change('editor.fontSize');
    await turn();
    assert.equal(client().notifications.length, 1);
    assert.equal(servers.clients.length, 1);
  });

  test('of the trust in this workspace restarts the server', async () => {
    events.trusted.fire(undefined);
    await until(() => servers.clients.length === 2);
  });
});

describe('an approval', { skip: SKIP }, () => {
  for (const [command, title] of [
    ['approve', 'Approve'],
    ['reject', 'Reject'],
    ['expandScope', 'Expand scope'],
  ] as const) {
    test(`is answered with "${title}" by ${command}`, async () => {
      const reply = ask();
      await run(command, await pending());
      assert.deepEqual(await reply, { title });
    });
  }

  test('is over when its server is gone', async () => {
    const reply = ask();
    await run('restart');
    assert.equal(await reply, null);
  });

  /** The line of the view that waits for approval. */
  async function pending(): Promise<unknown> {
    const [queue] = (await world.tree?.getChildren()) ?? [];
    const [node] = (await world.tree?.getChildren(queue)) ?? [];
    return node;
  }
});
