import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { LineAuthor } from '../src/lineAuthor';
import { FakeServer } from './fakes/server';
import { events, Position, Range, reset, Uri, world } from './fakes/vscode';

let server: FakeServer;
let author: LineAuthor;
let shown: string[];

beforeEach(() => {
  reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  server = new FakeServer();
  server.own['intentls/lineAuthor'] = (params) => {
    const { line } = params as { line: number };
    return line === 9 ? null : { text: `Ada, line ${line}`, recorded: true };
  };
  author = new LineAuthor(server.typed);
  shown = ['?'];
});

afterEach(() => {
  author.dispose();
  mock.timers.reset();
});

function editor(line: number, uri = Uri.file('/work/app/a.py')) {
  const end = new Position(line, 5);
  return {
    document: { uri, lineAt: () => ({ range: new Range(end, end) }) },
    selection: { active: { line } },
    setDecorations: (_: unknown, decorations: { renderOptions: { after: { contentText: string } } }[]) => {
      shown = decorations.map(({ renderOptions }) => renderOptions.after.contentText);
    },
  };
}

async function rest(): Promise<void> {
  mock.timers.tick(150);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

test('the author of the current line follows the cursor once it rests', async () => {
  events.cursor.fire({ textEditor: editor(1) });
  mock.timers.tick(100);
  events.cursor.fire({ textEditor: editor(2) });
  await rest();
  assert.deepEqual(shown, ['Ada, line 2']);
});

test('a line of which nothing is known shows nothing', async () => {
  events.cursor.fire({ textEditor: editor(9) });
  await rest();
  assert.deepEqual(shown, []);
});

test('nothing is shown where the setting is off, in what is no file, and without a server', async () => {
  world.settings.set('intentls.currentLine', false);
  events.cursor.fire({ textEditor: editor(1) });
  await rest();
  assert.deepEqual(shown, []);
  world.settings.clear();
  events.editor.fire(editor(1, Uri.from({ scheme: 'output', path: '/log' })));
  await rest();
  assert.deepEqual(shown, []);
  server.state = 'failed';
  world.activeEditor = editor(1);
  server.fire();
  await rest();
  assert.deepEqual(shown, []);
});

test('an answer that comes after the cursor went on is not shown', async () => {
  const first = editor(1);
  server.own['intentls/lineAuthor'] = () => {
    first.selection.active.line = 4;
    return { text: 'too late', recorded: true };
  };
  events.cursor.fire({ textEditor: first });
  await rest();
  assert.deepEqual(shown, ['?']);
});
