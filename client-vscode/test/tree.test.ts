import assert from 'node:assert/strict';
import { beforeEach, describe, mock, test } from 'node:test';
import * as vscode from 'vscode';
import type { Question } from '../src/question';
import type { Questions } from '../src/questions';
import { forgetRoots } from '../src/roots';
import { type Node, Tree } from '../src/tree';
import { activeRoot, by, fileEntry, intent, question, record, rootState } from './fakes/data';
import { FakeServer } from './fakes/server';
import { events, reset, world } from './fakes/vscode';

let server: FakeServer;
let open: Question[];
let tree: Tree;

beforeEach(() => {
  reset();
  forgetRoots();
  world.files = ['/work/app/.orchestration/active_intents.yaml', '/work/app/src/a.py'];
  server = new FakeServer({
    'intent.listIntents': () => ({
      intents: [intent('INT-001', { open: false, status: 'DONE' }), intent('INT-002'), intent('INT-003')],
    }),
  });
  server.roots = [activeRoot('INT-003')];
  open = [];
  tree = new Tree(server.typed, { open } as unknown as Questions);
});

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
    const active = tree.getTreeItem({ kind: 'intent', intent: intent('INT-001'), root: '/work/app', active: true });
    const other = tree.getTreeItem({ kind: 'intent', intent: intent('INT-001'), root: '/work/app', active: false });
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

describe('the state of a root', () => {
  test('stands above its intents where it is broken, and leads to the line', async () => {
    const problem = { path: '.orchestration/active_intents.yaml', line: 3, message: 'not valid YAML' };
    server.roots = [
      rootState({
        state: 'broken',
        blocked: true,
        text: 'All agent edits are blocked. The file is bad. Fix it.',
        problem,
      }),
    ];
    server.answers['intent.listIntents'] = () => ({ intents: [] });
    const [notice] = await items();
    assert.equal(notice?.label, 'All agent edits are blocked');
    assert.equal(notice.description, 'line 3 of active_intents.yaml');
    assert.equal(notice.command?.command, 'intentls.showProblem');
    assert.equal(symbol(notice), 'error');
  });

  test('is left to the empty view where nothing is declared or governed', async () => {
    server.roots = [rootState({ state: 'undeclared' })];
    assert.deepEqual(await items(), []);
    server.roots = [rootState({ state: 'ungoverned' })];
    assert.deepEqual(await items(), []);
    assert.deepEqual(server.calls, []);
  });

  test('of several roots: each has its own intents, and one of them is active', async () => {
    const [one, two] = ['/work/one', '/work/two'];
    server.roots = [rootState({ root: one, name: 'one' }), activeRoot('INT-001', { root: two, name: 'two' })];
    server.answers['intent.listIntents'] = () => ({
      intents: [intent('INT-001', { root: one }), intent('INT-001', { root: two })],
    });
    const roots = await tree.getChildren();
    assert.deepEqual(
      roots.map((root) => [tree.getTreeItem(root).label, tree.getTreeItem(root).description]),
      [
        ['one', 'no intent'],
        ['two', 'INT-001'],
      ],
    );
    const intents = await Promise.all(roots.map((root) => tree.getChildren(root)));
    assert.deepEqual(
      intents.map((nodes) => nodes.map((node) => node.kind === 'intent' && [node.root, node.active])),
      [[[one, false]], [[two, true]]],
    );
  });
});

describe('who works on other machines', () => {
  const ada = {
    session_id: 'agent-1',
    intent_id: 'INT-001',
    person: 'Ada',
    host: 'laptop-7',
    branch: 'main',
    since: new Date().toISOString(),
    paths: ['src/a.py'],
  };
  const unknown = { ...ada, session_id: 'agent-2', intent_id: null, person: '', branch: '', paths: [] };

  async function last(): Promise<Node> {
    const nodes = await tree.getChildren();
    const [last] = nodes.slice(-1);
    assert.ok(last);
    return last;
  }

  test('stands below the intents: who, where, under which intent, with the files that are being changed', async () => {
    server.roots = [activeRoot('INT-003', { elsewhere: { sessions: [ada, unknown], trouble: null } })];
    const node = await last();
    assert.equal(tree.getTreeItem(node).description, '2 at work on 1 machine');
    const [first, second] = await tree.getChildren(node);
    assert.ok(first && second);
    assert.equal(tree.getTreeItem(first).label, 'Ada on laptop-7');
    assert.equal(tree.getTreeItem(first).description, 'INT-001 · main · just now');
    assert.match(tree.getTreeItem(first).tooltip as string, /session agent-1/);
    assert.equal(tree.getTreeItem(second).label, 'agent-2 on laptop-7');
    assert.equal(tree.getTreeItem(second).description, 'no intent · just now');
    assert.deepEqual(await tree.getChildren(second), []);
    const [file] = await items(first);
    assert.ok(file);
    assert.equal(file.label, 'src/a.py');
    assert.equal(file.description, 'is being changed');
    assert.equal(file.command?.command, 'vscode.open');
  });

  test('is nothing where nobody does, and a warning where they cannot be asked', async () => {
    server.roots = [activeRoot('INT-003', { elsewhere: { sessions: [], trouble: null } })];
    assert.equal((await last()).kind, 'intent');
    server.roots = [activeRoot('INT-003', { elsewhere: { sessions: [], trouble: 'Coordination Away: no answer.' } })];
    const item = tree.getTreeItem(await last());
    assert.equal(item.label, "Other machines can't be asked");
    assert.equal(item.tooltip, 'Coordination Away: no answer.');
  });
});

describe('what waits for an answer', () => {
  test('comes before the intents, and its number is on the badge', async () => {
    open.push(question(), question({ id: 'q-2' }));
    tree.update();
    assert.equal(world.badge?.value, 2);
    const [queue] = await tree.getChildren();
    assert.equal(queue?.kind, 'questions');
    assert.equal((await tree.getChildren(queue)).length, 2);
  });

  test('leaves no badge when it is answered', () => {
    open.push(question());
    tree.update();
    open.length = 0;
    tree.update();
    assert.equal(world.badge, undefined);
  });

  test('names the files, who asks and why; a click shows the changes', () => {
    const node: Node = { kind: 'question', question: question({ reason: 'the guide needs it' }) };
    const item = tree.getTreeItem(node);
    assert.equal(item.label, 'docs/notes.md');
    assert.equal(item.description, 'claude-opus-4-5 · INT-001');
    assert.match(item.tooltip as string, /wants to create docs\/notes\.md.*Why: the guide needs it$/);
    assert.deepEqual(item.command?.arguments, [node]);
  });

  test('of no file and no intent names the tool', () => {
    const asked = question({ paths: [], intent_id: null, tool: 'Bash', model: null });
    const item = tree.getTreeItem({ kind: 'question', question: asked });
    assert.equal(item.label, 'Bash');
    assert.equal(item.description, 'claude · no intent');
  });

  test('offers to expand the scope only if the server does', () => {
    const plain = tree.getTreeItem({ kind: 'question', question: question({ actions: ['Approve', 'Reject'] }) });
    assert.equal(plain.contextValue, 'question');
    assert.equal(tree.getTreeItem({ kind: 'question', question: question() }).contextValue, 'question.expandable');
  });
});

test('a screen reader hears the label and the description, not the tooltip', async () => {
  const [, third] = await items();
  assert.equal(third?.accessibilityInformation?.label, 'INT-003  Name of INT-003, IN_PROGRESS · active');
});

test('times are told again when the view is shown', () => {
  let changes = 0;
  tree.onDidChangeTreeData(() => (changes += 1));
  events.visibility.fire({ visible: false });
  events.visibility.fire({ visible: true });
  assert.equal(changes, 1);
});

describe('the files of an intent', () => {
  const node: Node = { kind: 'intent', intent: intent('INT-003'), root: '/work/app', active: true };

  test('have their changes in the order of the records', async () => {
    const [both, only] = [fileEntry('src/a.py'), fileEntry('src/gone.py')];
    const entries = [record([both, only], { id: 'new' }), record([both], { id: 'old' })];
    server.answers['intent.queryTrace'] = () => ({ entries });
    const files = await tree.getChildren(node);
    assert.deepEqual(server.calls, [['intent.queryTrace', { intent_id: 'INT-003', root: '/work/app', limit: 200 }]]);
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

describe('a change', () => {
  const node = (more: Parameters<typeof record>[1]): Node => {
    const file = fileEntry('src/a.py', { conversations: [by('anthropic/claude-opus-4-5', [3, 5])] });
    return { kind: 'change', record: record([file], more), file, root: '/work/app' };
  };

  test('that was refused says to whom and why, and can be made possible', async () => {
    const refused = node({ success: false, error: 'Scope Violation', code: 'SCOPE_VIOLATION' });
    const item = tree.getTreeItem(refused);
    assert.equal(item.label, 'refused to claude-opus-4-5');
    assert.match(String(item.description), /^lines 3-5 · /);
    assert.match(item.tooltip as string, /^write to file\nScope Violation\n/);
    assert.equal(item.contextValue, 'change.outOfScope');
    assert.equal(item.command?.command, 'intentls.showRefusal');
    assert.deepEqual(await tree.getChildren(refused), []);
  });

  test('that was made out of scope looks like it', () => {
    const item = tree.getTreeItem(node({ scope_validation: 'FAIL' }));
    assert.equal(item.label, 'changed by claude-opus-4-5, out of scope');
    assert.equal(symbol(item), 'warning');
    assert.equal(item.command?.command, 'intentls.openChange');
  });
});
