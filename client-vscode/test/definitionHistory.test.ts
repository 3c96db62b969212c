import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type * as vscode from 'vscode';
import { showDefinitionHistory } from '../src/definitionHistory';
import { FakeServer } from './fakes/server';
import { reset, Uri, world } from './fakes/vscode';

const uri = Uri.file('/work/app/src/a.py');
const steps = [
  { text: 'renamed from rain by Ada, just now · INT-001', id: 'second', path: 'src/a.py' },
  { text: 'created by claude-opus-4-5, 2 days ago · INT-001', id: 'first', path: 'src/old.py' },
];

/** What is on the screen after the server's answer. */
async function shown(answer: unknown): Promise<FakeServer> {
  world.activeEditor = {
    document: { uri },
    selection: { active: { line: 3 } },
  } as unknown as typeof world.activeEditor;
  const server = new FakeServer();
  server.own['intentls/definitionHistory'] = () => answer;
  server.own['intentls/recordedContents'] = () => ({ before: null, after: 'x = 1\n' });
  void showDefinitionHistory(server.typed);
  await new Promise((resolve) => setImmediate(resolve));
  return server;
}

describe('Show History of This Definition', () => {
  beforeEach(reset);

  test('lists its steps, and shows the one that is chosen', async () => {
    const server = await shown({ name: 'rain_in', kind: 'function', steps, beginning: 'unrecorded' });
    const params = { textDocument: { uri: uri.toString() }, line: 3 };
    assert.deepEqual(server.requests, [['intentls/definitionHistory', params]]);
    const picker = world.pickers[0];
    assert.equal(picker?.title, 'History of function rain_in');
    assert.deepEqual(
      picker.items.map(({ label }: vscode.QuickPickItem) => label),
      [...steps.map(({ text }) => text), 'What was before is not on record'],
    );
    picker.choose(picker.items[1]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(server.requests.at(-1), [
      'intentls/recordedContents',
      { id: 'first', path: 'src/old.py', root: '/work/app' },
    ]);
    assert.equal(world.executed.at(-1)?.[0], 'vscode.diff');
  });

  for (const [answer, text] of [
    [null, 'The cursor is in no definition.'],
    [{ reason: 'A grammar may be missing.' }, 'A grammar may be missing.'],
    [{ name: 'x', kind: 'constant', steps: [], beginning: 'unrecorded' }, 'Nothing is on record for constant x.'],
  ] as const) {
    test(`says: ${text}`, async () => {
      await shown(answer);
      assert.equal(world.messages[0]?.text, text);
    });
  }

  test('needs a file', async () => {
    await assert.rejects(showDefinitionHistory(new FakeServer().typed), /Open a file first/);
  });
});
