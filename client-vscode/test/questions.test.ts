import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { LogOutputChannel } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Question } from '../src/question';
import { Questions } from '../src/questions';
import { question } from './fakes/data';
import { LanguageClient as FakeClient, resetServers, servers } from './fakes/languageClient';
import { events, logChannel, type Message, reset, type Uri, world } from './fakes/vscode';

let questions: Questions;
let client: FakeClient;
let answered: unknown[];

beforeEach(() => {
  reset();
  resetServers();
  answered = [];
  servers.own = (method, params) => {
    if (method === 'intentls/questionContents') return { path: 'docs/notes.md', before: null, after: '# Notes\n' };
    answered.push(params);
    return { status: 'ok' };
  };
  questions = new Questions(logChannel() as unknown as LogOutputChannel);
  client = connect();
});

afterEach(() => questions.dispose());

function connect(): FakeClient {
  const connected = new FakeClient('', '', { command: '', args: [] }, { initializationOptions: {} } as never);
  questions.attach(connected as unknown as LanguageClient);
  return connected;
}

/** The server tells which questions are open. */
function tell(...open: Question[]): void {
  client.handlers.get('intentls/questions')?.({ questions: open });
}

function last(): Message {
  const message = world.messages.at(-1);
  assert.ok(message);
  return message;
}

/** The value that a context key has now. */
function context(key: string): unknown {
  return world.executed.filter(([command, name]) => command === 'setContext' && name === key).at(-1)?.[2];
}

describe('an open question', () => {
  test('is asked with buttons, counted in the status bar, and stays when the notification is closed', async () => {
    tell(question());
    assert.deepEqual(last().buttons, ['Diff', 'Allow Once', 'Reject', "Add to INT-001's Scope"]);
    assert.equal(last().text, 'claude-opus-4-5 wants to create docs/notes.md, outside INT-001 (src/**).');
    assert.equal(world.questionBar.text, '$(bell-dot) 1 question');
    assert.equal(world.questionBar.accessibilityInformation?.label, '1 question of agents');
    assert.equal(context('intentls.questions'), 1);
    last().answer(undefined);
    await turn();
    assert.equal(questions.open.length, 1);
    assert.equal(world.questionBar.visible, true);
    assert.deepEqual(answered, []);
  });

  for (const [button, action] of [
    ['Allow Once', 'Approve'],
    ['Reject', 'Reject'],
    ["Add to INT-001's Scope", 'Expand scope'],
  ] as const) {
    test(`is answered by ${button}`, async () => {
      tell(question());
      last().answer(button);
      await turn();
      assert.deepEqual(answered, [{ id: 'q-1', action }]);
    });
  }

  test('is notified of once', () => {
    tell(question());
    tell(question(), question({ id: 'q-2' }));
    assert.equal(world.messages.length, 2);
    assert.equal(world.questionBar.text, '$(bell-dot) 2 questions');
  });

  test('of the person at this window is worded as theirs', async () => {
    const text = 'Intent INT-003 is COMPLETED. Select it all the same?';
    const own = { own: true, agent: null, model: null, intent_id: 'INT-003', paths: [], files: [], text };
    tell(question({ ...own, tool: 'select_active_intent', actions: ['Approve', 'Reject'] }));
    assert.deepEqual([last().text, last().buttons], [text, ['Select', 'Cancel']]);
    last().answer('Select');
    await turn();
    assert.deepEqual(answered, [{ id: 'q-1', action: 'Approve' }]);
  });

  test('says why the agent wants it', () => {
    tell(question({ reason: 'the guide needs it' }));
    assert.match(last().text, /\. Why: the guide needs it$/);
  });

  test('names the model without its vendor', () => {
    tell(question({ text: 'anthropic/claude-opus-4-5 wants to run a command.' }));
    assert.equal(last().text, 'claude-opus-4-5 wants to run a command.');
  });

  test('that is closed elsewhere leaves the status bar, and says so if it is answered all the same', async () => {
    tell(question());
    const notification = last();
    tell();
    assert.equal(world.questionBar.visible, false);
    servers.own = () => ({ status: 'error', message: 'q-1 was answered by ada.' });
    notification.answer('Allow Once');
    await turn();
    assert.equal(last().text, 'q-1 was answered by ada.');
  });

  test('is gone with its server; what an old server still tells is not shown', () => {
    const old = client;
    tell(question());
    questions.clear();
    assert.equal(world.questionBar.visible, false);
    old.handlers.get('intentls/questions')?.({ questions: [question()] });
    assert.deepEqual(questions.open, []);
  });
});

describe('the command', () => {
  test('answers the only question after one list', async () => {
    tell(question());
    const done = questions.ask();
    await turn();
    const { title, items, choose } = world.pickers.at(-1) ?? assert.fail();
    assert.match(title ?? '', /wants to create/);
    assert.deepEqual(
      items.map(({ label }) => label),
      ['Allow Once', 'Reject', "Add to INT-001's Scope", 'Show Changes'],
    );
    choose(items[0]);
    await done;
    assert.deepEqual(answered, [{ id: 'q-1', action: 'Approve' }]);
  });

  test('lets one of several be picked', async () => {
    tell(question(), question({ id: 'q-2', paths: ['docs/b.md'] }));
    const done = questions.answer('Reject');
    await turn();
    const { items, choose } = world.pickers.at(-1) ?? assert.fail();
    choose(items[1]);
    await done;
    assert.deepEqual(answered, [{ id: 'q-2', action: 'Reject' }]);
  });

  test('says so where nothing is asked', async () => {
    await questions.ask();
    assert.equal(last().text, 'No agent asks anything now.');
  });
});

describe('the changes of a question', () => {
  test('of one file are a diff against nothing or what is there, and its tab has the buttons', async () => {
    tell(question());
    await questions.show(question());
    const [command, , after] = world.executed.at(-1) ?? [];
    assert.equal(command, 'vscode.diff');
    assert.equal((after as Uri).path, '/docs/notes.md');
    const provider = world.providers.get('intentls-question');
    assert.equal(provider?.provideTextDocumentContent(after as Uri), '# Notes\n');
    const label = String(world.executed.at(-1)?.[3]);
    assert.equal(label, 'Question: docs/notes.md (claude-opus-4-5, q-1)');
    world.tabs = [{ label: 'other.py' }, { label }, { label: `${label} (2 files)` }];
    events.tabs.fire(undefined);
    assert.equal(context('intentls.questionShown'), true);
    assert.equal(context('intentls.questionExpandable'), true);
    await questions.answer('Approve');
    assert.deepEqual(answered, [{ id: 'q-1', action: 'Approve' }]);
    tell();
    assert.deepEqual(world.tabs, [{ label: 'other.py' }]);
    assert.equal(context('intentls.questionShown'), false);
  });

  test('of several files have one path on both sides, so that none looks renamed', async () => {
    const files = [
      { path: 'docs/a.md', change: 'modify' as const },
      { path: 'docs/b.md', change: 'delete' as const },
    ];
    servers.own = (_, params) =>
      (params as { path: string }).path === 'docs/a.md'
        ? { before: 'one\n', after: 'two\n' }
        : { before: 'gone\n', after: null };
    await questions.show(question({ files }));
    const [command, title, sides] = world.executed.at(-1) ?? [];
    assert.equal(command, 'vscode.changes');
    assert.equal(title, 'Question: docs/a.md and 1 more (claude-opus-4-5, q-1)');
    const paths = (sides as (Uri | undefined)[][]).map((side) => side.map((uri) => uri?.path));
    assert.deepEqual(paths, [
      ['/work/app/docs/a.md', '/docs/a.md', '/docs/a.md'],
      ['/work/app/docs/b.md', '/docs/b.md', undefined],
    ]);
  });

  test('are not offered where it is not known what would change', () => {
    tell(question({ files: [] }));
    assert.equal(last().buttons.includes('Diff'), false);
  });
});
