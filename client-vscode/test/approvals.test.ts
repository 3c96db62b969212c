import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { Approvals } from '../src/approvals';
import type { Proposal } from '../src/protocol';
import { proposal } from './fakes/data';
import { LanguageClient as FakeClient } from './fakes/languageClient';
import { type Message, reset, world } from './fakes/vscode';

const ACTIONS = [{ title: 'Approve' }, { title: 'Reject' }, { title: 'Expand scope' }];
const CHOICES = ACTIONS.map((action) => action.title);

let approvals: Approvals;
let client: FakeClient;

beforeEach(() => {
  reset();
  approvals = new Approvals();
  client = connect();
});

afterEach(() => approvals.dispose());

function connect(): FakeClient {
  const connected = new FakeClient('', '', { command: '', args: [] }, {
    initializationOptions: {},
  } as never);
  approvals.attach(connected as unknown as LanguageClient);
  return connected;
}

function announce(announced: Proposal): void {
  client.handlers.get('intentls/proposed')?.(announced);
}

function ask(message: string, actions = ACTIONS): Promise<unknown> {
  return Promise.resolve(client.handlers.get('window/showMessageRequest')?.({ message, actions }));
}

/** The server announces a proposal and asks about it. */
function propose(message: string, more: Partial<Proposal> = {}): Promise<unknown> {
  announce(proposal(message, more));
  return ask(message);
}

function last(): Message {
  const message = world.messages.at(-1);
  assert.ok(message);
  return message;
}

/** Let the promises that are settled go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe('a question about a proposal', () => {
  test('is pending until a button is clicked, which is the reply', async () => {
    let changes = 0;
    approvals.changed(() => (changes += 1));
    const reply = propose('Write docs/notes.md?');
    assert.deepEqual(last().buttons, [...CHOICES, 'Show changes']);
    assert.deepEqual(
      [...approvals.pending.values()].map((approval) => approval.choices),
      [CHOICES],
    );
    last().answer('Approve');
    assert.deepEqual(await reply, { title: 'Approve' });
    assert.equal(approvals.pending.size, 0);
    assert.equal(changes, 2);
  });

  test('that is closed gets no answer, which the server takes for a no', async () => {
    const reply = propose('?');
    last().answer(undefined);
    assert.equal(await reply, null);
  });

  test('is over when its time is', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const reply = propose('?', { timeout_s: 30 });
    mock.timers.tick(29_999);
    assert.equal(approvals.pending.size, 1);
    mock.timers.tick(1);
    mock.timers.reset();
    assert.equal(await reply, null);
    assert.equal(approvals.pending.size, 0);
  });

  test('is asked again after the changes were shown, now without that button', async () => {
    const reply = propose('?');
    last().answer('Show changes');
    await settle();
    assert.equal(world.executed[0]?.[0], 'vscode.diff');
    assert.equal(world.messages.length, 2);
    assert.deepEqual(last().buttons, CHOICES);
    last().answer('Reject');
    assert.deepEqual(await reply, { title: 'Reject' });
  });

  test('closes its diff with the answer', async () => {
    const reply = propose('?');
    last().answer('Show changes');
    await settle();
    const [, before, after] = world.executed[0] as [string, vscode.Uri, vscode.Uri];
    world.tabs = [{ input: new vscode.TabInputTextDiff(before, after) }];
    last().answer('Reject');
    await reply;
    assert.deepEqual(world.tabs, []);
  });

  test('offers no changes where they are not text', () => {
    void propose('?', { files: [{ path: 'logo.png', change: 'modify' }] });
    assert.deepEqual(last().buttons, CHOICES);
  });

  test('that was answered in the view ignores its notification, and says so', async () => {
    let changes = 0;
    approvals.changed(() => (changes += 1));
    const reply = propose('?');
    const [notification] = world.messages;
    [...approvals.pending.values()][0]?.answer('Reject');
    assert.deepEqual(await reply, { title: 'Reject' });
    notification?.answer('Approve');
    await settle();
    assert.match(last().text, /^Too late/);
    assert.equal(changes, 2);
  });

  test('that was answered in the view and whose notification is closed says nothing more', async () => {
    const reply = propose('?');
    [...approvals.pending.values()][0]?.answer('Reject');
    await reply;
    world.messages[0]?.answer(undefined);
    await settle();
    assert.equal(world.messages.length, 1);
  });
});

describe('several questions', () => {
  test('each find their own proposal, in whatever order they are asked', () => {
    announce(proposal('first', { paths: ['1'] }));
    announce(proposal('second', { paths: ['2'] }));
    void ask('second');
    void ask('first');
    assert.deepEqual(
      [...approvals.pending.values()].map((approval) => approval.proposal.paths),
      [['2'], ['1']],
    );
  });

  test('are all rejected when the server is gone', async () => {
    const replies = [propose('first'), propose('second')];
    approvals.rejectAll();
    assert.deepEqual(await Promise.all(replies), [null, null]);
    assert.equal(approvals.pending.size, 0);
  });
});

describe('a question without a proposal', () => {
  test('is a plain notification and waits in no view', async () => {
    const reply = ask('Reload?', [{ title: 'Yes' }]);
    assert.deepEqual(last().buttons, ['Yes']);
    assert.equal(approvals.pending.size, 0);
    last().answer('Yes');
    assert.deepEqual(await reply, { title: 'Yes' });
  });

  test('may have no buttons at all', async () => {
    const reply = Promise.resolve(client.handlers.get('window/showMessageRequest')?.({ message: 'Well?' }));
    assert.deepEqual(last().buttons, []);
    last().answer(undefined);
    assert.equal(await reply, null);
  });

  test('is what a question is whose proposal belonged to one before it', async () => {
    const reply = propose('?');
    last().answer('Reject');
    await reply;
    void ask('?');
    assert.equal(approvals.pending.size, 0);
  });

  test('is what a proposal of an earlier server leads to', () => {
    announce(proposal('?'));
    client = connect();
    void ask('?');
    assert.equal(approvals.pending.size, 0);
  });
});
