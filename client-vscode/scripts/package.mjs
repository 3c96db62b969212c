// Makes the .vsix of this platform: the extension, the schemas, and a server that runs with any Python from 3.11 on.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync } from 'node:fs';
import path from 'node:path';

const here = path.dirname(import.meta.dirname);
const project = path.dirname(here);
const python = process.env.PYTHON ?? (process.platform === 'win32' ? 'python' : 'python3');

const run = (command, ...args) => execFileSync(command, args, { cwd: here, stdio: 'inherit' });

run(python, path.join('scripts', 'bundle.py'));
copyFileSync(path.join(project, 'LICENSE'), path.join(here, 'LICENSE'));
copyFileSync(path.join(project, 'CHANGELOG.md'), path.join(here, 'CHANGELOG.md'));
cpSync(path.join(project, 'server', 'intentls', 'schemas'), path.join(here, 'schemas'), { recursive: true });
const target = `${process.platform}-${process.arch}`;
// The changelog's links lead into the repository, whose address a package from a clone does not know.
const links = '--no-rewrite-relative-links';
// The search for secrets would read every file of the bundled libraries, which takes ten times as long as the rest.
const vsce = path.join(here, 'node_modules', '@vscode', 'vsce', 'vsce');
run(process.execPath, vsce, 'package', '--no-dependencies', '--allow-missing-repository', links, '--allow-package-all-secrets', '--target', target, ...process.argv.slice(2));
