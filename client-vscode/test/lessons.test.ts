import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import * as vscode from 'vscode';
import { Lessons } from '../src/lessons';
import { FakeServer } from './fakes/server';
import { type Document, events, reset, Uri, world } from './fakes/vscode';

const { Error: Failure, Warning, Information } = vscode.DiagnosticSeverity;

let server: FakeServer;
let lessons: Lessons;
let file: Document;

beforeEach(() => {
  reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  file = { uri: Uri.file('/work/app/main.py'), isDirty: false, text: '' };
  world.documents = [file];
  server = new FakeServer({ 'intent.recordLesson': () => ({ recorded: 1 }) });
});

afterEach(() => {
  lessons.dispose();
  mock.timers.reset();
});

function line(number: number): vscode.Range {
  return new vscode.Range(new vscode.Position(number, 0), new vscode.Position(number, 9));
}

function problem(message: string, more: Partial<vscode.Diagnostic> = {}): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(line(0), message, Failure);
  return Object.assign(diagnostic, { source: 'ruff', code: 'E1' }, more);
}

/** Other extensions report these problems of the file, and no others. */
function report(...problems: vscode.Diagnostic[]): void {
  world.diagnostics.set(file.uri.toString(), problems);
  events.diagnostics.fire({ uris: [file.uri] });
}

function begin(...problems: vscode.Diagnostic[]): void {
  world.diagnostics.set(file.uri.toString(), problems);
  lessons = new Lessons(server.typed);
}

function recorded(): unknown[] {
  return server.calls.map(([, argument]) => (argument as { problems: vscode.Diagnostic[] }).problems);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe('a problem', () => {
  test('that is reported after a save becomes a lesson of its file', async () => {
    begin();
    events.saved.fire(file);
    report(problem('undefined name'));
    mock.timers.tick(1_500);
    await settle();
    assert.deepEqual(server.calls, [
      ['intent.recordLesson', { path: 'file:///work/app/main.py', problems: [problem('undefined name')] }],
    ]);
    assert.deepEqual(world.logged, ['1 of 1 new problems of /work/app/main.py were recorded as lessons']);
  });

  test('that the file had when it was opened is not new', () => {
    begin(problem('old'));
    events.saved.fire(file);
    report(problem('old'), problem('new'));
    mock.timers.tick(1_500);
    assert.deepEqual(recorded(), [[problem('new')]]);
  });

  test('that was reported between opening and saving is not new', () => {
    begin();
    report(problem('the linter was slow'));
    events.saved.fire(file);
    mock.timers.tick(5_000);
    assert.deepEqual(recorded(), []);
  });

  test('of a text that is being changed is new with the save', () => {
    begin();
    file.isDirty = true;
    report(problem('just typed'));
    file.isDirty = false;
    events.saved.fire(file);
    mock.timers.tick(5_000);
    assert.deepEqual(recorded(), [[problem('just typed')]]);
  });

  test('that has only moved is not new; with another code it is', () => {
    begin(problem('same', { range: line(1) }));
    events.saved.fire(file);
    report(problem('same', { range: line(9) }));
    mock.timers.tick(1_500);
    assert.deepEqual(recorded(), []);
    events.saved.fire(file);
    report(problem('same', { code: 'E2' }));
    mock.timers.tick(1_500);
    assert.equal(recorded().length, 1);
  });

  test('is the same if its code is, whatever else comes with the code', () => {
    const code = (target: string) => ({ value: 'E1', target: vscode.Uri.file(target) });
    begin(problem('same', { code: code('/help/old') }));
    events.saved.fire(file);
    report(problem('same', { code: code('/help/new') }));
    mock.timers.tick(1_500);
    assert.deepEqual(recorded(), []);
  });

  test('is recorded once, not with each save', () => {
    begin();
    events.saved.fire(file);
    report(problem('new'));
    mock.timers.tick(1_500);
    events.saved.fire(file);
    mock.timers.tick(5_000);
    assert.equal(recorded().length, 1);
  });

  test('of intentls itself, or less than a warning, is none', () => {
    begin();
    events.saved.fire(file);
    report(problem('out of scope', { source: 'intentls' }), problem('a hint', { severity: Information }));
    mock.timers.tick(1_500);
    assert.deepEqual(recorded(), []);
    events.saved.fire(file);
    report(problem('a warning', { severity: Warning }));
    mock.timers.tick(1_500);
    assert.equal(recorded().length, 1);
  });
});

describe('after a save', () => {
  test('the first report is awaited for five seconds, and further ones for as long as they keep coming', () => {
    begin();
    events.saved.fire(file);
    mock.timers.tick(4_999);
    report(problem('first'));
    mock.timers.tick(1_499);
    report(problem('first'), problem('second'));
    mock.timers.tick(1_499);
    assert.deepEqual(recorded(), []);
    mock.timers.tick(1);
    assert.deepEqual(recorded(), [[problem('first'), problem('second')]]);
  });

  test('nothing is recorded if the setting says so', () => {
    world.settings.set('intentls.lessons.forward', false);
    begin();
    events.saved.fire(file);
    report(problem('new'));
    mock.timers.tick(10_000);
    assert.deepEqual(recorded(), []);
  });

  test('of what is no file, nothing is recorded', () => {
    begin();
    const settings = { uri: Uri.from({ scheme: 'vscode-userdata', path: '/settings.json' }), isDirty: false, text: '' };
    world.diagnostics.set(settings.uri.toString(), [problem('new')]);
    events.saved.fire(settings);
    mock.timers.tick(10_000);
    assert.deepEqual(recorded(), []);
  });

  test('a file that is closed still has its lessons recorded', () => {
    begin(problem('old'));
    events.saved.fire(file);
    events.closed.fire(file);
    report(problem('old'), problem('new'));
    mock.timers.tick(1_500);
    assert.deepEqual(recorded(), [[problem('new')]]);
  });

  test('a refusal is logged and not shown', async () => {
    server = new FakeServer();
    begin();
    events.saved.fire(file);
    report(problem('new'));
    mock.timers.tick(1_500);
    await settle();
    assert.match(world.logged[0] ?? '', /^No lessons from .*refused/);
    assert.deepEqual(world.messages, []);
  });
});
