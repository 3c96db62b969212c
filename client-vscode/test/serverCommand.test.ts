import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import { type Launch, serverCommand } from '../src/serverCommand';
import { Programs, SKIP } from './fakes/programs';
import { logChannel, reset, Uri, world } from './fakes/vscode';

const SCRIPT = '/extension/bundled/launch.py';

let programs: Programs;
let folder: string;

beforeEach(() => {
  reset();
  programs = new Programs();
  folder = path.join(programs.folder, 'app');
  world.folders = [Uri.file(folder)];
});

afterEach(() => programs.remove());

function find(): Promise<Launch | undefined> {
  const context = { asAbsolutePath: (relative: string) => path.join('/extension', relative) };
  return serverCommand(context as ExtensionContext, logChannel() as unknown as LogOutputChannel);
}

describe('the server', { skip: SKIP }, () => {
  test('is the one that the setting names, before all others', async () => {
    const chosen = programs.server('chosen');
    const others = [programs.server('intentls'), programs.python('app/.venv/bin/python', 'intentls')];
    world.settings.set('intentls.server.path', ` ${chosen} `);
    const launch = await find();
    assert.deepEqual([launch?.command, launch?.args], [chosen, []]);
    assert.deepEqual(
      others.map((program) => programs.ran(program)),
      [false, false],
    );
  });

  test('is no other than the one that the setting names, even if that one does not work', async () => {
    programs.server('intentls');
    world.settings.set('intentls.server.path', '/nowhere/intentls');
    await assert.rejects(find(), /^Error: \/nowhere\/intentls, which the setting intentls.server.path names, is not/);
  });

  test("is the workspace's own before the one on PATH", async () => {
    const python = programs.python('app/.venv/bin/python', 'intentls 1.0');
    programs.server('intentls');
    const launch = await find();
    assert.deepEqual([launch?.command, launch?.args], [python, ['-P', '-m', 'intentls']]);
  });

  test('is the one on PATH where the environment has none', async () => {
    const python = programs.python('app/.venv/bin/python');
    programs.server('intentls');
    assert.equal((await find())?.command, 'intentls');
    assert.ok(programs.ran(python));
  });

  test('is the copy in the extension where nothing is installed, with the first Python that can run it', async () => {
    programs.python('python3');
    programs.python('python', 'intentls 1.0');
    const launch = await find();
    assert.deepEqual([launch?.command, launch?.args], ['python', ['-P', SCRIPT]]);
  });

  test('is that copy with a newer Python that stands behind an old `python3`', async () => {
    programs.python('python3');
    programs.python('python3.12', 'intentls 1.0');
    assert.equal((await find())?.command, 'python3.12');
  });

  test("is that copy with the workspace's Python rather than with another", async () => {
    const python = programs.barePython('app/.venv/bin/python');
    programs.barePython('python3');
    const launch = await find();
    assert.deepEqual([launch?.command, launch?.args], [python, ['-P', SCRIPT]]);
  });

  test('is not a program that happens to have its name', async () => {
    programs.python('intentls', 'something else 1.0');
    programs.python('python3', 'intentls 1.0');
    assert.equal((await find())?.command, 'python3');
  });

  test('is missing where no Python can run it; the log says why', async () => {
    programs.python('python3');
    assert.equal(await find(), undefined);
    assert.ok(world.logged.includes(`python3 -P ${SCRIPT}: no module`), world.logged.join('\n'));
  });

  test('in a workspace without trust: nothing of the workspace is run', async () => {
    const python = programs.python('app/.venv/bin/python', 'intentls 1.0');
    programs.server('intentls');
    world.trusted = false;
    world.pythonExtension = () => assert.fail('asked for an environment');
    assert.equal((await find())?.command, 'intentls');
    assert.equal(programs.ran(python), false);
  });
});

describe("the workspace's Python", { skip: SKIP }, () => {
  const environments = (executable: string | undefined) => () => ({
    environments: {
      getActiveEnvironmentPath: () => ({ path: 'some environment' }),
      resolveEnvironment: () => Promise.resolve(executable && { executable: { uri: Uri.file(executable) } }),
    },
  });

  test('is first the one that is chosen in the Python extension', async () => {
    const python = programs.python('chosen/python', 'intentls 1.0');
    programs.python('app/.venv/bin/python', 'intentls 1.0');
    world.pythonExtension = environments(python);
    assert.equal((await find())?.command, python);
  });

  test('is .venv where the Python extension knows none, or fails', async () => {
    const python = programs.python('app/.venv/bin/python', 'intentls 1.0');
    world.pythonExtension = environments(undefined);
    assert.equal((await find())?.command, python);
    world.pythonExtension = () => {
      throw new Error('it is broken');
    };
    assert.equal((await find())?.command, python);
    assert.ok(world.logged.some((line) => line.includes('it is broken')));
  });

  test('is the one of the setting python.defaultInterpreterPath, below the workspace folder', async () => {
    const python = programs.python('app/env/bin/python', 'intentls 1.0');
    world.settings.set('python.defaultInterpreterPath', '${workspaceFolder}/env/bin/python');
    assert.equal((await find())?.command, python);
  });
});
