import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { findFile, forgetRoots, openFile, roots } from '../src/roots';
import { reset, world } from './fakes/vscode';

beforeEach(() => {
  reset();
  forgetRoots();
  world.files = [
    '/work/app/vendor/.orchestration/active_intents.yaml',
    '/work/app/.orchestration/active_intents.yaml',
    '/work/app/vendor/util.py',
    '/work/app/main.py',
    '/work/app/vendor/main.py',
  ];
});

describe('the roots of a workspace', () => {
  test('are the folders that hold intents, the shortest path first', async () => {
    assert.deepEqual(
      (await roots()).map((root) => root.path),
      ['/work/app', '/work/app/vendor'],
    );
  });

  test('may hold one file an intent', async () => {
    world.files = ['/work/b/.orchestration/intents/INT-1.yaml', '/work/b/.orchestration/intents/INT-2.yaml'];
    assert.deepEqual(
      (await roots()).map((root) => root.path),
      ['/work/b'],
    );
  });

  test('are searched once, and again after a change', async () => {
    await Promise.all([roots(), roots()]);
    assert.equal(world.searches, 2, 'one for lists of intents, one for files of single intents');
    world.files = [];
    assert.equal((await roots()).length, 2);
    forgetRoots();
    assert.equal((await roots()).length, 0);
  });
});

describe('a path of an answer', () => {
  test('names the file of the first root that has it', async () => {
    assert.equal((await findFile('main.py'))?.path, '/work/app/main.py');
    assert.equal((await findFile('util.py'))?.path, '/work/app/vendor/util.py');
    assert.equal(await findFile('gone.py'), undefined);
  });

  test('opens at its line, or at its start', async () => {
    await openFile('main.py', 7);
    await openFile('main.py', 0);
    await openFile('util.py');
    assert.deepEqual(world.shown, [
      { path: '/work/app/main.py', line: 6 },
      { path: '/work/app/main.py', line: 0 },
      { path: '/work/app/vendor/util.py', line: undefined },
    ]);
  });

  test('that names no file any more is told, and nothing opens', async () => {
    await openFile('gone.py', 3);
    assert.deepEqual(world.shown, []);
    assert.equal(world.messages[0]?.text, 'There is no file gone.py now.');
  });
});
