import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import * as vscode from 'vscode';
import type { RootState } from '../src/protocol';
import { Status } from '../src/status';
import { activeRoot, rootState } from './fakes/data';
import { FakeServer } from './fakes/server';
import { reset, Uri, world } from './fakes/vscode';

beforeEach(reset);

function show(...roots: RootState[]): FakeServer {
  const server = new FakeServer();
  server.roots = roots;
  new Status(server.typed).update();
  return server;
}

describe('the status bar', () => {
  test('is empty where nothing is governed; the language status offers to create an intent', () => {
    show(rootState({ state: 'ungoverned' }));
    assert.equal(world.statusBar.visible, false);
    assert.equal(world.languageStatus.text, 'No intents declared');
    assert.equal(world.languageStatus.command?.command, 'intentls.createIntent');
  });

  test('asks to select an intent where none is active', () => {
    show(rootState());
    assert.equal(world.statusBar.visible, true);
    assert.equal(world.statusBar.text, '$(circle-slash) No intent');
    assert.equal(world.statusBar.command?.command, 'intentls.selectIntent');
    assert.equal(world.languageStatus.severity, vscode.LanguageStatusSeverity.Warning);
  });

  test('shows the active intent, with its name, status and scope, also to a screen reader', () => {
    show(activeRoot('INT-002'));
    assert.equal(world.statusBar.text, '$(target) INT-002');
    assert.equal(world.statusBar.tooltip, 'INT-002 Name of INT-002 · IN_PROGRESS · src/**');
    assert.equal(world.statusBar.accessibilityInformation?.label, 'Active intent INT-002 Name of INT-002');
    assert.equal(world.languageStatus.text, 'Active intent INT-002 Name of INT-002');
    assert.equal(world.languageStatus.severity, vscode.LanguageStatusSeverity.Information);
  });

  test('says that agents are blocked where the intents are broken, and leads to the line', () => {
    const problem = { path: '.orchestration/active_intents.yaml', line: 3, message: 'not valid YAML' };
    const text = 'All agent edits are blocked. .orchestration/active_intents.yaml, line 3: not valid YAML.';
    show(rootState({ state: 'broken', blocked: true, text, problem }));
    assert.equal(world.statusBar.text, '$(error) Agents blocked, line 3');
    assert.equal(world.statusBar.tooltip, text);
    assert.equal(world.statusBar.backgroundColor?.id, 'statusBarItem.errorBackground');
    assert.equal(world.statusBar.command?.command, 'intentls.showProblem');
  });

  test('warns where policy lets agents go on although the intents are broken', () => {
    show(rootState({ state: 'broken' }));
    assert.equal(world.statusBar.text, '$(warning) Intents unreadable');
    assert.equal(world.statusBar.backgroundColor, undefined);
  });

  for (const [state, text, command] of [
    ['unusable', '$(warning) INT-009', 'intentls.selectIntent'],
    ['undeclared', '$(circle-slash) No intents', 'intentls.createIntent'],
    ['other_branch', '$(git-branch) No intents on this branch', 'intentls.createIntent'],
  ] as const) {
    test(`has words for a root that is ${state}`, () => {
      show(rootState({ state, text: 'In a sentence.', intent_id: state === 'unusable' ? 'INT-009' : null }));
      assert.deepEqual([world.statusBar.text, world.statusBar.command?.command], [text, command]);
      assert.equal(world.statusBar.tooltip, 'In a sentence.');
      assert.equal(world.languageStatus.severity, vscode.LanguageStatusSeverity.Warning);
    });
  }

  test('turns while the server starts, and until it has told the state', () => {
    const server = new FakeServer();
    server.state = 'starting';
    new Status(server.typed).update();
    assert.equal(world.statusBar.text, '$(sync~spin) Intents');
    assert.equal(world.languageStatus.busy, true);
    show();
    assert.equal(world.statusBar.text, '$(sync~spin) Intents');
  });

  test('is red while the server does not run, and offers a restart', () => {
    const server = new FakeServer();
    server.state = 'failed';
    const status = new Status(server.typed);
    status.update();
    assert.equal(world.statusBar.backgroundColor?.id, 'statusBarItem.errorBackground');
    assert.equal(world.statusBar.command?.command, 'intentls.restart');
    server.state = 'running';
    status.update();
    assert.equal(world.statusBar.backgroundColor, undefined);
  });

  test('is that of the root that the active file is in, and names it', () => {
    const two = activeRoot('INT-001', { root: '/work/two', name: 'two' });
    world.activeDocument = { uri: Uri.file('/work/two/a.py'), isDirty: false, text: '' };
    show(rootState({ root: '/work/one', name: 'one' }), two);
    assert.equal(world.statusBar.text, '$(target) INT-001 (two)');
  });
});
