import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import * as vscode from 'vscode';
import { Proposals } from '../src/proposals';
import type { ProposedFile } from '../src/protocol';
import { proposal } from './fakes/data';
import { reset, world } from './fakes/vscode';

let proposals: Proposals;

beforeEach(() => {
  reset();
  proposals = new Proposals();
});

const changed: ProposedFile = { path: 'a.py', change: 'modify', before: 'old\n', after: 'new\n' };
const binary: ProposedFile = { path: 'logo.png', change: 'modify' };

function textOf(uri: unknown): string {
  return proposals.provideTextDocumentContent(uri as vscode.Uri);
}

describe('the changes of a proposal', () => {
  test('can be shown if at least one file is text', () => {
    assert.equal(Proposals.canShow(proposal('?', { files: [binary] })), false);
    assert.equal(Proposals.canShow(proposal('?', { files: [] })), false);
    assert.equal(Proposals.canShow(proposal('?', { files: [binary, changed] })), true);
  });

  test('of one file are a diff of the text before and after', async () => {
    await proposals.show(1, proposal('?', { files: [changed] }));
    const [command, before, after, title] = world.executed[0] ?? [];
    assert.equal(command, 'vscode.diff');
    assert.equal(textOf(before), 'old\n');
    assert.equal(textOf(after), 'new\n');
    assert.equal(title, 'a.py (proposed)');
  });

  test('of several files are one editor with all diffs', async () => {
    await proposals.show(1, proposal('?', { files: [changed, { ...changed, path: 'b.py', after: 'b\n' }] }));
    const [command, title, diffs] = world.executed[0] as [string, string, unknown[][]];
    assert.equal(command, 'vscode.changes');
    assert.equal(title, 'a.py, b.py (proposed)');
    assert.deepEqual(
      diffs.map((diff) => diff.slice(1).map(textOf)),
      [
        ['old\n', 'new\n'],
        ['old\n', 'b\n'],
      ],
    );
  });

  test('of a file that does not exist yet start with nothing', async () => {
    await proposals.show(1, proposal('?'));
    assert.equal(textOf(world.executed[0]?.[1]), '');
    assert.equal(textOf(world.executed[0]?.[2]), '# Notes\n');
  });

  test('of a renamed file have the old name on the left', async () => {
    await proposals.show(1, proposal('?', { files: [{ ...changed, change: 'rename', old_path: 'old.py' }] }));
    const [, before, after] = world.executed[0] as [string, vscode.Uri, vscode.Uri];
    assert.match(before.path, /\/old\.py$/);
    assert.match(after.path, /\/a\.py$/);
  });

  test('of no file open nothing', async () => {
    await proposals.show(1, proposal('?', { files: [] }));
    assert.deepEqual(world.executed, []);
  });
});

test('when a question is over, its diffs are closed and those of the others stay', async () => {
  await proposals.show(1, proposal('?', { files: [changed] }));
  await proposals.show(12, proposal('?', { files: [changed] }));
  const tabs = world.executed.map((call) => ({
    input: new vscode.TabInputTextDiff(call[1] as vscode.Uri, call[2] as vscode.Uri),
  }));
  world.tabs = [...tabs, { input: 'some other tab' }];
  proposals.close(1);
  assert.deepEqual(world.tabs, [tabs[1], { input: 'some other tab' }]);
  assert.equal(textOf(world.executed[0]?.[2]), '');
  assert.equal(textOf(world.executed[1]?.[2]), 'new\n');
});
