import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ExtensionContext } from 'vscode';
import manifest from '../package.json';
import { activate, deactivate } from '../src/extension';
import { forgetRoots } from '../src/roots';
import { activeRoot, fileEntry, intent, question, record, rootState } from './fakes/data';
import { type LanguageClient, resetServers, servers } from './fakes/languageClient';
import { Programs, SKIP } from './fakes/programs';
import { events, reset, Uri, world } from './fakes/vscode';

let programs: Programs;
let subscriptions: { dispose(): unknown }[];

beforeEach(async () => {
  reset();
  resetServers();
  forgetRoots();
  programs = new Programs();
  subscriptions = [];
  world.settings.set('intentls.server.path', programs.server('intentls'));
  servers.answer = answer;
  await activate({ subscriptions } as unknown as ExtensionContext);
  tell(null);
});

afterEach(async () => {
  await deactivate();
  subscriptions.forEach((subscription) => subscription.dispose());
  programs.remove();
});

function answer(command: string): unknown {
  if (command === 'intent.listIntents') return { status: 'ok', intents: [intent('INT-001')] };
  if (command === 'intent.selectActiveIntent') {
    tell('INT-001');
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

/** The server tells which intent is active. */
function tell(active: string | null): void {
  const root = active === null ? rootState() : activeRoot(active);
  client().handlers.get('intentls/stateChanged')?.({ session_id: 's', roots: [root] });
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
    await run('activateIntent', { kind: 'intent', intent: intent('INT-001'), root: '/work/app', active: false });
    await until(() => world.statusBar.text === '$(target) INT-001');
  });

  test('shows in an empty view what holds for the folders', () => {
    const shown = () => world.executed.filter(([, key]) => key === 'intentls.folders').at(-1)?.[2];
    assert.equal(shown(), 'idle');
    client().handlers.get('intentls/stateChanged')?.({ session_id: 's', roots: [rootState({ state: 'ungoverned' })] });
    assert.equal(shown(), 'ungoverned');
    client().handlers.get('intentls/stateChanged')?.({ session_id: 's', roots: [] });
    assert.equal(shown(), 'loading');
  });

  const file = Uri.file('/work/app/.orchestration/active_intents.yaml');
  for (const [what, happen] of [
    ['intents appear in the workspace', () => events.fileCreated.fire(file)],
    ['intents change', () => events.fileChanged.fire(file)],
    ['intents go', () => events.fileDeleted.fire(file)],
    ['a folder is added', () => events.folders.fire({})],
  ] as const) {
    test(`shows the view again when ${what}`, async () => {
      let changes = 0;
      world.tree?.onDidChangeTreeData?.(() => (changes += 1));
      happen();
      await until(() => changes > 0);
    });
  }

  test('opens a change in its own root', async () => {
    const own = fileEntry('src/a.py');
    world.files = ['/work/app/src/a.py'];
    servers.own = () => ({});
    await run('openChange', { kind: 'change', record: record([own]), file: own, root: '/work/app' });
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

describe('a question', { skip: SKIP }, () => {
  for (const [command, action] of [
    ['approve', 'Approve'],
    ['reject', 'Reject'],
    ['expandScope', 'Expand scope'],
  ] as const) {
    test(`is answered with "${action}" by ${command}`, async () => {
      const answered: unknown[] = [];
      servers.own = (_, params) => answered.push(params);
      client().handlers.get('intentls/questions')?.({ questions: [question()] });
      await run(command, await waiting());
      assert.deepEqual(answered, [{ id: 'q-1', action }]);
    });
  }

  test('is over when its server is gone', async () => {
    client().handlers.get('intentls/questions')?.({ questions: [question()] });
    await run('restart');
    assert.equal(world.questionBar.visible, false);
  });

  /** The line of the view that waits for an answer. */
  async function waiting(): Promise<unknown> {
    const [queue] = (await world.tree?.getChildren()) ?? [];
    const [node] = (await world.tree?.getChildren(queue)) ?? [];
    return node;
  }
});
