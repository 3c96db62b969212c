import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Uri } from 'vscode';
import {
  activateIntent,
  clearIntent,
  createIntent,
  nextId,
  selectIntent,
  showProblem,
  showRefusal,
  showTrace,
  verifyLedger,
} from '../src/commands';
import { forgetRoots } from '../src/roots';
import { activeRoot, by, fileEntry, intent, record, rootState } from './fakes/data';
import { FakeServer } from './fakes/server';
import { type Picker, reset, Uri as FakeUri, world } from './fakes/vscode';

const INTENTS_FILE = '/work/app/.orchestration/active_intents.yaml';

beforeEach(() => {
  reset();
  forgetRoots();
  world.folders = [FakeUri.file('/work/app')];
});

/** The list that is open. */
async function picker(): Promise<Picker> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  const open = world.pickers.at(-1);
  assert.ok(open);
  return open;
}

function textOf(path: string): string | undefined {
  return world.documents.find((document) => document.uri.path === path)?.text;
}

describe('Select Intent', () => {
  const server = () => {
    const fake = new FakeServer({
      'intent.listIntents': () => ({ intents: [intent('INT-001', { open: false }), intent('INT-002')] }),
      'intent.selectActiveIntent': () => ({}),
    });
    fake.roots = [activeRoot('INT-002')];
    return fake;
  };

  test('lists the open intents before the closed ones, the active one marked', async () => {
    void selectIntent(server().typed);
    assert.deepEqual(
      (await picker()).items.map((item) => item.label),
      ['$(target) INT-002  Name of INT-002', 'Closed', '$(circle-slash) INT-001  Name of INT-001'],
    );
  });

  test('selects what is chosen and refreshes the views', async () => {
    const fake = server();
    const done = selectIntent(fake.typed);
    const { items, choose } = await picker();
    choose(items[0]);
    await done;
    assert.deepEqual(fake.calls.at(-1), ['intent.selectActiveIntent', { intent_id: 'INT-002' }]);
    assert.equal(fake.refreshed, 1);
  });

  test('of several roots names each, and selects in the right one', async () => {
    const fake = server();
    const [one, two] = ['/work/one', '/work/two'];
    fake.roots = [activeRoot('INT-001', { root: one, name: 'one' }), rootState({ root: two, name: 'two' })];
    fake.answers['intent.listIntents'] = () => ({
      intents: [intent('INT-001', { root: one }), intent('INT-001', { root: two })],
    });
    const done = selectIntent(fake.typed);
    const { items, choose } = await picker();
    assert.deepEqual(
      items.map((item) => item.label),
      ['one', '$(target) INT-001  Name of INT-001', 'two', '$(circle-large-outline) INT-001  Name of INT-001'],
    );
    choose(items[3]);
    await done;
    assert.deepEqual(fake.calls.at(-1), ['intent.selectActiveIntent', { intent_id: 'INT-001', root: two }]);
  });

  test('selects nothing if nothing is chosen', async () => {
    const fake = server();
    const done = selectIntent(fake.typed);
    (await picker()).choose(undefined);
    await done;
    assert.equal(fake.calls.length, 1);
    assert.equal(fake.refreshed, 0);
  });

  test('writes a first intent where none is declared', async () => {
    const fake = server();
    fake.answers['intent.listIntents'] = () => ({ intents: [] });
    await selectIntent(fake.typed);
    assert.equal(world.pickers.length, 0);
    assert.match(textOf(INTENTS_FILE) ?? '', /^active_intents:\n {2}- id: /);
  });

  test('does not refresh the views when the selection is refused', async () => {
    const fake = new FakeServer();
    await assert.rejects(activateIntent(fake.typed, { id: 'INT-001' }), /refused/);
    assert.equal(fake.refreshed, 0);
  });
});

test('Clear Active Intent clears it and refreshes the views', async () => {
  const server = new FakeServer({ 'intent.clearActiveIntent': () => ({}) });
  await clearIntent(server.typed);
  assert.equal(server.calls[0]?.[0], 'intent.clearActiveIntent');
  assert.equal(server.refreshed, 1);
});

describe('Create Intent', () => {
  const declared = (...ids: string[]) => {
    const fake = new FakeServer({ 'intent.listIntents': () => ({ intents: ids.map((id) => intent(id)) }) });
    fake.roots = [];
    return fake;
  };

  test('offers the next id and the folder of the open file', async () => {
    world.activeDocument = { uri: FakeUri.file('/work/app/src/api/[x]/a.py'), isDirty: false, text: '' };
    await createIntent(declared('INT-003', 'INT-041', 'docs').typed);
    assert.match(textOf(INTENTS_FILE) ?? '', /- id: \$\{1:INT-042\}\n/);
    assert.ok(textOf(INTENTS_FILE)?.includes('"${4:src/api/\\\\[x\\\\]/**}"'), textOf(INTENTS_FILE));
    assert.deepEqual([nextId([]), nextId(['a-9']), nextId(['2', '10'])], ['INT-001', 'a-10', '11']);
  });

  test('goes on in the style of the intents that are there', async () => {
    const before = 'active_intents:\n    - id: INT-001\n      name: First';
    world.documents = [{ uri: FakeUri.file(INTENTS_FILE), isDirty: false, text: before }];
    await createIntent(declared().typed);
    const added = textOf(INTENTS_FILE)?.slice(before.length);
    assert.match(added ?? '', /^\n {4}- id: .*\n {6}name: .*\n {6}status: .*\n {6}owned_scope: .*\n$/);
  });

  test('adds no blank line where the file ends with its last line', async () => {
    const before = 'active_intents:\n  - id: INT-001\n';
    world.documents = [{ uri: FakeUri.file(INTENTS_FILE), isDirty: false, text: before }];
    await createIntent(declared().typed);
    assert.match(textOf(INTENTS_FILE)?.slice(before.length) ?? '', /^ {2}- id: /);
  });

  test('writes into the root that is there, not into a new one', async () => {
    world.files = ['/work/app/backend/.orchestration/active_intents.yaml'];
    await createIntent(declared().typed);
    assert.ok(textOf('/work/app/backend/.orchestration/active_intents.yaml'));
    assert.equal(textOf(INTENTS_FILE), undefined);
  });

  test('has the server set up a folder without intents, and no other', async () => {
    const fake = declared();
    await createIntent(fake.typed);
    assert.deepEqual(fake.requests, [['intentls/initFolder', { folder: 'file:///work/app' }]]);
    forgetRoots();
    world.files = [INTENTS_FILE];
    await createIntent(fake.typed);
    assert.equal(fake.requests.length, 1);
  });

  test('needs a folder', async () => {
    world.folders = [];
    await assert.rejects(createIntent(declared().typed), /Open a folder first/);
  });
});

describe('Show Trace', () => {
  const uri = FakeUri.file('/work/app/src/a.py');

  test('lists what the records say of this file, and opens it where one is chosen', async () => {
    world.files = [INTENTS_FILE, '/work/app/src/a.py'];
    const own = fileEntry('src/a.py', { conversations: [by('anthropic/claude-opus-4-5', [7, 9])] });
    const change = record([fileEntry('src/b.py'), own], { mutation_class: 'REFACTOR' });
    const server = new FakeServer({ 'intent.queryTrace': () => ({ entries: [change] }) });
    server.own['intentls/recordedContents'] = () => ({ after: 'x = 1\n' });
    const done = showTrace(server.typed, uri as unknown as Uri);
    const { title, items, choose } = await picker();
    const params = { path: 'file:///work/app/src/a.py', limit: 50, root: '/work/app' };
    assert.deepEqual(server.calls, [['intent.queryTrace', params]]);
    assert.equal(title, 'History of src/a.py');
    assert.deepEqual(
      items.map((item) => [item.label, item.detail]),
      [['$(sparkle) INT-001  changed by claude-opus-4-5', 'lines 7-9 · write to file']],
    );
    choose(items[0]);
    await done;
    assert.deepEqual(world.shown, [{ path: '/work/app/src/a.py', line: 6 }]);
  });

  test('shows the difference of the entry that is chosen, under a former name, too', async () => {
    const old = record([fileEntry('src/old.py')], { id: 'first' });
    const rename = record([fileEntry('src/a.py', { change: 'rename', old_path: 'src/old.py' })]);
    const server = new FakeServer({ 'intent.queryTrace': () => ({ entries: [rename, old] }) });
    server.own['intentls/recordedContents'] = (params) => {
      assert.deepEqual(params, { id: 'first', path: 'src/old.py', root: '/work/app' });
      return { before: null, after: 'x = 1\n' };
    };
    const done = showTrace(server.typed, uri as unknown as Uri);
    const { items, choose } = await picker();
    assert.equal(items.length, 2);
    choose(items[1]);
    await done;
    const [command, before, after, title] = world.executed.at(-1) ?? [];
    assert.equal(command, 'vscode.diff');
    assert.equal((before as FakeUri).path, (after as FakeUri).path);
    assert.match(String(title), /^src\/old\.py \(changed by a person, /);
  });

  test('of a notebook is that of its file', async () => {
    const cell = FakeUri.from({ scheme: 'vscode-notebook-cell', path: '/work/app/n.ipynb' });
    world.activeDocument = { uri: cell, isDirty: false, text: '' };
    const server = new FakeServer({ 'intent.queryTrace': () => ({ entries: [] }) });
    await showTrace(server.typed);
    assert.equal(world.messages[0]?.text, 'Nothing is on record for n.ipynb.');
  });

  test('takes the file of the active editor, and says so if nothing is recorded', async () => {
    world.activeDocument = { uri, isDirty: false, text: '' };
    await showTrace(new FakeServer({ 'intent.queryTrace': () => ({ entries: [] }) }).typed);
    assert.equal(world.messages[0]?.text, 'Nothing is on record for src/a.py.');
  });

  test('needs a file', async () => {
    const server = new FakeServer();
    await assert.rejects(showTrace(server.typed), /Open a file first/);
    world.activeDocument = { uri: FakeUri.from({ scheme: 'output', path: '/log' }), isDirty: false, text: '' };
    await assert.rejects(showTrace(server.typed), /Open a file first/);
    assert.deepEqual(server.calls, []);
  });
});

describe('Verify Ledger', () => {
  const problem = (line: number) => ({ line, kind: 'broken_chain', message: `line ${line} is wrong.` });
  const verified = (problems: { line: number; kind: string; message: string }[], records = 3) =>
    new FakeServer({ 'intent.verifyTrace': () => ({ ok: problems.length === 0, records, problems }) });

  test('says that it is whole', async () => {
    await verifyLedger(verified([]).typed);
    await verifyLedger(verified([], 1).typed);
    assert.deepEqual(
      world.messages.map(({ kind, text }) => [kind, text]),
      [
        ['information', 'The ledger is whole: 3 records, each in its chain.'],
        ['information', 'The ledger is whole: 1 record, each in its chain.'],
      ],
    );
  });

  test('names the only problem', async () => {
    const done = verifyLedger(verified([problem(4)]).typed);
    await Promise.resolve();
    assert.equal(world.messages[0]?.text, 'The ledger is damaged. Line 4: line 4 is wrong.');
    world.messages[0].answer(undefined);
    await done;
    assert.equal(world.logShown, 0);
  });

  test('names the first problem, counts the others and has all of them in the log', async () => {
    const done = verifyLedger(verified([problem(4), problem(7), problem(9)]).typed);
    await Promise.resolve();
    const [message] = world.messages;
    assert.equal(message?.text, 'The ledger is damaged. Line 4: line 4 is wrong. And 2 more.');
    assert.equal(message.kind, 'warning');
    assert.equal(world.logged.length, 3);
    message.answer('Show All');
    await done;
    assert.equal(world.logShown, 1);
  });
});

describe('a refusal', () => {
  const file = fileEntry('docs/a.md', { conversations: [by('openai/gpt-5')] });
  const refused = record([file], { success: false, error: 'Scope Violation.', code: 'SCOPE_VIOLATION' });

  test('can be made possible afterwards', async () => {
    const server = new FakeServer({ 'intent.expandScope': () => ({}) });
    const done = showRefusal(server.typed, refused, file, '/work/app');
    await Promise.resolve();
    assert.equal(world.messages[0]?.text, 'docs/a.md: refused to gpt-5. Scope Violation.');
    world.messages[0].answer("Add to INT-001's Scope");
    await done;
    const [command, params] = server.calls[0] ?? [];
    assert.equal(command, 'intent.expandScope');
    assert.equal((params as { path: string }).path, 'docs/a.md');
  });

  test('for another reason only says so', async () => {
    const done = showRefusal(new FakeServer().typed, { ...refused, code: 'PROTECTED_PATH' }, file, '/work/app');
    await Promise.resolve();
    assert.deepEqual(world.messages[0]?.buttons, []);
    world.messages[0].answer(undefined);
    await done;
  });
});

test('Show What Is Wrong opens the broken file at the line', async () => {
  const server = new FakeServer();
  world.files = [INTENTS_FILE];
  const problem = { path: '.orchestration/active_intents.yaml', line: 3, message: 'not valid YAML' };
  server.roots = [rootState({ state: 'broken', problem })];
  await showProblem(server.typed);
  assert.deepEqual(world.shown, [{ path: INTENTS_FILE, line: 2 }]);
  await showProblem(server.typed, rootState({ text: 'unreadable', problem: { ...problem, path: '' } }));
  assert.equal(world.messages[0]?.text, 'unreadable');
});
