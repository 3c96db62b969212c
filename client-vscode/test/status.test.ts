import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import * as vscode from 'vscode';
import type { Intent, SessionAnswer } from '../src/protocol';
import { Status } from '../src/status';
import { intent } from './fakes/data';
import { FakeServer } from './fakes/server';
import { reset, world } from './fakes/vscode';

beforeEach(reset);

function serverWith(intents: Intent[], active: string | null = null): FakeServer {
  return new FakeServer({
    'intent.listIntents': () => ({ intents }),
    'intent.getActiveIntent': () => ({ state: active === null ? 'IDLE' : 'ACTIVE', intent_id: active }),
  });
}

describe('the status bar', () => {
  test('is empty where no intents are declared; the language status offers to create one', async () => {
    const server = serverWith([intent('INT-001')]);
    const status = new Status(server.typed);
    await status.update();
    server.answers['intent.listIntents'] = () => ({ intents: [] });
    await status.update();
    assert.equal(world.statusBar.visible, false);
    assert.equal(world.languageStatus.text, 'No intents declared');
    assert.equal(world.languageStatus.command?.command, 'intentls.createIntent');
  });

  test('asks to select an intent where none is active', async () => {
    await new Status(serverWith([intent('INT-001')]).typed).update();
    assert.equal(world.statusBar.visible, true);
    assert.equal(world.statusBar.text, '$(circle-slash) No intent');
    assert.equal(world.statusBar.command?.command, 'intentls.selectIntent');
    assert.equal(world.languageStatus.severity, vscode.LanguageStatusSeverity.Warning);
  });

  test('shows the active intent, with its name, status and scope', async () => {
    await new Status(serverWith([intent('INT-001'), intent('INT-002')], 'INT-002').typed).update();
    assert.equal(world.statusBar.text, '$(target) INT-002');
    assert.equal(world.statusBar.tooltip, 'Name of INT-002 · IN_PROGRESS · src/**');
    assert.equal(world.languageStatus.severity, vscode.LanguageStatusSeverity.Information);
  });

  test('warns if the active intent is not declared any more', async () => {
    await new Status(serverWith([], 'INT-009').typed).update();
    assert.equal(world.statusBar.text, '$(target) INT-009');
    assert.equal(world.languageStatus.severity, vscode.LanguageStatusSeverity.Warning);
  });

  test('turns while the server starts', async () => {
    const server = serverWith([]);
    server.state = 'starting';
    await new Status(server.typed).update();
    assert.equal(world.statusBar.text, '$(sync~spin) Intents');
    assert.equal(world.languageStatus.busy, true);
    assert.deepEqual(server.calls, []);
  });

  test('is red while the server does not run, and offers a restart', async () => {
    const server = serverWith([intent('INT-001')]);
    server.state = 'failed';
    const status = new Status(server.typed);
    await status.update();
    assert.equal(world.statusBar.backgroundColor?.id, 'statusBarItem.errorBackground');
    assert.equal(world.statusBar.command?.command, 'intentls.restart');
    server.state = 'running';
    await status.update();
    assert.equal(world.statusBar.backgroundColor, undefined);
  });
});

test('an answer that comes after a newer one is not shown', async () => {
  const server = serverWith([intent('INT-001')]);
  const status = new Status(server.typed);
  const answers: ((session: Partial<SessionAnswer>) => void)[] = [];
  server.answers['intent.getActiveIntent'] = () => new Promise((resolve) => answers.push(resolve));
  const [older, newer] = [status.update(), status.update()];
  while (answers.length < 2) await Promise.resolve();
  answers[1]?.({ state: 'IDLE', intent_id: null });
  await newer;
  answers[0]?.({ state: 'ACTIVE', intent_id: 'INT-001' });
  await older;
  assert.equal(world.statusBar.text, '$(circle-slash) No intent');
});
