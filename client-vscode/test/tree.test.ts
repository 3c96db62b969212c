import assert from 'node:assert/strict';
import { beforeEach, describe, mock, test } from 'node:test';
import * as vscode from 'vscode';
import type { Approval, Approvals } from '../src/approvals';
import { forgetRoots } from '../src/roots';
import { type Node, Tree } from '../src/tree';
import { fileEntry, intent, proposal, record } from './fakes/data';
import { FakeServer } from './fakes/server';
import { reset, world } from './fakes/vscode';

let server: FakeServer;
let pending: Map<number, Approval>;
let tree: Tree;

beforeEach(() => {
  reset();
  forgetRoots();
  world.files = ['/work/app/.orchestration/active_intents.yaml', '/work/app/src/a.py'];
  server = new FakeServer({
    'intent.listIntents': () => ({
      intents: [intent('INT-001', { open: false, status: 'DONE' }), intent('INT-002'), intent('INT-003')],
    }),
    'intent.getActiveIntent': () => ({ state: 'ACTIVE', intent_id: 'INT-003' }),
  });
  pending = new Map();
  tree = new Tree(server.typed, { pending } as unknown as Approvals);
});

function wait(id: number, choices = ['Approve', 'Reject']): Approval {
  const approval = { id, proposal: proposal('?'), choices, answer: () => undefined };
  pending.set(id, approval);
  return approval;
}

function symbol(item: vscode.TreeItem): string {
  return (item.iconPath as vscode.ThemeIcon).id;
}

async function items(node?: Node): Promise<vscode.TreeItem[]> {
  return (await tree.getChildren(node)).map((child) => tree.getTreeItem(child));
}

describe('the intents', () => {
  test('that are open come first, the active one unfolded and marked', async () => {
    const [second, third, closed] = await items();
    assert.deepEqual(
      [second, third, closed].map((item) => item?.label),
      ['INT-002  Name of INT-002', 'INT-003  Name of INT-003', 'INT-001  Name of INT-001'],
    );
    assert.ok(second && third && closed);
    assert.deepEqual([second, third, closed].map(symbol), ['circle-large-outline', 'target', 'circle-slash']);
    assert.equal(third.collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    assert.equal(third.contextValue, 'intent.active');
    assert.equal(second.contextValue, 'intent');
  });

  test('get another id when they become active, so that they unfold', () => {
    const active = tree.getTreeItem({ kind: 'intent', intent: intent('INT-001'), active: true });
    const other = tree.getTreeItem({ kind: 'intent', intent: intent('INT-001'), active: false });
    assert.notEqual(active.id, other.id);
  });

  test('without a scope may change the whole workspace', async () => {
    server.answers['intent.listIntents'] = () => ({ intents: [intent('INT-001', { owned_scope: [] })] });
    const [item] = await items();
    assert.match(item?.tooltip as string, /the whole workspace/);
  });

  test('are not asked for while the server does not run', async () => {
    server.state = 'starting';
    assert.deepEqual(await items(), []);
    assert.deepEqual(server.calls, []);
  });
});

describe('what waits for approval', () => {
  test('comes before the intents, and its number is on the badge', async () => {
    wait(1);
    wait(2);
    tree.update();
    assert.equal(world.badge?.value, 2);
    const [queue] = await tree.getChildren();
    assert.equal(queue?.kind, 'queue');
    assert.equal((await tree.getChildren(queue)).length, 2);
  });

  test('leaves no badge when it is answered', () => {
    wait(1);
    tree.update();
    pending.clear();
    tree.update();
    assert.equal(world.badge, undefined);
  });

  test('names the files; a click shows the changes', () => {
    const node: Node = { kind: 'approval', approval: wait(1) };
    const item = tree.getTreeItem(node);
    assert.equal(item.label, 'docs/notes.md');
    assert.equal(item.description, 'INT-001 · write_to_file');
    assert.deepEqual(item.command?.arguments, [node]);
  });

  test('of no file and no intent names the tool', () => {
    const approval = { ...wait(1), proposal: proposal('?', { paths: [], intent_id: null, tool_name: 'Bash' }) };
    const item = tree.getTreeItem({ kind: 'approval', approval });
    assert.equal(item.label, 'Bash');
    assert.equal(item.description, 'no intent · Bash');
  });

  test('offers to expand the scope only if the server does', () => {
    const plain = tree.getTreeItem({ kind: 'approval', approval: wait(1) });
    const expandable = tree.getTreeItem({ kind: 'approval', approval: wait(2, ['Approve', 'Expand scope']) });
    assert.equal(plain.contextValue, 'approval');
    assert.equal(expandable.contextValue, 'approval.expandable');
  });
});

describe('the files of an intent', () => {
  const node: Node = { kind: 'intent', intent: intent('INT-003'), active: true };

  test('have their changes in the order of the records', async () => {
    const [both, only] = [fileEntry('src/a.py'), fileEntry('src/gone.py')];
    const entries = [record([both, only], { id: 'new' }), record([both], { id: 'old' })];
    server.answers['intent.queryTrace'] = () => ({ entries });
    const files = await tree.getChildren(node);
    assert.deepEqual(server.calls, [['intent.queryTrace', { intent_id: 'INT-003', limit: 200 }]]);
    assert.deepEqual(
      files.map((file) => file.kind === 'file' && [file.path, file.changes.map(([change]) => change.id)]),
      [
        ['src/a.py', ['new', 'old']],
        ['src/gone.py', ['new']],
      ],
    );
  });

  test('open with a click if they exist; else an icon says whether they ever did', async () => {
    const refused = record([fileEntry('src/never.py')], { success: false });
    const entries = [record([fileEntry('src/a.py'), fileEntry('src/gone.py')]), refused];
    server.answers['intent.queryTrace'] = () => ({ entries });
    const [present, gone, never] = await items(node);
    assert.ok(present && gone && never);
    assert.equal(present.command?.command, 'vscode.open');
    assert.equal(present.contextValue, 'file');
    assert.equal(gone.command, undefined);
    assert.deepEqual([present, gone, never].map(symbol), ['file', 'trash', 'circle-slash']);
  });

  test('say what was done last, and when', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-02-18T18:40:00Z') });
    const entries = [record([fileEntry('src/a.py')], { success: false }), record([fileEntry('src/a.py')])];
    server.answers['intent.queryTrace'] = () => ({ entries });
    const [item] = await items(node);
    mock.timers.reset();
    assert.equal(item?.description, 'refused 10 minutes ago');
  });
});

test('a change shows who, which lines and why it was refused, and opens at its first line', async () => {
  const file = fileEntry('src/a.py');
  const change = record([file], { success: false, error: 'Scope Violation', mutation_class: 'REFACTOR' });
  const [node] = await tree.getChildren({ kind: 'file', path: 'src/a.py', uri: undefined, changes: [[change, file]] });
  assert.ok(node);
  const item = tree.getTreeItem(node);
  assert.equal(item.label, 'refused');
  assert.match(String(item.description), /^lines 3-5 · /);
  assert.equal(item.tooltip, 'write_to_file\nREFACTOR\nScope Violation\n2026-02-18T18:30:00Z');
  assert.deepEqual(item.command?.arguments, ['src/a.py', 3]);
  assert.deepEqual(await tree.getChildren(node), []);
});
