/** The command that starts the server: from the setting, the Python environment, PATH, or the copy in this package. */

import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';

export interface Launch {
  command: string;
  args: string[];
  origin: string;
}

/** Outside the workspace, because a program of the same name in the current folder might run instead. */
export const SAFE_FOLDER = os.homedir();
/** On PATH, newest first: `python3` alone may be an old one that stands before a newer. */
const PYTHONS = [
  ...['3.14', '3.13', '3.12', '3.11'].map((version) => `python${version}`),
  ...['python3', 'python', ...(process.platform === 'win32' ? ['py'] : [])],
];
const PROBE_TIMEOUT_MS = 20_000;
const WINDOWS = process.platform === 'win32';

/** The first command that answers; undefined if there is none. Throws if the setting names one that does not. */
export async function serverCommand(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<Launch | undefined> {
  const chosen = vscode.workspace.getConfiguration('intentls').get<string>('server.path', '').trim();
  if (chosen) {
    const launch = { command: chosen, args: [], origin: 'the setting intentls.server.path' };
    if (await answers(launch, log)) return launch;
    throw new Error(`${chosen}, which the setting intentls.server.path names, is not a working intentls. See the log.`);
  }
  const pythons = await interpreters(log);
  for (const python of pythons) {
    // -P: a folder named intentls where Python starts is not the package
    const launch = { command: python, args: ['-P', '-m', 'intentls'], origin: `the Python environment ${python}` };
    if (await answers(launch, log)) return launch;
  }
  const installed = { command: 'intentls', args: [], origin: 'PATH' };
  if (await answers(installed, log)) return installed;
  const script = context.asAbsolutePath(path.join('bundled', 'launch.py'));
  for (const python of [...new Set([...pythons, ...PYTHONS])]) {
    const launch = { command: python, args: ['-P', script], origin: `the copy in this extension, with ${python}` };
    if (await answers(launch, log)) return launch;
  }
  return undefined;
}

/** Python interpreters that belong to the workspace: none of them is run before the workspace is trusted. */
async function interpreters(log: vscode.LogOutputChannel): Promise<string[]> {
  if (!vscode.workspace.isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const pythons = [await chosenByPythonExtension(folders[0]?.uri, log)];
  for (const folder of folders.filter(({ uri }) => uri.scheme === 'file')) {
    const binary = path.join(folder.uri.fsPath, '.venv', ...(WINDOWS ? ['Scripts', 'python.exe'] : ['bin', 'python']));
    if (fs.existsSync(binary)) pythons.push(binary);
    const configured = vscode.workspace.getConfiguration('python', folder.uri).get<string>('defaultInterpreterPath');
    if (configured && configured !== 'python') {
      pythons.push(configured.replaceAll('${workspaceFolder}', folder.uri.fsPath).replace(/^~(?=\/)/, os.homedir()));
    }
  }
  return [...new Set(pythons.filter((python) => python !== undefined))];
}

/** The part of the API of `ms-python.python` that is used here. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

async function chosenByPythonExtension(folder: vscode.Uri | undefined, log: vscode.LogOutputChannel) {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  try {
    const environments = (await extension?.activate())?.environments;
    const environment = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
    return environment?.executable.uri?.fsPath;
  } catch (error) {
    log.warn(`The Python extension named no environment: ${String(error)}`);
    return undefined;
  }
}

function answers(launch: Launch, log: vscode.LogOutputChannel): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { cwd: SAFE_FOLDER, timeout: PROBE_TIMEOUT_MS };
    execFile(launch.command, [...launch.args, '--version'], options, (error, stdout, stderr) => {
      const output = (error ? (lastLine(stderr) ?? error.message) : stdout).trim();
      log.info(`${launch.command} ${launch.args.join(' ')}: ${output}`);
      resolve(!error && output.includes('intentls'));
    });
  });
}

/** The last line of `text` that is not blank; undefined if there is none. */
function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .filter((line) => line.trim())
    .at(-1);
}
