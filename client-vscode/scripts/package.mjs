// Makes the .vsix of this platform: the extension, the schemas, and a server that runs with any Python from 3.11 on.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync } from 'node:fs';
import path from 'node:path';

const here = path.dirname(import.meta.dirname);
const project = path.dirname(here);
const python = process.env.PYTHON ?? (process.platform === 'win32' ? 'python' : 'python3');

const run = (command, ...args) => execFileSync(command, args, { cwd: here, stdio: 'inherit' });

run(python, path.join('scripts', 'bundle.py'));
copyFileSync(path.join(project, 'LICENSE'), path.join(here, 'LICENSE'));
copyFileSync(path.join(project, 'CHANGELOG.md'), path.join(here, 'CHANGELOG.md'));
cpSync(path.join(project, 'server', 'intentls', 'schemas'), path.join(here, 'schemas'), { recursive: true });
// The extension has the server's version; package.json says 0.0.0, so that it is written in one place.
const server = readFileSync(path.join(project, 'server', 'intentls', '__init__.py'), 'utf8');
const version = /^__version__ = "(.+)"$/m.exec(server)?.[1];
if (version === undefined) throw new Error('server/intentls/__init__.py has no line __version__ = "..."');
const target = `${process.platform}-${process.arch}`;
// The search for secrets would read every file of the bundled libraries, which takes ten times as long as the rest.
const vsce = path.join(here, 'node_modules', '@vscode', 'vsce', 'vsce');
run(
  process.execPath,
  vsce,
  'package',
  version,
  '--no-update-package-json',
  '--no-git-tag-version',
  '--no-dependencies',
  '--no-gitHubIssueLinking',
  '--allow-package-all-secrets',
  '--target',
  target,
  ...process.argv.slice(2),
);
